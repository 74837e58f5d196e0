package io.cleave.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.StatusException;
import io.cleave.blob.MemoryBlobs;
import io.cleave.cluster.TabletInfo;
import io.cleave.query.QueryBoard;
import io.cleave.schema.Index;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.SchemeChange.Copy;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.TestStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Tables that have the rows of others and none of their files anew.
class TableCopiesTest {
    private final TestStore store = new TestStore(CellOptions.DEFAULT, new MemoryBlobs(), 3);
    private QueryBoard board = new QueryBoard(store);

    @AfterEach
    void close() {
        store.close();
    }

    private void copy(Copy... copies) {
        store.tree().change(new SchemeChange.CopyTables(List.of(copies)));
    }

    private static Copy of(String from, String to) {
        return new Copy("/local/" + from, "/local/" + to, false);
    }

    private void fill(int from, int to) {
        board.run(
                "UPSERT INTO t SELECT CAST(n AS Uint64) AS k, CAST(n AS Utf8) AS v FROM (SELECT"
                        + " ListFromRange(%d, %d) AS l) FLATTEN BY l AS n".formatted(from, to));
    }

    private void flush() {
        store.tablets()
                .map(store.tablets().table("t"))
                .routes()
                .forEach(route -> route.cell().structure().flush(List.of(route.tabletId())));
    }

    @Test
    void aCopyHasTheRowsAndIsItsOwn() {
        board.run("CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k))");
        fill(0, 1000);
        flush();
        fill(1000, 1100);
        board.run("DELETE FROM t WHERE k = 7");
        long files = store.userBlobs().list().size();
        copy(of("t", "dir/copy"));
        assertThat(store.userBlobs().list()).hasSize((int) files);
        assertThat(board.number("SELECT COUNT(*) FROM `dir/copy`")).isEqualTo(1099);
        board.run("UPSERT INTO t (k, v) VALUES (7, 'here')");
        board.run("DELETE FROM `dir/copy` WHERE k > 7");
        assertThat(board.number("SELECT COUNT(*) FROM t")).isEqualTo(1100);
        assertThat(board.number("SELECT COUNT(*) FROM `dir/copy`")).isEqualTo(7);
        board = board.restarted();
        assertThat(board.number("SELECT COUNT(*) FROM t")).isEqualTo(1100);
        assertThat(board.number("SELECT COUNT(*) FROM `dir/copy`")).isEqualTo(7);
    }

    @Test
    void aCopyIsWholeFromWhenItsSourceIs() {
        board.run("CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k), INDEX s GLOBAL ON (v))");
        fill(0, 10);
        board.run("TRUNCATE TABLE t");
        fill(0, 10);
        copy(of("t", "copy"));
        for (String below : List.of("", "/s/indexImplTable")) {
            long from = wholeFrom("t" + below);
            assertThat(from).isPositive();
            assertThat(wholeFrom("copy" + below)).isEqualTo(from);
        }
    }

    private long wholeFrom(String path) {
        return store.tablets().map(store.tablets().table(path)).wholeFrom();
    }

    @Test
    void filesStayUntilTheLastTableIsGone() {
        board.run("CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k))");
        fill(0, 1000);
        flush();
        copy(of("t", "one"), of("t", "two"));
        board.run("DROP TABLE t");
        store.tablets().compact("one");
        assertThat(board.number("SELECT COUNT(*) FROM one")).isEqualTo(1000);
        assertThat(board.number("SELECT COUNT(*) FROM two")).isEqualTo(1000);
        board = board.restarted();
        board.run("DROP TABLE one");
        assertThat(board.number("SELECT COUNT(*) FROM two")).isEqualTo(1000);
        board.run("DROP TABLE two");
        assertThat(store.userBlobs().list()).isEmpty();
    }

    @Test
    void tabletsOfSeveralCellsAreCopiedWhereTheyAre() {
        board.run(
                "CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k)) WITH (PARTITION_AT_KEYS ="
                        + " (300, 600))");
        fill(0, 1000);
        copy(of("t", "copy"));
        List<TabletInfo> from = store.tablets().infos(store.tablets().table("t"));
        List<TabletInfo> to = store.tablets().infos(store.tablets().table("copy"));
        assertThat(to.stream().map(TabletInfo::cellId).toList())
                .isEqualTo(from.stream().map(TabletInfo::cellId).toList())
                .hasSizeGreaterThan(1);
        assertThat(to.stream().map(TabletInfo::range).toList())
                .isEqualTo(from.stream().map(TabletInfo::range).toList());
        assertThat(board.number("SELECT COUNT(*) FROM copy")).isEqualTo(1000);
    }

