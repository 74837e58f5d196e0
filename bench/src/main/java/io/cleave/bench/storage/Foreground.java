package io.cleave.bench.storage;

import io.cleave.base.Bytes;
import io.cleave.bench.TableText;
import io.cleave.bench.storage.Results.Measured;
import io.cleave.lsm.row.Projection;
import io.cleave.tablet.BulkLoad;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

/// The latency of point reads and durable commits while another table of the same cell is
/// constantly loaded, flushed and compacted, compared with their latency on an idle cell.
///
/// One thread reads or commits, and another one loads. Ten times a second, it commits some rows
/// from all over the table, which file loads then push out of the memtable, and loads more rows as
/// sorted files, which go to level 0. So the background threads of the cell always have work, while
/// the load hardly uses the log that both tables share. [BareDisk] measures what the disk alone
/// does to a commit.
final class Foreground {
    private static final int ROUNDS = 3;
    private static final long PHASE_NANOS = 1_500_000_000;
    private static final int MOST_ROWS = 500_000;
    private static final int MOST_SAMPLES = 4_000_000;
    private static final long CACHE_BYTES = 256L << 20;

    private static final long LOAD_EVERY_MILLIS = 100;
    private static final int LOADED_ROWS = 10_000;
    private static final int COMMITTED_ROWS = 100;

    private final CleaveEngine.Opened opened;
    private final Tablet tablet;
    private final BareDisk disk;
    private final int rowCount;
    private final Random random = new Random(42);
    private final long[] samples = new long[MOST_SAMPLES];

    private volatile boolean loading;

    /// Bytes written to the files of all tables while the load ran.
    private long besideBytes;

    private long besideNanos;

    private Foreground(CleaveEngine.Opened opened, BareDisk disk, int rowCount) {
        this.opened = opened;
        this.disk = disk;
        this.rowCount = rowCount;
        tablet = opened.tablet();
    }

    /// Times are in microseconds.
    private record Latency(double p50, double p99) {
        /// Each figure is the median of all rounds.
        static Latency median(List<Latency> rounds) {
            return new Latency(
                    middle(rounds.stream().mapToDouble(Latency::p50).toArray()),
                    middle(rounds.stream().mapToDouble(Latency::p99).toArray()));
        }

        private static double middle(double[] values) {
            Arrays.sort(values);
            return values[values.length / 2];
        }
    }

    static void measure(Path dir, int rowCount, BiConsumer<Work, Measured> results)
            throws Exception {
        try (var opened = new CleaveEngine.Opened(dir, CACHE_BYTES);
                var disk = new BareDisk(dir.resolve("bare"))) {
            opened.createTablet(CleaveEngine.OTHER_TABLET_ID);
            new Foreground(opened, disk, Math.min(rowCount, MOST_ROWS)).measure(results);
        }
    }

    private void measure(BiConsumer<Work, Measured> results) throws Exception {
        load(CleaveEngine.TABLET_ID, 0, 1);
        load(CleaveEngine.OTHER_TABLET_ID, 0, 1);
        List<Latency> readsAlone = new ArrayList<>();
        List<Latency> readsBeside = new ArrayList<>();
        List<Latency> commitsAlone = new ArrayList<>();
        List<Latency> commitsBeside = new ArrayList<>();
        List<Latency> syncsAlone = new ArrayList<>();
        List<Latency> syncsBeside = new ArrayList<>();
        // The first round is for the compiler.
        for (int round = 0; round <= ROUNDS; round++) {
            opened.awaitQuiet();
            readsAlone.add(sample(this::read));
            commitsAlone.add(sample(this::commit));
            long began = System.nanoTime();
            long written = opened.blobs.writtenBytes();
            var loader = new FutureTask<>(this::keepLoading);
            loading = true;
            Thread.ofPlatform().name("loader").start(loader);
            try {
                readsBeside.add(sample(this::read));
                commitsBeside.add(sample(this::commit));
            } finally {
                loading = false;
            }
            var _ = loader.get();
            besideBytes += opened.blobs.writtenBytes() - written;
            besideNanos += System.nanoTime() - began;
            opened.awaitQuiet();
            syncsAlone.add(sample(_ -> disk.append()));
            disk.beside(
                    besideBytes * 1e9 / besideNanos,
                    () -> syncsBeside.add(sample(_ -> disk.append())));
        }
        results.accept(Work.READ_BESIDE, compared(readsAlone, readsBeside));
        results.accept(Work.COMMIT_BESIDE, compared(commitsAlone, commitsBeside));
        results.accept(Work.SYNC_BESIDE, compared(syncsAlone, syncsBeside));
    }

