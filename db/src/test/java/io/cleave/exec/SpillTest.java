package io.cleave.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.plan.PlanText;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// What does not fit into a query's memory goes to disk and comes back: the rows are those of a
/// query with enough memory, and nothing stays behind.
class SpillTest {
    private static final long LITTLE = 64 << 10;

    @TempDir private Path folder;

    private final FakeDatabase database = new FakeDatabase();
    private final QueryBench<FakeDatabase> plenty = new QueryBench<>(database);
    private QueryBench<FakeDatabase> little = plenty;
    private SpillFolder spill = SpillFolder.open(Path.of("target/spill"), 1 << 20);

    @BeforeEach
    void fill() {
        spill = SpillFolder.open(folder, 64 << 20);
        little = new QueryBench<>(database, RunOptions.DEFAULT.withMemory(LITTLE), spill);
        plenty.answer(List.of("CREATE TABLE t (k Uint64, v Utf8, g Int32, PRIMARY KEY (k))"));
        var rows = new StringBuilder("UPSERT INTO t (k, v, g) VALUES ");
        for (int row = 0; row < 3_000; row++) {
            int mixed = row * 7919 % 3_000;
            String group = row % 10 == 0 ? "NULL" : "" + mixed % 700;
            rows.append(row == 0 ? "" : ", ")
                    .append("(%d, 'value %d'u, %s)".formatted(row, mixed, group));
        }
        assertThat(plenty.answer(List.of(rows.toString()))).isEqualTo("ok");
    }

    @Test
    void aSortGoesToDisk() throws IOException {
        assertSame("SELECT v, k FROM t ORDER BY v DESC");
        assertSame("SELECT v, g, k FROM t ORDER BY g");
        assertSame("SELECT v, k FROM t ORDER BY v LIMIT 3000 OFFSET 1000");
    }

    @Test
    void groupsGoToDisk() throws IOException {
        assertSameInAnyOrder("SELECT v, COUNT(*), SUM(k) FROM t GROUP BY v");
        assertSameInAnyOrder("SELECT DISTINCT v, g FROM t");
    }

    @Test
    void aJoinGoesToDiskAndKeepsTheOrderOfTheLeft() throws IOException {
        assertSame("SELECT a.k, b.k FROM t AS a JOIN t AS b ON a.g = b.g ORDER BY a.k");
        assertSame("SELECT a.k, b.v FROM t AS a LEFT JOIN t AS b ON a.v = b.v AND a.g = b.g");
        for (String kind : List.of("RIGHT", "FULL", "EXCLUSION")) {
            assertSameInAnyOrder(
                    "SELECT a.k, b.k FROM (SELECT * FROM t WHERE k < 1500) AS a "
                            + kind
                            + " JOIN t AS b ON a.v = b.v");
        }
        assertSameInAnyOrder("SELECT a.k FROM t AS a LEFT ONLY JOIN t AS b ON a.g = b.g");
        assertSameInAnyOrder("SELECT b.k FROM t AS a RIGHT SEMI JOIN t AS b ON a.g = b.g");
    }

    @Test
    void setOperationsGoToDisk() throws IOException {
        for (String kind : List.of("INTERSECT", "EXCEPT")) {
            assertSameInAnyOrder(
                    "SELECT v, g FROM t " + kind + " SELECT v, g FROM t WHERE k < 1500");
            assertSameInAnyOrder("SELECT g FROM t " + kind + " SELECT g FROM t WHERE k > 10");
            assertSameInAnyOrder(
                    "SELECT v FROM t WHERE k < 5 " + kind + " SELECT v FROM t WHERE k % 2 = 1");
        }
        // Stops while parts wait.
        assertThat(
                        little.answer(
                                List.of(
                                        "SELECT COUNT(*) FROM (SELECT v FROM t INTERSECT SELECT v"
                                                + " FROM t LIMIT 7)")))
                .endsWith("7\n");
        assertNothingLeft();
    }

