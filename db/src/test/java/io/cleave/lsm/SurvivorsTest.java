package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowTest;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// What is said to be left of a tree, beside what is.
class SurvivorsTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final LsmOptions OPTIONS =
            new LsmOptions(1 << 10, 16, 64 << 10, 100, 1 << 20, 10);
    private static final int ROUNDS = 30;

    private final Random random = new Random(SEED);
    private final LsmTree tree = new LsmTree(new TableFiles(new MemoryBlobs(), 0), OPTIONS);
    private final Map<Integer, Integer> bytes = new HashMap<>();
    private long now;

    /// Rows are written over and erased in memory, and in files of any age.
    @Test
    void theEstimateIsCloseHoweverRowsWereWrittenAndErased() {
        for (int round = 0; round < ROUNDS; round++) {
            int keys = 200 + random.nextInt(4000);
            int from = random.nextInt(4000);
            double erased = random.nextDouble();
            for (int count = 0; count < keys; count++) {
                int key = from + random.nextInt(keys);
                if (random.nextDouble() < erased) {
                    erase(key);
                } else {
                    write(key, 100 + random.nextInt(100));
                }
            }
            if (random.nextInt(3) > 0) {
                flush();
            }
            if (random.nextInt(4) == 0) {
                tree.maintenance().pickCompaction(now).ifPresent(this::run);
            }
            TreeStatistics told = tree.statistics();
            double rows = bytes.size();
            double all = bytes.values().stream().mapToInt(Integer::intValue).sum();
            // Of 128 keys a share is known to 9 %, nearly always; there are several layers.
            double slack = 0.3 * tree.estimator().between(Bytes.EMPTY, null).rows();
            assertThat((double) told.rows())
                    .as("-Dseed=%d, round %d", SEED, round)
                    .isBetween(rows - slack, rows + slack);
            assertThat(told.leftBytes())
                    .as("-Dseed=%d, round %d", SEED, round)
                    .isBetween(0L, told.storedBytes());
            assertThat((double) told.leftBytes())
                    .as("-Dseed=%d, round %d", SEED, round)
                    .isLessThan(2 * all + 300 * slack);
        }
    }

    @Test
    void anEmptiedTreeHasNothingLeftAndIsCompactedToNothing() {
        for (int key = 0; key < 3000; key++) {
            write(key, 500);
        }
        flush();
        for (int key = 0; key < 3000; key++) {
            write(key, 500);
        }
        for (int key = 0; key < 3000; key++) {
            erase(key);
        }
        assertThat(tree.statistics().rows()).isZero();
        assertThat(tree.statistics().leftBytes()).isZero();
        flush();
        assertThat(tree.statistics().rows()).isZero();
        // While a snapshot sees the rows, nothing can go.
        assertThat(tree.maintenance().pickCompaction(3000)).isEmpty();
        run(tree.maintenance().pickCompaction(now).orElseThrow());
        assertThat(tree.slices()).isEmpty();
        assertThat(tree.statistics().storedBytes()).isZero();
    }

    /// A column of a few bytes is set in every row: the others are not good for nothing.
    @Test
    void aSmallChangeHidesNoMoreThanItself() {
        for (int key = 0; key < 3000; key++) {
            write(key, 2000);
        }
        flush();
        long before = tree.statistics().leftBytes();
        for (int key = 0; key < 3000; key++) {
            write(key, 1);
        }
        flush();
        assertThat(tree.statistics().rows()).isEqualTo(3000);
        assertThat(tree.statistics().leftBytes()).isBetween(before * 9 / 10, before * 11 / 10);
        assertThat(tree.maintenance().pickCompaction(now)).isEmpty();
    }

    @Test
    void partsKnowWhatIsLeftOfTheirs() {
        for (int key = 0; key < 4000; key++) {
            write(key, 100);
        }
        flush();
        for (int key = 0; key < 2000; key++) {
            erase(key);
        }
        LsmTree left = tree.part(Bytes.EMPTY, key(2000));
        LsmTree right = tree.part(key(2000), null);
        assertThat(left.statistics().rows()).isLessThan(100);
        long rightRows = right.slices().stream().mapToLong(Slice::rows).sum();
        assertThat(right.statistics().rows()).isEqualTo(rightRows);
    }

    private void run(Compaction compaction) {
        tree.compacted(compaction.inputs(), tree.maintenance().runCompaction(compaction, now));
    }

    private void flush() {
        long generation = tree.freeze();
        tree.flushed(generation, tree.maintenance().writeTables(generation, now));
    }

    private void write(int key, int valueBytes) {
        var text = new StringBuilder();
        random.ints(valueBytes, 'a', 'z').forEach(letter -> text.append((char) letter));
        tree.write(key(key), ++now, RowTest.change(RowChange.Kind.UPSERT, "1=" + text));
        bytes.put(key, valueBytes);
    }

    private void erase(int key) {
        tree.write(key(key), ++now, RowChange.ERASE);
        bytes.remove(key);
    }

    private static Bytes key(int number) {
        return Bytes.utf8("key %06d".formatted(number));
    }
}
