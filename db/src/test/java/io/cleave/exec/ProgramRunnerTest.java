package io.cleave.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.Program;
import io.cleave.txn.Isolation;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a run asks of the transaction, and where it stops.
class ProgramRunnerTest {
    private static final int ROWS = 1_000;

    private final QueryBench<FakeDatabase> bench =
            new QueryBench<>(new FakeDatabase(), RunOptions.DEFAULT.withMemory(64 << 10));

    @BeforeEach
    void fillTable() {
        bench.answer(List.of("CREATE TABLE t (k Uint64, v Utf8, w Utf8, PRIMARY KEY (k))"));
        String rows =
                IntStream.range(0, ROWS)
                        .mapToObj(key -> "(" + key + ", 'value " + key + "')")
                        .collect(Collectors.joining(", "));
        bench.answer(List.of("UPSERT INTO t (k, v) VALUES " + rows));
    }

    private FakeTransaction run(String text, Map<String, Value> parameters) {
        var transaction = new FakeTransaction(bench.database, Isolation.SERIALIZABLE);
        Map<String, Type> types = parameters.isEmpty() ? Map.of() : Map.of("$k", Primitive.UINT64);
        bench.run(bench.compile(text, types), transaction, parameters, new QueryBench.Sink());
        return transaction;
    }

    @Test
    void aPointReadIsOneLookup() {
        FakeTransaction asked = run("SELECT v FROM t WHERE k = $k", Map.of("$k", Value.of(7)));
        assertThat(asked.lookups).isEqualTo(1);
        assertThat(asked.scannedRows).isZero();
    }

    @Test
    void aPointReadIsKnownByItsKind() {
        var types = Map.<String, Type>of("$k", Primitive.UINT64);
        assertThat(kind("SELECT v FROM t WHERE k = $k", types)).isEqualTo(Program.Kind.POINT_READ);
        assertThat(kind("SELECT v FROM t WHERE k = 5 LIMIT 1", types))
                .isEqualTo(Program.Kind.POINT_READ);
        assertThat(kind("SELECT v FROM t WHERE k > $k", types)).isEqualTo(Program.Kind.READ);
        assertThat(kind("SELECT COUNT(*) FROM t WHERE k = $k", types)).isEqualTo(Program.Kind.READ);
    }

    private Program.Kind kind(String text, Map<String, Type> types) {
        return bench.compile(text, types).kind();
    }

    @Test
    void aLimitStopsTheScan() {
        assertThat(run("SELECT v FROM t LIMIT 3", Map.of()).scannedRows).isEqualTo(3);
        assertThat(run("SELECT v FROM t ORDER BY k DESC LIMIT 3", Map.of()).scannedRows)
                .isEqualTo(3);
    }

    @Test
    void aBlindUpsertReadsNothing() {
        FakeTransaction asked = run("UPSERT INTO t (k, v) VALUES (5, 'x')", Map.of());
        assertThat(asked.lookups + asked.scannedRows).isZero();
    }

    @Test
    void aRangeReadsOnlyItsRows() {
        FakeTransaction asked = run("SELECT v FROM t WHERE k >= 10 AND k < 20", Map.of());
        assertThat(asked.scannedRows).isEqualTo(10);
    }

    @Test
    void aJoinByKeyLooksUp() {
        FakeTransaction asked =
                run("SELECT b.v FROM t AS a JOIN t AS b ON a.k = b.k WHERE a.k < 5", Map.of());
        assertThat(asked.scannedRows).isEqualTo(5);
        assertThat(asked.lookups).isEqualTo(5);
    }

    @Test
    void rowsOfAnIndexAreLookedUpTogether() {
        makeIndexed("CAST(k AS Utf8)", 600);
        FakeTransaction asked = run("SELECT k, v, w FROM i VIEW byV", Map.of());
        assertThat(asked.gathered).containsExactly(1, 4, 16, 64, 256, 256, 3);
        assertThat(asked.lookups).isEqualTo(600);
        assertThat(bench.answer(List.of("SELECT k, w FROM i VIEW byV WHERE v > 596")))
                .isEqualTo("k:Optional<Uint64> | w:Optional<Utf8>\n3 | 597\n2 | 598\n1 | 599\n");
    }

    @Test
    void aLimitOverAnIndexLooksFewRowsUp() {
        makeIndexed("CAST(k AS Utf8)", 600);
        assertThat(run("SELECT w FROM i VIEW byV LIMIT 1", Map.of()).lookups).isEqualTo(1);
        assertThat(run("SELECT w FROM i VIEW byV ORDER BY v LIMIT 5", Map.of()).lookups)
                .isEqualTo(5);
        assertThat(run("SELECT w FROM i VIEW byV LIMIT 6", Map.of()).lookups).isEqualTo(21);
    }