    @Test
    void aWindowsPartitionGoesToDisk() throws IOException {
        for (String call :
                List.of(
                        "SUM(k) OVER w",
                        "LEAD(v, 2) OVER w",
                        "COUNT(*) OVER (), ROW_NUMBER() OVER (ORDER BY v)",
                        "COUNT(*) OVER w, COUNT(*) OVER (ORDER BY v), RANK() OVER (ORDER BY g)",
                        "PERCENT_RANK() OVER (ORDER BY k), NTILE(7) OVER (ORDER BY v)",
                        "SUM(k) OVER (ORDER BY g ROWS BETWEEN 500 PRECEDING AND 500 FOLLOWING)",
                        "LAST_VALUE(v) OVER (ORDER BY g)")) {
            String query = "SELECT v, k, " + call + " FROM t WINDOW w AS ()";
            assertThat(sorted(little.answer(List.of(query))))
                    .as(query)
                    .isEqualTo(sorted(plenty.answer(List.of(query))));
            assertNothingLeft();
        }
    }

    @Test
    void rowsThatAreWrittenAreCollectedOnDisk() throws IOException {
        assertThat(little.answer(List.of("UPDATE t SET v = v || 'x'u WHERE v LIKE 'value%'")))
                .isEqualTo("ok");
        assertNothingLeft();
        assertThat(plenty.answer(List.of("SELECT COUNT(*) FROM t WHERE v LIKE 'value%x'")))
                .endsWith("3000\n");
        plenty.answer(List.of("CREATE TABLE i (k Uint64, v Utf8, PRIMARY KEY (k))"));
        var some = new QueryBench<>(database, RunOptions.DEFAULT.withMemory(512 << 10), spill);
        String insert = "INSERT INTO i SELECT k, v FROM t";
        assertThat(some.answer(List.of(insert))).isEqualTo("ok");
        assertThat(some.answer(List.of(insert))).contains("Conflict with existing key");
        assertThat(plenty.answer(List.of("SELECT COUNT(DISTINCT v) FROM i"))).endsWith("3000\n");
        assertNothingLeft();
    }

    @Test
    void whatWindowFunctionsKeepIsCounted() {
        List<String> frames = List.of("", " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW");
        for (String frame : frames) {
            String query =
                    "SELECT k, ListLength(AGGREGATE_LIST(v) OVER w) FROM t WINDOW w AS (ORDER BY k"
                            + frame
                            + ")";
            assertThat(little.answer(List.of(query)))
                    .as(query)
                    .startsWith("PRECONDITION_FAILED: Memory limit exceeded");
        }
        assertThat(spill.usedBytes()).isZero();
    }

    @Test
    void operatorsAboveASortHaveMemoryOfTheirOwn() throws IOException {
        assertSameInAnyOrder(
                "SELECT k, SUM(k) OVER (PARTITION BY g) AS s FROM t WHERE g IS NOT NULL");
        // For one of them the sort is about to write its next run when the rows end.
        for (int rows = 2_500; rows < 2_950; rows += 20) {
            assertSameInAnyOrder(
                    "SELECT k FROM (SELECT k, v FROM t WHERE k < %dul ORDER BY v LIMIT 3000)"
                                    .formatted(rows)
                            + " INTERSECT SELECT k FROM t WHERE k < 50ul");
        }
    }

    @Test
    void rowsFoundByAPartOfTheKeyAreForgotten() throws IOException {
        plenty.answer(List.of("CREATE TABLE u (g Int32, k Uint64, v Utf8, PRIMARY KEY (g, k))"));
        assertThat(plenty.answer(List.of("UPSERT INTO u SELECT g, k, v FROM t"))).isEqualTo("ok");
        assertSameInAnyOrder(
                "SELECT a.k, b.k, b.v FROM t AS a JOIN u AS b ON a.g = b.g WHERE a.k < 2000");
    }