    private Measured compared(List<Latency> alone, List<Latency> beside) {
        Latency before = Latency.median(alone.subList(1, alone.size()));
        Latency during = Latency.median(beside.subList(1, beside.size()));
        String note =
                "p99 %s to %s us, p50 %s to %s us; %s MB/s written"
                        .formatted(
                                TableText.number(before.p99()),
                                TableText.number(during.p99()),
                                TableText.number(before.p50()),
                                TableText.number(during.p50()),
                                TableText.number(besideBytes * 1e3 / besideNanos));
        return new Measured(during.p99() / before.p99(), during.p50() / before.p50(), note);
    }

    private Latency sample(IntConsumer operation) {
        int count = 0;
        long began = System.nanoTime();
        long now = began;
        while (now - began < PHASE_NANOS && count < MOST_SAMPLES) {
            operation.accept(random.nextInt(rowCount));
            long after = System.nanoTime();
            samples[count++] = after - now;
            now = after;
        }
        Arrays.sort(samples, 0, count);
        return new Latency(samples[count / 2] / 1e3, samples[(int) (count * 0.99)] / 1e3);
    }

    private void read(int row) {
        long snapshot = opened.cell.timeline().take();
        try {
            if (tablet.get(Bytes.wrap(Rows.key(row)), Projection.ALL, snapshot, null) == null) {
                throw new IllegalStateException("row " + row + " is not there");
            }
        } finally {
            opened.cell.timeline().release(snapshot);
        }
    }

    private void commit(int row) {
        var change = CleaveEngine.change(Rows.key(row), Rows.value(row));
        if (!CleaveEngine.commit(opened.cell, CleaveEngine.TABLET_ID, List.of(change))) {
            throw new IllegalStateException("overloaded by single commits");
        }
    }

    private Void keepLoading() throws InterruptedException {
        int step = Math.max(1, rowCount / LOADED_ROWS);
        int committedStep = Math.max(1, rowCount / COMMITTED_ROWS);
        for (int first = 0; loading; first = (first + 1) % step) {
            long began = System.nanoTime();
            List<KeyedChange> changes = new ArrayList<>();
            for (int row = first; row < rowCount; row += committedStep) {
                changes.add(CleaveEngine.change(Rows.key(row), Rows.value(row)));
            }
            // The loaded table may be throttled; that is not measured here.
            if (CleaveEngine.commit(opened.cell, CleaveEngine.OTHER_TABLET_ID, changes)) {
                load(CleaveEngine.OTHER_TABLET_ID, first, step);
            }
            long tookMillis = (System.nanoTime() - began) / 1_000_000;
            Thread.sleep(Math.max(1, LOAD_EVERY_MILLIS - tookMillis));
        }
        return null;
    }

    /// Loads every `step`-th row as sorted files.
    private void load(long tabletId, int first, int step) {
        try (BulkLoad load = opened.cell.bulkLoad(tabletId)) {
            for (int row = first; row < rowCount; row += step) {
                CleaveEngine.add(load, row);
            }
            CommitResult result = load.finish();
            if (!(result instanceof CommitResult.Done)) {
                throw new IllegalStateException("a bulk load ended with " + result);
            }
        }
    }
}