    @Test
    void largeRowsOfAnIndexAreLookedUpByFewer() {
        makeIndexed("Unwrap(CAST(String::LeftPad('', 1000000) AS Utf8))", 40);
        assertThat(run("SELECT w FROM i VIEW byV", Map.of()).gathered)
                .startsWith(1, 4, 4)
                .doesNotContain(16);
    }

    /// A table whose index has the rows the other way round.
    private void makeIndexed(String wide, int rows) {
        bench.answer(
                List.of(
                        "CREATE TABLE i (k Uint64, v Uint64, w Utf8, PRIMARY KEY (k), INDEX byV"
                                + " GLOBAL ON (v))"));
        assertThat(
                        bench.answer(
                                List.of(
                                        "UPSERT INTO i SELECT %dul - k AS k, k AS v, %s AS w FROM t"
                                                        .formatted(rows, wide)
                                                + " WHERE k < "
                                                + rows)))
                .isEqualTo("ok");
    }

    @Test
    void sortingMoreThanTheMemoryIsRefused() {
        assertMemoryRefused("SELECT k, v FROM t ORDER BY v");
        assertMemoryRefused("SELECT v, COUNT(*) FROM t GROUP BY v");
        assertMemoryRefused("SELECT DISTINCT v FROM t");
        assertMemoryRefused("SELECT a.k FROM t AS a JOIN t AS b ON a.v = b.v");
    }

    private void assertMemoryRefused(String text) {
        assertThatThrownBy(() -> run(text, Map.of()))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused ->
                                assertThat(refused.status()).isEqualTo(Status.PRECONDITION_FAILED))
                .hasMessageContaining("Memory limit exceeded");
    }

    @Test
    void theFirstFewOfManyAreSortedInLittleMemory() {
        run("SELECT k, v FROM t ORDER BY v LIMIT 10", Map.of());
    }

    @Test
    void aRowOverTheLimitsIsRefused() {
        String cell = "UPSERT INTO t (k, v) SELECT 1ul AS k, $s AS v";
        assertThatThrownBy(() -> write(cell, "x".repeat(RowLimits.MAX_FIELD_BYTES + 1)))
                .hasMessageContaining("Row cell size of 8388609 bytes");
        bench.answer(List.of("CREATE TABLE s (v Utf8, PRIMARY KEY (v))"));
        String key = "UPSERT INTO s (v) SELECT $s AS v";
        assertThatThrownBy(() -> write(key, "x".repeat(RowLimits.MAX_KEY_BYTES + 1)))
                .hasMessageContaining("Row key size of 1048577 bytes");
    }

    private void write(String text, String value) {
        Program program = bench.compile(text, Map.of("$s", Primitive.UTF8));
        var transaction = new FakeTransaction(bench.database, Isolation.SERIALIZABLE);
        bench.run(program, transaction, Map.of("$s", Value.text(value)), new QueryBench.Sink());
    }

    @Test
    void aReadOnlyTransactionRefusesWrites() {
        var transaction = new FakeTransaction(bench.database, Isolation.SNAPSHOT_READ_ONLY);
        Program program = bench.compile("DELETE FROM t", Map.of());
        assertThatThrownBy(() -> bench.run(program, transaction, Map.of(), new QueryBench.Sink()))
                .hasMessageContaining("Operation 'Delete' can't be performed in read only");
    }

    @Test
    void aSinkThatStopsClosesTheScan() {
        var transaction = new FakeTransaction(bench.database, Isolation.SERIALIZABLE);
        Program program = bench.compile("SELECT * FROM t", Map.of());
        var sink =
                new QueryBench.Sink() {
                    @Override
                    public void row(int resultIndex, Value[] row) {
                        throw new StatusException(Status.CANCELLED, "enough");
                    }
                };
        assertThatThrownBy(() -> bench.run(program, transaction, Map.of(), sink))
                .hasMessageContaining("enough");
        assertThat(transaction.openStreams).isZero();
        assertThat(transaction.scannedRows).isEqualTo(1);
    }

    /// Each left row has all right rows for matches, and asks for none of them.
    @Test
    @Timeout(60)
    void aSemiJoinTakesNoTimeForMatchesBeyondTheFirst() {
        var roomy = new QueryBench<>(new FakeDatabase(), RunOptions.DEFAULT);
        String rows = "AS_TABLE(ListMap(ListFromRange(0, 200000), ($i) -> (<|k: 1, i: $i|>)))";
        String text =
                "SELECT COUNT(*) FROM %s AS a LEFT SEMI JOIN %s AS b ON a.k = b.k"
                        .formatted(rows, rows);
        assertThat(roomy.answer(List.of(text))).isEqualTo("column0:Uint64\n200000\n");
    }
}
