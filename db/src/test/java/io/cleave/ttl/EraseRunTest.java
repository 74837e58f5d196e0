package io.cleave.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.cluster.ExpiredFiles;
import io.cleave.lsm.row.RowChange;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// What a run over a table erases, and what it leaves.
class EraseRunTest {
    private static final String TABLE =
            "CREATE TABLE t (k Uint64, at Timestamp, v Utf8, PRIMARY KEY (k) %s) WITH (TTL ="
                    + " Interval('PT1H') ON at)";

    /// Rows `from` to `to`, whose times have passed by so many minutes.
    private static String rows(int from, int to, int minutesAgo) {
        return ("UPSERT INTO t SELECT CAST(n AS Uint64) AS k, CurrentUtcTimestamp() -"
                        + " DateTime::IntervalFromMinutes(%d) AS at, CAST(n AS Utf8) AS v FROM"
                        + " (SELECT ListFromRange(%d, %d) AS l) FLATTEN BY l AS n")
                .formatted(minutesAgo, from, to);
    }

    @Test
    void whatHasExpiredGoesAndTheRestStays() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 1000, 61));
            bench.run(rows(1000, 1500, 59));
            bench.run("UPSERT INTO t (k, v) VALUES (5000, 'no time')");
            bench.erase("t");
            assertThat(bench.processed).isEqualTo(1501);
            assertThat(bench.erased).isEqualTo(1000);
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(501);
            assertThat(bench.number("SELECT MIN(k) FROM t")).isEqualTo(1000);
            bench.erase("t");
            assertThat(bench.erased).isZero();
        }
    }

    @Test
    void indexesHaveWhatTheTableHas() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(
                    TABLE.formatted(
                            ", INDEX s GLOBAL SYNC ON (v), INDEX u GLOBAL UNIQUE ON (v) COVER (at),"
                                    + " INDEX a GLOBAL ASYNC ON (v)"));
            bench.run(rows(0, 600, 61));
            bench.run(rows(600, 700, 1));
            bench.flush("t");
            bench.erase("t");
            // Whoever follows an index hears of rows, not of files.
            assertThat(bench.dropped).isZero();
            assertThat(bench.erased).isEqualTo(600);
            assertThat(bench.number("SELECT COUNT(*) FROM t VIEW s")).isEqualTo(100);
            assertThat(bench.number("SELECT COUNT(*) FROM t VIEW u")).isEqualTo(100);
            assertThat(bench.number("SELECT COUNT(*) FROM `t/s/indexImplTable`")).isEqualTo(100);
            while (bench.store.builds().followers().list().stream()
                    .anyMatch(info -> info.backlogRows() > 0 || info.lagMicros() > 0)) {
                Thread.onSpinWait();
            }
            assertThat(indexRows(bench, "a")).isEqualTo(100);
        }
    }

    /// The run has seen a table without indexes, and is held up before the cell.
    @Test
    void filesAreNotErasedForATableThatHadNoIndexYet() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 600, 61));
            bench.flush("t");
            Table seen = bench.table("t");
            Route route = bench.store.tablets().map(seen).find(Bytes.EMPTY);
            bench.run("ALTER TABLE t ADD INDEX s GLOBAL SYNC ON (v)");
            assertThat(ExpiredFiles.erase(seen, route, Long.MAX_VALUE)).isZero();
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(600);
            assertThat(ExpiredFiles.erase(bench.table("t"), route, Long.MAX_VALUE)).isEqualTo(600);
        }
    }

    /// The first tablet has whole files of expired rows. Rows of the others are erased.
    @ParameterizedTest
    @EnumSource(
            value = MountState.class,
            names = {"UNMOUNTED", "FROZEN"})
    void tabletsThatAreNotMountedAreLeftAlone(MountState state) throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 600, 61));
            bench.run(rows(1000, 1100, 61));
            bench.store.resharding().split("/local/t", List.of(TtlBench.key(1000)));
            bench.flush("t");
            MountStates closed =
                    MountStates.MOUNTED.with(new KeyRange(Bytes.EMPTY, TtlBench.key(1000)), state);
            bench.setStates("t", closed);
            bench.erase("t");
            assertThat(bench.erased).isEqualTo(100);
            bench.setStates("t", MountStates.MOUNTED);
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(600);
            bench.erase("t");
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isZero();
        }
    }

    private static long indexRows(TtlBench bench, String index) {
        var table = bench.table("t/" + index + "/indexImplTable");
        long count = 0;
        try (var snapshot = bench.store.transactions().snapshot();
                var rows = snapshot.scan(KeyRange.ALL, io.cleave.txn.ReadColumns.none(table))) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    @Test
    void aRowWhoseTimeIsPutOffMeanwhileStays() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(", INDEX s GLOBAL ON (v)"));
            bench.run(rows(0, 2000, 61));
            var chunks = new AtomicInteger();
            bench.erase(
                    "t",
                    () -> {
                        if (chunks.incrementAndGet() == 2) {
                            bench.run(
                                    "UPDATE t SET at = CurrentUtcTimestamp() WHERE k IN (1000,"
                                            + " 1999)");
                        }
                    });
            assertThat(bench.run("SELECT k FROM t ORDER BY k").toString()).contains("1000", "1999");
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(2);
            assertThat(bench.number("SELECT COUNT(*) FROM t VIEW s")).isEqualTo(2);
        }
    }

    @Test
    void anotherColumnMayBeDroppedMeanwhile() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(
                    "CREATE TABLE t (k Uint64, v Utf8, at Timestamp, made Timestamp, PRIMARY KEY"
                            + " (k)) WITH (TTL = Interval('PT1H') ON at)");
            bench.run(rows(0, 1000, 61));
            bench.run(rows(1000, 1500, 1));
            bench.run(
                    "UPDATE t SET made = CurrentUtcTimestamp() -"
                            + " DateTime::IntervalFromMinutes(90)");
            var chunks = new AtomicInteger();
            bench.erase(
                    "t",
                    () -> {
                        if (chunks.incrementAndGet() == 2) {
                            bench.run("ALTER TABLE t DROP COLUMN v");
                        }
                    });
            assertThat(bench.erased).isEqualTo(1000);
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(500);
            assertThat(bench.number("SELECT MIN(k) FROM t")).isEqualTo(1000);
        }
    }

    @Test
    void tabletsMayBeCutMergedAndMovedMeanwhile() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 5000, 61));
            bench.run(rows(5000, 5100, 1));
            var tablets = bench.store.tablets();
            var resharding = bench.store.resharding();
            var chunks = new AtomicInteger();
            bench.erase(
                    "t",
                    () -> {
                        switch (chunks.incrementAndGet()) {
                            case 2 ->
                                    resharding.split(
                                            "t", List.of(TtlBench.key(2000), TtlBench.key(4000)));
                            case 4 -> {
                                long last = tablets.infos(bench.table("t")).getLast().tabletId();
                                resharding.move("t", last, 1 + cellOf(bench) % 3);
                            }
                            case 6 -> {
                                var ids =
                                        tablets.infos(bench.table("t")).stream()
                                                .map(info -> info.tabletId())
                                                .toList();
                                resharding.merge("t", ids);
                            }
                            default -> {}
                        }
                    });
            assertThat(bench.erased).isEqualTo(5000);
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(100);
        }
    }

    private static long cellOf(TtlBench bench) {
        return bench.store.tablets().infos(bench.table("t")).getLast().cellId();
    }

    @Test
    void filesThatHaveExpiredAreNotRead() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 3000, 61));
            bench.flush("t");
            bench.run(rows(3000, 3100, 1));
            bench.flush("t");
            bench.erase("t");
            assertThat(bench.dropped).isEqualTo(3000);
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(100);
            bench.erase("t");
            assertThat(bench.erased).isZero();
        }
    }

    @Test
    void aFileInWhichATransactionHasAnythingIsLeftAndTheOthersAreNot() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 300, 61));
            bench.flush("t");
            bench.run(rows(1000, 1200, 61));
            bench.flush("t");
            Route route = bench.store.tablets().map(bench.table("t")).find(TtlBench.key(150));
            var change =
                    new TabletWrites.KeyedChange(
                            TtlBench.key(150),
                            RowChange.encode(RowChange.Kind.ERASE, new int[0], new byte[0][]));
            long id = bench.store.tablets().timeline().newId();
            var part =
                    new Preparation(
                            id,
                            route.cell().id(),
                            List.of(),
                            List.of(new TabletWrites(route.tabletId(), List.of(change))),
                            LockOwner.NOBODY,
                            null);
            assertThat(((Cell) route.cell()).transactions().prepare(part))
                    .isEqualTo(new PrepareResult.Ready());
            // By files, once; then the transaction makes way for the rows.
            bench.erase(
                    "t",
                    () ->
                            ((Cell) route.cell())
                                    .transactions()
                                    .outcome(id, new CommitDecision.Abort()));
            assertThat(bench.dropped).isEqualTo(200);
            assertThat(bench.erased).isEqualTo(500);
        }
    }

    @Test
    void aFileUnderNewerRowsIsGoneOverRowByRow() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 300, 61));
            bench.flush("t");
            bench.run("UPSERT INTO t (k, at) VALUES (150, CurrentUtcTimestamp())");
            bench.erase("t");
            assertThat(bench.dropped).isZero();
            assertThat(bench.erased).isEqualTo(299);
            assertThat(bench.number("SELECT k FROM t")).isEqualTo(150);
        }
    }

    @Test
    void whatFilesSayOfAnotherColumnIsNotBelieved() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(
                    "CREATE TABLE t (k Uint64, at Timestamp, later Timestamp, v Utf8, PRIMARY KEY"
                            + " (k)) WITH (TTL = Interval('PT1H') ON at)");
            bench.run(rows(0, 300, 61));
            bench.run("UPSERT INTO t SELECT k, CurrentUtcTimestamp() AS later FROM t");
            bench.flush("t");
            bench.store.tablets().compact("t");
            bench.run("ALTER TABLE t SET (TTL = Interval('PT1H') ON later)");
            bench.erase("t");
            assertThat(bench.erased).isZero();
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(300);
        }
    }

    /// A table whose key begins with the time, as of measurements that come in its order.
    private static final String MEASUREMENTS =
            "CREATE TABLE t (at Timestamp, k Uint64, v Utf8, PRIMARY KEY (at, k)) WITH (TTL ="
                    + " Interval('PT1H') ON at)";

    @Test
    void filesOfKeysThatBeginWithTheTimeAreNotRead() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(MEASUREMENTS);
            bench.run(rows(0, 3000, 120));
            bench.flush("t");
            // Times on either side of those of the first file.
            bench.run(rows(2000, 2500, 130));
            bench.run(rows(2000, 2500, 90));
            bench.flush("t");
            bench.run(rows(0, 200, 70));
            bench.run(rows(0, 300, 50));
            bench.flush("t");
            bench.run("UPSERT INTO t (at, k, v) VALUES (NULL, 5000, 'no time')");
            assertThat(bench.number("SELECT BacklogRows FROM `.sys/ttl`")).isBetween(4000L, 4500L);
            bench.erase("t");
            // The last file has both, and is looked at as far as it may have expired.
            assertThat(bench.dropped).isEqualTo(4000);
            assertThat(bench.processed).isEqualTo(4200);
            assertThat(bench.erased).isEqualTo(4200);
            assertThat(bench.number("SELECT COUNT(*) FROM t")).isEqualTo(301);
            assertThat(bench.number("SELECT COUNT(*) FROM t WHERE at IS NULL")).isEqualTo(1);
            bench.erase("t");
            assertThat(bench.processed).isZero();
        }
    }

    @Test
    void fewerFilesAreDroppedWhereMemoryHasTheirKeys() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(MEASUREMENTS);
            bench.run(
                    "UPSERT INTO t (at, k) VALUES (Timestamp('2001-01-01T00:00:00Z'), 1),"
                            + " (Timestamp('2001-01-03T00:00:00Z'), 1)");
            bench.flush("t");
            bench.run("UPSERT INTO t (at, k) VALUES (Timestamp('2002-01-01T00:00:00Z'), 1)");
            bench.flush("t");
            bench.run("UPSERT INTO t (at, k) VALUES (Timestamp('2001-01-02T00:00:00Z'), 1)");
            bench.erase("t");
            assertThat(bench.dropped).isEqualTo(1);
            assertThat(bench.erased).isEqualTo(4);
            assertThat(bench.run("SELECT * FROM t")).isEmpty();
        }
    }

    @Test
    void filesAreNotDroppedUnderAnIndexButKeysStillTell() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(MEASUREMENTS.replace("(at, k))", "(at, k), INDEX s GLOBAL ON (v))"));
            bench.run(rows(0, 600, 120));
            bench.run(rows(0, 100, 1));
            bench.flush("t");
            bench.erase("t");
            assertThat(bench.dropped).isZero();
            assertThat(bench.processed).isEqualTo(600);
            assertThat(bench.erased).isEqualTo(600);
            assertThat(bench.number("SELECT COUNT(*) FROM t VIEW s")).isEqualTo(100);
        }
    }

    @Test
    void theBacklogIsNotKnownWhereFilesDoNotSayIt() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(
                    "CREATE TABLE t (k Uint64, at Timestamp, n DyNumber, PRIMARY KEY (k, at)) WITH"
                            + " (TTL = Interval('PT1H') ON at)");
            bench.run(
                    "UPSERT INTO t (k, at, n) VALUES (1, Timestamp('2001-01-01T00:00:00Z'),"
                            + " DyNumber('1'))");
            bench.flush("t");
            String unknown = "SELECT COUNT(*) FROM `.sys/ttl` WHERE BacklogRows IS NULL";
            assertThat(bench.number(unknown)).isEqualTo(1);
            bench.run("ALTER TABLE t SET (TTL = Interval('PT1H') ON n AS SECONDS)");
            assertThat(bench.number(unknown)).isEqualTo(1);
            bench.erase("t");
            assertThat(bench.erased).isEqualTo(1);
        }
    }

    @Test
    void runsComeByThemselvesAndAreShown() throws Exception {
        try (var bench = new TtlBench()) {
            bench.run(TABLE.formatted(""));
            bench.run(rows(0, 400, 61));
            bench.run(rows(400, 500, 1));
            bench.runs.start();
            while (bench.number("SELECT COUNT(*) FROM t") != 100
                    || bench.runs.list().getFirst().lastDurationMicros() == 0) {
                bench.store.env().sleep(Duration.ofMillis(5));
            }
            var shown =
                    bench.run(
                            "SELECT Path, ColumnName, TotalRowsErased, BacklogRows, LastError FROM"
                                    + " `.sys/ttl`");
            assertThat(shown).hasSize(1);
            assertThat(shown.getFirst().toString()).contains("/local/t", "at", "400", "NULL");
            assertThat(
                            bench.number(
                                    "SELECT COUNT(*) FROM `.sys/partition_stats` WHERE Path ="
                                            + " '/local/t' AND LastTtlRunTime IS NOT NULL"))
                    .isEqualTo(1);
            bench.run("ALTER TABLE t RESET (TTL)");
            assertThat(bench.run("SELECT * FROM `.sys/ttl`")).isEmpty();
            assertThat(bench.runs.erased()).isEqualTo(400);
        }
    }
}
