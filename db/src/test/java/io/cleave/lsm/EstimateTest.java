package io.cleave.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.blob.MemoryBlobs;
import io.cleave.lsm.memtable.MemtableHistogram;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.TableFiles;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Random;

/// Estimates against exact figures. A memtable answers from a sample of at least
/// [MemtableHistogram#SAMPLED_ROWS] rows, four standard errors of which are 7 % of it; a table from
/// buckets of 64 KiB.
class EstimateTest {
    private static final double SAMPLE_ERROR = 0.07;
    private static final double BUCKET_BYTES = 64 << 10;
    private static final int ROWS = 20_000;
    private static final int FIELD_BYTES = 100;

    private final TableFiles files = new TableFiles(new MemoryBlobs(), 1 << 20);
    private final LsmOptions options = new LsmOptions(4 << 10, 16, 1 << 20, 4, 256L << 20, 10);
    private final LsmTree tree = new LsmTree(files, options);
    private final Random random = new Random(Long.getLong("seed", 17L));

    @Test
    void aTreeOfOneRowHasNoMedian() {
        assertThat(tree.estimator().keyAt(0.5)).isEmpty();
        assertThat(tree.estimator().between(Bytes.EMPTY, null)).isEqualTo(new Estimate(0, 0));
        write(1, FIELD_BYTES);
        assertThat(tree.estimator().keyAt(0.5)).isEmpty();
        assertThat(tree.estimator().between(Bytes.EMPTY, null).rows()).isEqualTo(1);
    }

    @Test
    void aSmallMemtableIsCountedExactly() {
        for (int row = 0; row < 999; row++) {
            write(row * 7, FIELD_BYTES);
        }
        assertThat(tree.estimator().between(key(70), key(140)).rows()).isEqualTo(10);
        assertThat(tree.estimator().keyAt(0.5))
                .hasValueSatisfying(key -> assertThat(number(key)).isBetween(3400L, 3600L));
    }

    @Test
    void rangesOfALargeMemtableAreSampled() {
        fillUneven();
        checkRanges(SAMPLE_ERROR, 60);
        checkFractions(SAMPLE_ERROR, 60);
    }

    @Test
    void rangesOfTablesAreFoundToABucket() {
        fillUneven();
        flush();
        double bucketRows = BUCKET_BYTES / (FIELD_BYTES + 12);
        checkRanges(2 * bucketRows / ROWS, 12);
        checkFractions(0.02, 12);
    }

    @Test
    void memtablesAndTablesAreTakenTogether() {
        for (int row = 0; row < ROWS / 2; row++) {
            write(row, FIELD_BYTES);
        }
        flush();
        for (int row = ROWS / 2; row < ROWS; row++) {
            write(row, FIELD_BYTES);
        }
        Estimate third = tree.estimator().between(key(ROWS / 3), key(2 * ROWS / 3));
        assertThat(third.rows() / (double) ROWS)
                .isBetween(0.33 - SAMPLE_ERROR, 0.33 + SAMPLE_ERROR);
        Estimate all = tree.estimator().between(Bytes.EMPTY, null);
        assertThat(all.rows()).isEqualTo(ROWS);
        // But for the footers.
        double bytes = tree.statistics().storedBytes();
        assertThat(all.bytes() / bytes).isBetween(0.99, 1.0);
        Bytes median = tree.estimator().keyAt(0.5).orElseThrow();
        long before = tree.estimator().between(Bytes.EMPTY, median).bytes();
        assertThat(before / (double) all.bytes()).isBetween(0.49, 0.51);
    }

    /// Tables that do not overlap, and one that lies over all of them.
    @Test
    void aFractionIsFoundAmongManyTables() {
        for (int table = 0; table < 20; table++) {
            for (int row = 0; row < 1000; row++) {
                write(table * 1000 + row, FIELD_BYTES);
            }
            flush();
        }
        for (int row = 0; row < ROWS; row += 20) {
            write(row, FIELD_BYTES);
        }
        flush();
        // A bucket of each of the two histograms that a key falls into.
        checkFractions(2 * BUCKET_BYTES / (ROWS * (FIELD_BYTES + 12)), 12);
    }