    @Test
    void rowsFoundByAPartOfTheKeyThatAreTooManyPassByAsTheyAreRead() throws IOException {
        plenty.answer(List.of("CREATE TABLE u (g Int32, k Uint64, v Utf8, PRIMARY KEY (g, k))"));
        assertThat(
                        plenty.answer(
                                List.of(
                                        "UPSERT INTO u SELECT CAST(k % 2 AS Int32) AS g, k, v FROM"
                                                + " t")))
                .isEqualTo("ok");
        for (String kind : List.of("JOIN", "LEFT JOIN")) {
            String query =
                    "SELECT a.k, b.k, b.v FROM (SELECT k, CAST(k % 3 AS Int32) AS g FROM t WHERE k"
                            + " < 4ul) AS a %s u AS b ON a.g = b.g".formatted(kind);
            assertThat(explained(query)).contains("LookupJoin");
            assertSameInAnyOrder(query);
        }
        for (String kind : List.of("LEFT SEMI JOIN", "LEFT ONLY JOIN")) {
            assertSameInAnyOrder(
                    "SELECT a.k FROM (SELECT k, CAST(k % 3 AS Int32) AS g FROM t WHERE k < 40ul) AS"
                            + " a %s u AS b ON a.g = b.g".formatted(kind));
        }
        // Those that are left are not read when nobody asks for them.
        assertSameInAnyOrder(
                "SELECT COUNT(*) FROM (SELECT b.k FROM t AS a JOIN u AS b ON a.g = b.g WHERE a.k >"
                        + " 0ul LIMIT 1000)");
    }

    private String explained(String query) {
        return new PlanText(database).tree(plenty.compile(query, Map.of()));
    }

    @Test
    void oneKeyForAllRowsOfAJoinIsReadFromDiskForEveryRowOfTheLeft() throws IOException {
        assertSame(
                "SELECT a.k, b.k, b.v FROM (SELECT k FROM t WHERE k < 7) AS a CROSS JOIN t AS b");
        plenty.answer(List.of("CREATE TABLE one (k Uint64, g Int32, PRIMARY KEY (k))"));
        plenty.answer(List.of("UPSERT INTO one SELECT k, 7 AS g FROM t"));
        assertSame("SELECT a.k, b.k FROM one AS a JOIN one AS b ON a.g = b.g WHERE a.k < 5");
        // What stands behind a LIMIT is neither worked out nor written.
        assertSameInAnyOrder(
                "SELECT COUNT(*) FROM (SELECT b.k FROM t AS a CROSS JOIN t AS b LIMIT 5000)");
    }

    /// Their halves are equal, and a hash that puts these together is the same for all.
    @Test
    void differentKeysOfOneHashComeApart() throws IOException {
        plenty.answer(List.of("CREATE TABLE h (k Uint64, h Int64, PRIMARY KEY (k))"));
        String fill = "UPSERT INTO h SELECT k, CAST(k / 2 AS Int64) * 4294967297l AS h FROM t";
        assertThat(plenty.answer(List.of(fill))).isEqualTo("ok");
        for (String kind : List.of("", "LEFT", "RIGHT", "FULL", "EXCLUSION")) {
            assertSameInAnyOrder(
                    "SELECT a.k, b.k FROM (SELECT * FROM h WHERE k < 1500) AS a "
                            + kind
                            + " JOIN (SELECT * FROM h WHERE k > 500) AS b ON a.h = b.h");
        }
        for (String kind : List.of("LEFT SEMI", "LEFT ONLY", "RIGHT SEMI", "RIGHT ONLY")) {
            assertSameInAnyOrder(
                    "SELECT * FROM (SELECT * FROM h WHERE k < 1500) AS a "
                            + kind
                            + " JOIN (SELECT * FROM h WHERE k > 500) AS b ON a.h = b.h");
        }
        assertSameInAnyOrder("SELECT h, COUNT(*), SUM(k) FROM h GROUP BY h");
        assertSameInAnyOrder("SELECT DISTINCT h FROM h");
        assertSameInAnyOrder("SELECT h FROM h UNION SELECT h + 1l AS h FROM h");
        assertSameInAnyOrder("SELECT h FROM h INTERSECT SELECT h FROM h WHERE k < 1500");
        assertSameInAnyOrder("SELECT h FROM h EXCEPT SELECT h FROM h WHERE k < 1500");
    }

