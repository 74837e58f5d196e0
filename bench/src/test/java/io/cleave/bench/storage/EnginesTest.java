package io.cleave.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/// The adapters do what [Engine] says: the benchmark itself compares them only with each other.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnginesTest {
    private static final int ROWS = 5_000;
    private static final long CACHE_BYTES = 16L << 20;

    private Path dir;

    private final List<Engine> engines =
            List.of(new CleaveEngine(CACHE_BYTES), new RocksEngine(CACHE_BYTES), new LmdbEngine());

    @BeforeAll
    void load(@TempDir Path temporary) throws Exception {
        dir = temporary;
        for (Engine engine : engines) {
            engine.load(dir.resolve(engine.name()), Rows.shuffled(ROWS));
        }
    }

    @Test
    void pointReadsSeeEveryRowAndNoOther() throws Exception {
        int[] rows = Rows.shuffled(ROWS);
        long expected = 0;
        for (int row : rows) {
            expected += Rows.sum(Rows.value(row), 0, Rows.VALUE_BYTES);
        }
        for (Engine engine : engines) {
            try (Engine.Store store = engine.open(dir.resolve(engine.name()))) {
                assertThat(store.pointReads(rows)).as(engine.name()).isEqualTo(expected);
                assertThat(store.misses(rows)).as(engine.name()).isZero();
            }
        }
    }

    @Test
    void scansSeeKeysAndValues() throws Exception {
        for (Engine engine : engines) {
            try (Engine.Store store = engine.open(dir.resolve(engine.name()))) {
                assertThat(store.fullScan()).as(engine.name()).isEqualTo(sum(0, ROWS));
                assertThat(store.rangeReads(new int[] {10, 4_000}, 100))
                        .as(engine.name())
                        .isEqualTo(sum(10, 110) + sum(4_000, 4_100));
                store.compact();
                assertThat(store.fullScan()).as(engine.name()).isEqualTo(sum(0, ROWS));
            }
        }
    }

    @Test
    void aBulkLoadIsTheSameRows() throws Exception {
        for (Engine engine : engines) {
            if (!engine.can(Work.BULK)) {
                continue;
            }
            Path bulk = dir.resolve(engine.name() + "-bulk");
            engine.bulkLoad(bulk, ROWS);
            try (Engine.Store store = engine.open(bulk)) {
                assertThat(store.fullScan()).as(engine.name()).isEqualTo(sum(0, ROWS));
            }
        }
    }

    @Test
    void commitsAreSynced() throws Exception {
        for (Engine engine : engines) {
            if (!engine.can(Work.COMMITS_1)) {
                continue;
            }
            try (var committer = engine.openCommitter(dir.resolve(engine.name() + "-commits"))) {
                long before = committer.syncs();
                for (int row = 0; row < 5; row++) {
                    committer.commit(Rows.key(row), Rows.value(row));
                }
                assertThat(committer.syncs() - before).as(engine.name()).isEqualTo(5);
            }
        }
    }

    private static long sum(int from, int to) {
        long sum = 0;
        for (int row = from; row < to; row++) {
            sum += Rows.sum(Rows.key(row), 0, Rows.KEY_BYTES);
            sum += Rows.sum(Rows.value(row), 0, Rows.VALUE_BYTES);
        }
        return sum;
    }
}