    @Test
    void anEstimateReadsNothing() {
        fillUneven();
        flush();
        long bytes = files.bytesRead();
        tree.estimator().keyAt(0.5);
        tree.estimator().between(key(5), key(5000));
        assertThat(files.bytesRead()).isEqualTo(bytes);
    }

    /// The upper half of the keys has ten times the bytes, and the lower half of those is sparse.
    private void fillUneven() {
        for (int row = 0; row < ROWS; row++) {
            int number = row < ROWS / 2 ? row * 50 : ROWS / 2 * 50 + row;
            write(number, row < ROWS / 2 ? FIELD_BYTES : 10 * FIELD_BYTES);
        }
    }

    /// `beside` are the bytes a row takes beside its field.
    private void checkRanges(double error, int beside) {
        long last = number(lastKey()) + 10;
        double total = tree.estimator().between(Bytes.EMPTY, null).bytes();
        double fields = exact(Bytes.EMPTY, null, beside)[1];
        for (int round = 0; round < 30; round++) {
            Bytes from = key(random.nextLong(last));
            Bytes to = round % 5 == 0 ? null : key(random.nextLong(last));
            long[] exact = exact(from, to, beside);
            Estimate estimate = tree.estimator().between(from, to);
            assertThat((double) estimate.rows())
                    .isBetween(exact[0] - error * ROWS, exact[0] + error * ROWS);
            assertThat(estimate.bytes() / total)
                    .isBetween(exact[1] / fields - error, exact[1] / fields + error);
        }
    }

    private void checkFractions(double error, int beside) {
        double fields = exact(Bytes.EMPTY, null, beside)[1];
        for (int tenths = 1; tenths < 10; tenths++) {
            double fraction = tenths / 10.;
            Bytes key = tree.estimator().keyAt(fraction).orElseThrow();
            double before = exact(Bytes.EMPTY, key, beside)[1] / fields;
            assertThat(before).isBetween(fraction - error, fraction + error);
        }
    }

    /// Rows and bytes.
    private long[] exact(Bytes from, @Nullable Bytes to, int beside) {
        RowCursor cursor =
                tree.scan(
                        from,
                        to,
                        Projection.ALL,
                        Long.MAX_VALUE,
                        Direction.FORWARD,
                        ReadWatch.NONE);
        long[] sums = new long[2];
        while (cursor.next()) {
            Row row = cursor.row();
            int field = row.fieldIndex(1);
            sums[0]++;
            sums[1] += row.to(field) - row.from(field) + beside;
        }
        return sums;
    }

    private Bytes lastKey() {
        RowCursor cursor =
                tree.scan(
                        Bytes.EMPTY,
                        null,
                        Projection.ALL,
                        Long.MAX_VALUE,
                        Direction.BACKWARD,
                        ReadWatch.NONE);
        assertThat(cursor.next()).isTrue();
        return cursor.row().key();
    }

    private void write(long number, int fieldBytes) {
        byte[] field = new byte[fieldBytes];
        random.nextBytes(field);
        tree.write(
                key(number),
                1,
                RowChange.encode(RowChange.Kind.REPLACE, new int[] {1}, new byte[][] {field}));
    }

    private void flush() {
        long generation = tree.freeze();
        tree.flushed(generation, tree.maintenance().writeTables(generation, 0));
    }

    private static Bytes key(long number) {
        return Bytes.utf8("key %09d".formatted(number));
    }

    /// Of a key or of the beginning of one.
    private static long number(Bytes key) {
        String digits = key.utf8().substring(4).replace("\0", "");
        return Long.parseLong((digits + "000000000").substring(0, 9));
    }
}