    @Test
    void theFirstRowsOfTheKeysOfAJoinWithAnyGoToDisk() throws IOException {
        for (String kind : List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")) {
            assertSameInAnyOrder(
                    "SELECT a.k, b.k FROM ANY t AS a " + kind + " t AS b ON a.v = b.v");
            assertSameInAnyOrder(
                    "SELECT a.k, b.k FROM t AS a " + kind + " ANY t AS b ON a.g = b.g");
            assertSameInAnyOrder(
                    "SELECT a.k, b.k FROM ANY t AS a "
                            + kind
                            + " ANY t AS b ON a.g = b.g AND a.v = b.v");
        }
        assertSameInAnyOrder("SELECT a.k FROM ANY t AS a LEFT SEMI JOIN t AS b ON a.v = b.v");
    }

    @Test
    void theRowsOfOneKeyOfAMergeGoToDisk() throws IOException {
        for (String table : List.of("l", "r")) {
            plenty.answer(
                    List.of(
                            "CREATE TABLE %s (g Int32, k Uint64, v Utf8, PRIMARY KEY (g, k))"
                                    .formatted(table)));
            database.setEstimate("/local/" + table, 20_000);
        }
        plenty.answer(List.of("UPSERT INTO r SELECT CAST(k / 1000 AS Int32) AS g, k, v FROM t"));
        plenty.answer(
                List.of("UPSERT INTO l SELECT CAST(k AS Int32) AS g, k, v FROM t WHERE k < 5"));
        for (String kind : List.of("JOIN", "LEFT JOIN", "FULL JOIN")) {
            String query = "SELECT l.k, r.k, r.v FROM l " + kind + " r ON l.g = r.g";
            assertThat(explained(query)).contains("MergeJoin");
            assertSame(query);
        }
        for (String kind : List.of("LEFT SEMI JOIN", "LEFT ONLY JOIN")) {
            assertSameInAnyOrder("SELECT l.k FROM l " + kind + " r ON l.g = r.g");
        }
    }

    @Test
    void largeRowsThatAreLookedUpAreLookedUpAFewAtATime() throws IOException {
        plenty.answer(List.of("CREATE TABLE w (k Uint64, v Utf8, PRIMARY KEY (k))"));
        plenty.answer(
                List.of(
                        "UPSERT INTO w SELECT k, CAST(String::LeftPad(v, 2000) AS Utf8) AS v FROM"
                                + " t"));
        String query =
                "SELECT a.k, b.v FROM (SELECT k FROM t WHERE g > 0) AS a JOIN w AS b ON a.k"
                        + " = b.k";
        assertThat(explained(query)).contains("LookupJoin");
        assertSame(query);
    }

    @Test
    void whatAggregatesKeepOfManyGroupsGoesToDisk() throws IOException {
        assertSameInAnyOrder("SELECT g, AGGREGATE_LIST(v), COUNT(*) FROM t GROUP BY g");
        assertSameInAnyOrder(
                "SELECT g, COUNT(DISTINCT v), AGGREGATE_LIST(k), MIN(v) FROM t GROUP BY g % 40 AS"
                        + " g");
        assertSameInAnyOrder("SELECT v, AGGREGATE_LIST(g) FROM t GROUP BY v");
    }

    @Test
    void valuesThatAreCountedOnceGoToDisk() throws IOException {
        assertSameInAnyOrder(
                "SELECT COUNT(DISTINCT v), COUNT(*), COUNT(DISTINCT g), SUM(DISTINCT g), MAX(v)"
                        + " FROM t");
        assertSameInAnyOrder(
                "SELECT two, COUNT(DISTINCT v), SUM(DISTINCT k), COUNT(*) FROM t GROUP BY k % 2 AS"
                        + " two");
        // A list that is too long for the memory stays so.
        assertThat(little.answer(List.of("SELECT AGGREGATE_LIST(DISTINCT v) FROM t")))
                .startsWith("PRECONDITION_FAILED: Memory limit exceeded");
        assertNothingLeft();
    }

    @Test
    void keysOfGroupsThatAreDrawnByChanceAreDrawnOnceForEachRow() throws IOException {
        String groups = "SELECT g FROM t GROUP BY RandomNumber(k) % 2000 AS g";
        String query = "SELECT COUNT(*) = COUNT(DISTINCT g) FROM (" + groups + ")";
        assertThat(little.answer(List.of(query))).endsWith("true\n");
        assertNothingLeft();
    }

