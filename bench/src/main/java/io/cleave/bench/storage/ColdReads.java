package io.cleave.bench.storage;

import io.cleave.base.Bytes;
import io.cleave.bench.storage.Results.Measured;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.Row;
import io.cleave.tablet.BulkLoad;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.CommitResult;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;

/// Reads of single rows from files that are not in the page cache: what a get reads from the disk.
/// The rows have 1 KB and do not compress. The figure is the minimum of all rounds, because other
/// readers of the disk can only add to it.
final class ColdReads {
    private static final int COLUMN = 1;
    private static final int VALUE_BYTES = 1000;
    private static final int ROUNDS = 3;
    private static final int GETS_A_ROUND = 1_000;

    /// Small compared with the table.
    private static final long CACHE_BYTES = 16L << 20;

    /// Garbage collections that release the mappings of a closed store.
    private static final int COLLECTIONS = 3;

    private static final long COLLECTION_MILLIS = 100;

    private final Path dir;
    private final int rowCount;
    private double leastKib = Double.MAX_VALUE;
    private double leastRequests = Double.MAX_VALUE;
    private double leastMicros = Double.MAX_VALUE;

    ColdReads(Path dir, long tableBytes) {
        this.dir = dir;
        rowCount = Math.toIntExact(tableBytes / (Rows.KEY_BYTES + VALUE_BYTES));
    }

    void measure(BiConsumer<Work, Measured> results) throws Exception {
        load();
        for (int round = 0; round < ROUNDS; round++) {
            Optional<String> problem = dropCache();
            if (problem.isPresent()) {
                System.out.println("cold reads are not measured: " + problem.get());
                return;
            }
            try (var opened = new CleaveEngine.Opened(dir, CACHE_BYTES)) {
                read(opened, new Random(round).ints(GETS_A_ROUND, 0, rowCount).toArray());
            }
        }
        if (leastKib < 1) {
            System.out.println("cold reads are not measured: the page cache cannot be emptied");
            return;
        }
        results.accept(Work.COLD_BYTES, new Measured(leastKib, leastMicros, ""));
        if (leastRequests < Double.MAX_VALUE) {
            results.accept(Work.COLD_REQUESTS, new Measured(leastRequests));
        }
    }

    private Optional<String> dropCache() throws IOException, InterruptedException {
        for (int count = 0; count < COLLECTIONS; count++) {
            System.gc();
            Thread.sleep(COLLECTION_MILLIS);
        }
        return DiskReads.dropCache(dir);
    }

    private void load() throws InterruptedException {
        try (var opened = new CleaveEngine.Opened(dir, CACHE_BYTES);
                BulkLoad load = opened.cell.bulkLoad(CleaveEngine.TABLET_ID)) {
            for (int row = 0; row < rowCount; row++) {
                load.add(Bytes.wrap(Rows.key(row)), new int[] {COLUMN}, new byte[][] {value(row)});
            }
            CommitResult result = load.finish();
            if (!(result instanceof CommitResult.Done)) {
                throw new IllegalStateException("a bulk load ended with " + result);
            }
            opened.awaitQuiet();
        }
    }

    private static byte[] value(int row) {
        byte[] value = new byte[VALUE_BYTES];
        new Random(row).nextBytes(value);
        return value;
    }

    private void read(CleaveEngine.Opened opened, int[] rows) throws IOException {
        Tablet tablet = opened.tablet();
        long snapshot = opened.cell.timeline().take();
        DiskReads before = DiskReads.now(dir);
        long began = System.nanoTime();
        for (int row : rows) {
            check(row, tablet.get(Bytes.wrap(Rows.key(row)), Projection.ALL, snapshot, null));
        }
        double micros = (System.nanoTime() - began) / 1e3 / rows.length;
        DiskReads spent = DiskReads.now(dir).since(before);
        opened.cell.timeline().release(snapshot);
        leastKib = Math.min(leastKib, spent.bytes() / 1024.0 / rows.length);
        leastMicros = Math.min(leastMicros, micros);
        if (spent.requests() >= 0) {
            leastRequests = Math.min(leastRequests, (double) spent.requests() / rows.length);
        }
    }

    private static void check(int number, @Nullable Row row) {
        int cell = row == null ? -1 : row.fieldIndex(COLUMN);
        byte[] expected = value(number);
        if (row == null
                || !Arrays.equals(
                        row.data(cell), row.from(cell), row.to(cell), expected, 0, VALUE_BYTES)) {
            throw new IllegalStateException("row " + number + " is not as it was written");
        }
    }
}