    @Test
    void indexesGoAlongUnlessTheyAreLeftOut() {
        board.run(
                "CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k), INDEX s GLOBAL ON (v), INDEX u"
                        + " GLOBAL UNIQUE ON (v), INDEX a GLOBAL ASYNC ON (v))");
        fill(0, 500);
        copy(of("t", "copy"), new Copy("/local/t", "/local/bare", true));
        assertThat(board.number("SELECT COUNT(*) FROM copy VIEW s WHERE v = '77'")).isEqualTo(1);
        assertThat(board.number("SELECT COUNT(*) FROM copy VIEW u WHERE v = '77'")).isEqualTo(1);
        assertThat(store.tablets().table("bare").indexes()).isEmpty();
        assertThat(store.tablets().table("copy").indexes()).hasSize(3).allMatch(Index::isReady);
        board.run("UPDATE copy SET v = 'x' WHERE k = 77");
        assertThat(board.number("SELECT COUNT(*) FROM copy VIEW s WHERE v = '77'")).isZero();
        assertThat(board.number("SELECT COUNT(*) FROM t VIEW s WHERE v = '77'")).isEqualTo(1);
        assertThatThrownBy(() -> board.run("INSERT INTO copy (k, v) VALUES (1000, 'x')"))
                .hasMessageContaining("Unique index: u");
    }

    @Test
    void sequencesGoOnWhereTheyWere() {
        board.run("CREATE TABLE t (k BigSerial, v Utf8, PRIMARY KEY (k))");
        board.run("INSERT INTO t (v) VALUES ('a'), ('b'), ('c')");
        copy(of("t", "copy"));
        board.run("INSERT INTO copy (v) VALUES ('d')");
        board.run("INSERT INTO t (v) VALUES ('e')");
        assertThat(board.number("SELECT MAX(k) FROM copy")).isEqualTo(4);
        assertThat(board.number("SELECT MAX(k) FROM t")).isEqualTo(4);
    }

    @Test
    void settingsAndAttributesGoAlong() {
        board.run(
                "CREATE TABLE t (k Uint64, v Utf8 FAMILY cold, at Timestamp, PRIMARY KEY (k),"
                    + " FAMILY cold (COMPRESSION = 'lz4')) WITH (KEY_BLOOM_FILTER = ENABLED, TTL ="
                    + " Interval('P1D') ON at, AUTO_PARTITIONING_BY_LOAD = ENABLED)");
        copy(of("t", "copy"));
        var from = store.tablets().table("t");
        var to = store.tablets().table("copy");
        assertThat(to.options()).isEqualTo(from.options());
        assertThat(to.families()).isEqualTo(from.families());
        assertThat(to.columns()).isEqualTo(from.columns());
        assertThat(to.id()).isNotEqualTo(from.id());
    }

    @Test
    void whatCannotBeIsRefusedAndLeavesNothing() {
        board.run("CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k), INDEX s GLOBAL ON (v))");
        board.run("CREATE TABLE taken (k Uint64, PRIMARY KEY (k))");
        refuse("Path does not exist", of("nothing", "copy"));
        refuse("path exist, request doesn't accept it", of("t", "copy"), of("t", "taken"));
        refuse("path exist, request doesn't accept it", of("t", "copy"), of("t", "copy"));
        refuse("belongs to an index", of("t/s/indexImplTable", "copy"));
        refuse("path is not a directory", of("t", "taken/copy"));
        refuse("path is not a directory", of("t", "copy"), of("t", "copy/below"));
        refuse("No tables to copy");
        refuse(
                "Too many tables to copy: 10001",
                IntStream.rangeClosed(0, TableCopies.MAX_COPIES)
                        .mapToObj(number -> of("t", "copy" + number))
                        .toArray(Copy[]::new));
        assertThat(store.tree().find("/local/copy")).isEmpty();
        long tablets = store.cells().stream().mapToLong(cell -> cell.tablets().size()).sum();
        assertThat(tablets).isEqualTo(3);
    }

    private void refuse(String why, Copy... copies) {
        assertThatThrownBy(() -> copy(copies))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining(why);
    }

    @Test
    void writersGoOnMeanwhileAndEachCopyIsOfOneMoment() throws Exception {
        board.run(
                "CREATE TABLE t (k Uint64, v Utf8, PRIMARY KEY (k)) WITH (PARTITION_AT_KEYS ="
                        + " (100))");
        board.run("CREATE TABLE other (k Uint64, v Utf8, PRIMARY KEY (k))");
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < 3; writer++) {
            int first = writer * 1000;
            writers.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (int key = first; key < first + 150; key++) {
                                            board.run(
                                                    "UPSERT INTO t (k, v) VALUES (%d, 'x'); UPSERT INTO other (k, v) VALUES (%d, 'x');"
                                                            .formatted(key, key));
                                        }
                                    }));
        }
        int copies = 0;
        while (writers.stream().anyMatch(Thread::isAlive)) {
            copy(of("t", "t" + copies), of("other", "other" + copies));
            copies++;
        }
        for (int number = 0; number < copies; number++) {
            assertThat(board.number("SELECT COUNT(*) FROM t" + number))
                    .isEqualTo(board.number("SELECT COUNT(*) FROM other" + number));
        }
        assertThat(board.number("SELECT COUNT(*) FROM t")).isEqualTo(450);
    }
}