    /// Every left key is one of the right side, so each left row has one match, whatever is drawn.
    @Test
    void keysOfJoinsThatAreDrawnByChanceAreDrawnOnceForEachRow() throws IOException {
        String rows = "(SELECT COUNT(*) FROM t)";
        String drawn = "ON RandomNumber(a.k) %% 3000 = b.n";
        String numbers = "(SELECT ListFromRange(0ul, 3000ul) AS n) FLATTEN LIST BY n";
        String all = "FROM t AS a %s JOIN (SELECT n FROM " + numbers + ") AS b " + drawn;
        for (String kind : List.of("INNER", "LEFT", "LEFT SEMI")) {
            String query = "SELECT COUNT(*) = " + rows + " " + all.formatted(kind);
            assertThat(little.answer(List.of(query))).as(kind).endsWith("true\n");
        }
        String only = "SELECT COUNT(*) = 0 " + all.formatted("LEFT ONLY");
        assertThat(little.answer(List.of(only))).endsWith("true\n");
        String whole = "SELECT COUNT_IF(a.v IS NULL OR b.n >= 3000) = 0 " + all.formatted("INNER");
        assertThat(little.answer(List.of(whole))).endsWith("true\n");
        assertNothingLeft();
    }

    @Test
    void aFullDiskIsAnAnswer() {
        var small = SpillFolder.open(folder.resolve("small"), 40 << 10);
        var bench = new QueryBench<>(database, RunOptions.DEFAULT.withMemory(LITTLE), small);
        assertThat(bench.answer(List.of("SELECT v, k FROM t ORDER BY v")))
                .startsWith("OVERLOADED: Queries may keep at most 40960 bytes of rows on disk");
        assertThat(small.usedBytes()).isZero();
    }

    @Test
    void aCancelledSortEndsSoon() throws IOException {
        assertEndsAtCheck(20, "SELECT v FROM t ORDER BY v DESC");
    }

    @Test
    void rowsThatComeFromNoTableLookWhetherTheQueryShouldEnd() throws IOException {
        assertEndsAtCheck(
                4, "SELECT x FROM (SELECT ListFromRange(0, 3000) AS x) FLATTEN LIST BY x");
        assertEndsAtCheck(
                4,
                "SELECT x FROM AS_TABLE(ListMap(ListFromRange(0, 3000), ($x) -> (AsStruct($x AS"
                        + " x)))) WHERE x < 0");
    }

    private void assertEndsAtCheck(int last, String query) throws IOException {
        int[] calls = {0};
        Runnable check =
                () -> {
                    if (++calls[0] == last) {
                        throw new StatusException(Status.CANCELLED, "enough");
                    }
                };
        var program = little.compile(query, Map.of());
        assertThatThrownBy(
                        () ->
                                little.run(
                                        program,
                                        database.begin(),
                                        Map.of(),
                                        new QueryBench.Sink(),
                                        check))
                .hasMessageContaining("enough");
        assertNothingLeft();
    }

    @Test
    void whatAnEarlierProcessLeftIsRemoved() throws IOException {
        Files.writeString(folder.resolve("rows-7"), "left over");
        SpillFolder.open(folder, 1 << 20);
        assertNothingLeft();
    }

    private void assertSame(String query) throws IOException {
        String expected = plenty.answer(List.of(query));
        assertThat(expected.lines().count()).isGreaterThan(1_000);
        assertThat(little.answer(List.of(query))).as(query).isEqualTo(expected);
        assertNothingLeft();
    }

    private void assertSameInAnyOrder(String query) throws IOException {
        assertThat(sorted(little.answer(List.of(query))))
                .as(query)
                .isEqualTo(sorted(plenty.answer(List.of(query))));
        assertNothingLeft();
    }

    private void assertNothingLeft() throws IOException {
        try (var files = Files.list(folder)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
        assertThat(spill.usedBytes()).isZero();
    }

    private static List<String> sorted(String answer) {
        String[] lines = answer.split("\n");
        Arrays.sort(lines);
        return List.of(lines);
    }
}
