package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.lsm.table.LsmOptions;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.function.BiConsumer;

/// How often a row is written and how many runs a read meets, whatever is written.
///
/// Sizes are in rows: tables of 100, a base of 400 and levels that grow by ten, so that 20,000 rows
/// make three levels.
class CompactionModelTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int BASE_ROWS = 400;
    private static final LsmOptions OPTIONS = new LsmOptions(16 << 10, 16, 100, 4, BASE_ROWS, 10);

    /// One for the flush, two to the base, and for each of two levels below it ten and the edges.
    private static final double MOST_WRITES = 1 + 2 + 2 * (10 + 2);

    /// Fewer than four on level 0 and one for each level.
    private static final int MOST_RUNS = 3 + 3;

    private final Random random = new Random(SEED);

    @Test
    void rowsInRandomOrder() {
        CompactionModel model = load(100, (to, _) -> to.put(random.nextInt(1 << 30)));
        assertThat(model.writeAmplification()).as("-Dseed=%d", SEED).isLessThan(12);
    }

    @Test
    void rowsInRandomOrderFlushedInSmallPieces() {
        CompactionModel model = load(5, (to, _) -> to.put(random.nextInt(1 << 30)));
        assertThat(model.writeAmplification()).as("-Dseed=%d", SEED).isLessThan(MOST_WRITES);
    }

    @Test
    void rowsInAscendingOrderAreWrittenOnce() {
        CompactionModel model = load(100, CompactionModel::put);
        assertThat(model.writeAmplification()).isEqualTo(1);
    }

    @Test
    void smallPiecesInAscendingOrderBecomeLargerTables() {
        CompactionModel model = load(5, CompactionModel::put);
        assertThat(model.writeAmplification()).isLessThan(4);
        assertThat(model.slices()).hasSizeLessThan(20_000 / (100 / 4));
    }

    @Test
    void fewRowsWrittenOverAndOver() {
        CompactionModel model = load(50, (to, _) -> to.put(random.nextInt(100)));
        assertThat(model.writeAmplification()).as("-Dseed=%d", SEED).isLessThan(4);
        assertThat(model.rowsOnDisk()).as("-Dseed=%d", SEED).isLessThan(4 * 100);
    }

    @Test
    void rowsThatComeAndGo() {
        CompactionModel model =
                load(
                        100,
                        (to, _) -> {
                            int key = random.nextInt(5_000);
                            if (random.nextBoolean()) {
                                to.put(key);
                            } else {
                                to.erase(key);
                            }
                        });
        assertThat(model.writeAmplification()).as("-Dseed=%d", SEED).isLessThan(8);
        assertThat(model.rowsOnDisk()).as("-Dseed=%d", SEED).isLessThan(5_000);
    }

    /// New rows at one end, erased ones at the other: what is erased does not pile up.
    @Test
    void aQueue() {
        CompactionModel model =
                load(
                        100,
                        (to, index) -> {
                            to.put(index);
                            to.erase(Math.max(0, index - 200));
                        });
        assertThat(model.writeAmplification()).isLessThan(4);
        assertThat(model.rowsOnDisk()).isLessThan(4 * 2 * 100 + BASE_ROWS);
    }

    /// Five million rows of 116 bytes, which LZ4 makes 377 MB of, in thousandths: RocksDB writes
    /// 2.4 bytes for each byte, its log included.
    @Test
    void aLoadInRandomOrderIsWrittenNoMoreOftenThanByRocksDb() {
        var options = new LsmOptions(16 << 10, 16, 640, 4, 2560, 10);
        var model = new CompactionModel(options, 620);
        for (int row = 0; row < 3770; row++) {
            model.put(random.nextInt(1 << 30));
        }
        double log = 1.05;
        double compression = 0.65;
        assertThat(log + compression * model.writeAmplification()).isLessThan(2.3);
        model.check();
    }

    @Test
    void aFullCompactionLeavesOneLevelAndNothingToDo() {
        CompactionModel model = load(100, (to, _) -> to.put(random.nextInt(1 << 20)));
        model.compactFully();
        assertThat(model.runs()).as("-Dseed=%d", SEED).isEqualTo(1);
        assertThat(model.slices()).allMatch(slice -> slice.level() == LsmOptions.LAST_LEVEL);
        long written = model.rowsWritten;
        model.compactFully();
        model.compactAll();
        assertThat(model.rowsWritten).as("-Dseed=%d", SEED).isEqualTo(written);
        model.check();
    }

    private static CompactionModel load(int memtableRows, BiConsumer<CompactionModel, Long> write) {
        var model = new CompactionModel(OPTIONS, memtableRows);
        for (long index = 0; index < 20_000; index++) {
            write.accept(model, index);
        }
        assertThat(model.mostRuns).as("-Dseed=%d", SEED).isLessThanOrEqualTo(MOST_RUNS);
        model.check();
        return model;
    }
}
