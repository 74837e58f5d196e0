package io.cleave.bench;

import tech.ydb.core.Status;
import tech.ydb.query.QuerySession;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/// A table grows to thirty times the size of a tablet, and shrinks to a twentieth of that, while
/// clients read and write it. Their latencies are compared with those of the same load on a table
/// whose tablets do not change, on the same server after a warm-up.
///
/// Latencies count until the tablets stop changing. Loading and erasing retry failed batches until
/// they succeed, and each failure is counted.
final class SizePartitioning {
    private static final int CELLS = 4;
    private static final int LOADERS = 4;
    private static final int CLIENTS = 8;
    private static final int BODY_BYTES = 4_000;
    private static final int ROWS_A_BATCH = 64;
    static final int SIZES = 30;
    private static final int MIN = 8;
    private static final int KEPT_IN = 20;

    /// The server is warm when two rounds in a row differ by at most this share.
    private static final double SAME = 0.15;

    private static final int MOST_ROUNDS = 8;

    /// A warm-up round loads one part in this many of the rows.
    private static final int ROUNDS = 8;

    /// 20 MB/s. At full speed, all requests would wait for the load, and nothing else could be
    /// observed.
    private static final double LOADED_A_SECOND = 5_000;

    private static final double ERASED_A_SECOND = 10_000;
    private static final Duration THINKING = Duration.ofMillis(5);
    private static final Duration REST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Figures figures;
    private final long rowCount;
    private final int tabletMegabytes;

    SizePartitioning(Figures figures, int megabytes) {
        this.figures = figures;
        rowCount = ((long) megabytes << 20) / BODY_BYTES;
        tabletMegabytes = Math.max(1, megabytes / SIZES);
    }

    void run() throws Exception {
        try (var server =
                        ServerProcess.start(
                                "--cells",
                                "" + CELLS,
                                "--load-window",
                                "2",
                                "--merge-window",
                                "10",
                                "--merge-age",
                                "10");
                var table = new BodyTable(server.endpoint())) {
            var tablets = new Tablets(server.console(), BodyTable.NAME);
            Noticed loading = loading(table);
            print("without splits", loading);
            Noticed erasing =
                    during(
                            table,
                            batches -> {
                                erase(table, tablets, rowCount / ROUNDS, batches);
                                return System.nanoTime();
                            });
            print("without merges", erasing);
            table.create(
                    "AUTO_PARTITIONING_PARTITION_SIZE_MB = %d, AUTO_PARTITIONING_MIN_PARTITIONS_COUNT = %d"
                            .formatted(tabletMegabytes, MIN));
            long from = System.nanoTime();
            Noticed growing =
                    during(
                            table,
                            batches -> {
                                load(table, rowCount, batches);
                                double seconds = (System.nanoTime() - from) / 1e9;
                                figures.print("growing: loaded in", seconds, "s");
                                return settle(tablets);
                            });
            print("growing", growing);
            List<Long> sizes = tablets.sizes();
            double mean = sizes.stream().mapToLong(Long::longValue).average().orElse(0);
            double largest = sizes.stream().mapToLong(Long::longValue).max().orElse(0);
            figures.printWithBarAtLeast(24, "tablets after the load", sizes.size(), "");
            figures.printWithBarAtMost(48, "tablets after the load", sizes.size(), "");
            figures.printWithBarAtMost(1.6, "largest tablet / mean", largest / mean, "");
            Noticed shrinking =
                    during(
                            table,
                            batches -> {
                                erase(table, tablets, rowCount, batches);
                                return settle(tablets);
                            });
            print("shrinking", shrinking);
            figures.printWithBarAtMost(
                    MIN, "tablets after 95 % is erased", tablets.sizes().size(), "");
            compare(loading, growing, "growing");
            compare(erasing, shrinking, "shrinking");
        }
    }

    /// Repeats the load on a table that never splits or merges, until the server is warm.
    private Noticed loading(BodyTable table) throws Exception {
        double before = Double.NaN;
        for (int round = 1; ; round++) {
            table.create("AUTO_PARTITIONING_BY_SIZE = DISABLED, UNIFORM_PARTITIONS = " + SIZES);
            Noticed noticed =
                    during(
                            table,
                            batches -> {
                                load(table, rowCount / ROUNDS, batches);
                                return System.nanoTime();
                            });
            double now = noticed.write(990);
            figures.print("warm-up %d: write p99".formatted(round), now, "ms");
            if (Math.abs(now - before) <= SAME * before || round == MOST_ROUNDS) {
                return noticed;
            }
            before = now;
        }
    }

    /// What the clients observed.
    private record Noticed(
            List<Samples> reads, List<Samples> writes, Map<String, Long> errors, Batches batches) {
        double write(int perMille) {
            return Samples.millisAt(writes, perMille);
        }
    }

    /// The outcomes of the batches that load or erase.
    private static final class Batches {
        private final AtomicLong done = new AtomicLong();
        private final Map<String, Long> failures = new ConcurrentSkipListMap<>();

        double failuresPerThousand() {
            long failed = failures.values().stream().mapToLong(Long::longValue).sum();
            return 1000.0 * failed / done.get();
        }
    }

    private interface Work {
        /// Returns the time until which the clients' latencies count.
        long run(Batches batches) throws Exception;
    }

    /// One request of a client.
    private record Asked(boolean isRead, long fromNanos, long nanos) {}

    /// Runs clients that read and write for as long as `work` takes. Errors count during all of
    /// that time.
    private Noticed during(BodyTable table, Work work) throws Exception {
        var ended = new AtomicBoolean();
        var noticed =
                new Noticed(new ArrayList<>(), new ArrayList<>(), new TreeMap<>(), new Batches());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<List<Asked>> asked = new ArrayList<>();
            List<Future<Map<String, Long>>> running = new ArrayList<>();
            for (int index = 0; index < CLIENTS; index++) {
                List<Asked> of = new ArrayList<>();
                asked.add(of);
                running.add(threads.submit(() -> use(table, ended, of)));
            }
            long to;
            try {
                to = work.run(noticed.batches);
            } finally {
                ended.set(true);
            }
            for (Future<Map<String, Long>> each : running) {
                each.get().forEach((what, count) -> noticed.errors.merge(what, count, Long::sum));
            }
            for (List<Asked> of : asked) {
                noticed.reads.add(until(to, of, true));
                noticed.writes.add(until(to, of, false));
            }
        }
        return noticed;
    }

    private static Samples until(long to, List<Asked> asked, boolean isRead) {
        var samples = new Samples();
        for (Asked each : asked) {
            if (each.isRead == isRead && each.fromNanos - to < 0) {
                samples.add(each.nanos);
            }
        }
        return samples;
    }

    private static Map<String, Long> use(BodyTable table, AtomicBoolean ended, List<Asked> asked)
            throws InterruptedException {
        Map<String, Long> errors = new TreeMap<>();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (QuerySession session = table.open()) {
            while (!ended.get()) {
                Thread.sleep(THINKING);
                boolean isRead = random.nextBoolean();
                // Few rows, all of which are kept: erased rows are not written again.
                long id = mixed(random.nextLong(1000) * KEPT_IN);
                long from = System.nanoTime();
                Status status =
                        isRead
                                ? BodyTable.read(session, id)
                                : BodyTable.write(session, random, 100, id);
                asked.add(new Asked(isRead, from, System.nanoTime() - from));
                if (!status.isSuccess()) {
                    errors.merge(status.toString(), 1L, Long::sum);
                }
            }
        }
        return errors;
    }

    private static void load(BodyTable table, long rows, Batches batches)
            throws InterruptedException, ExecutionException {
        inBatches(
                table,
                rows,
                LOADED_A_SECOND,
                (session, ids) ->
                        BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, ids),
                SizePartitioning::mixed,
                batches);
    }

    /// Erases all but every twentieth row.
    private static void erase(BodyTable table, Tablets tablets, long rows, Batches batches)
            throws Exception {
        long perGroup = KEPT_IN - 1;
        inBatches(
                table,
                rows / KEPT_IN * perGroup,
                ERASED_A_SECOND,
                BodyTable::erase,
                index -> mixed(index / perGroup * KEPT_IN + 1 + index % perGroup),
                batches);
        tablets.compact();
    }

    private interface Batch {
        Status run(QuerySession session, long... ids);
    }

    private static void inBatches(
            BodyTable table,
            long rows,
            double perSecond,
            Batch batch,
            LongFunction<Long> ids,
            Batches batches)
            throws InterruptedException, ExecutionException {
        var next = new AtomicLong();
        long began = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int index = 0; index < LOADERS; index++) {
                running.add(
                        threads.submit(
                                () -> {
                                    run(table, rows, began, perSecond, batch, ids, next, batches);
                                    return null;
                                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private static void run(
            BodyTable table,
            long rows,
            long began,
            double perSecond,
            Batch batch,
            LongFunction<Long> ids,
            AtomicLong next,
            Batches batches)
            throws InterruptedException {
        try (QuerySession session = table.open()) {
            long from = next.getAndAdd(ROWS_A_BATCH);
            while (from < rows) {
                long due = began + (long) (from / perSecond * 1e9) - System.nanoTime();
                Thread.sleep(Duration.ofNanos(Math.max(0, due)));
                long[] chosen = new long[(int) Math.min(ROWS_A_BATCH, rows - from)];
                for (int index = 0; index < chosen.length; index++) {
                    chosen[index] = ids.apply(from + index);
                }
                Status status = batch.run(session, chosen);
                // The server throttles the load: try again until there is room.
                while (!status.isSuccess()) {
                    batches.failures.merge(status.toString(), 1L, Long::sum);
                    status = batch.run(session, chosen);
                }
                batches.done.incrementAndGet();
                from = next.getAndAdd(ROWS_A_BATCH);
            }
        }
    }

    /// Spreads numbers over all keys. Different numbers have different keys.
    private static long mixed(long number) {
        long spread = number * 0x9E37_79B9_7F4A_7C15L;
        return spread ^ spread >>> 32;
    }

    /// Waits until the tablets have not changed for a while. Returns the time of the last change.
    private static long settle(Tablets tablets) throws Exception {
        long until = System.nanoTime() + LONGEST.toNanos();
        long changed = System.nanoTime();
        List<Tablets.Tablet> before = tablets.list();
        while (System.nanoTime() < until && System.nanoTime() - changed < 2 * REST.toNanos()) {
            Thread.sleep(Duration.ofSeconds(1));
            List<Tablets.Tablet> now = tablets.list();
            if (!now.equals(before)) {
                changed = System.nanoTime();
                before = now;
            }
        }
        return changed;
    }

    private void print(String when, Noticed noticed) {
        figures.print(when + ": read p99", Samples.millisAt(noticed.reads, 990), "ms");
        figures.print(when + ": write p50", noticed.write(500), "ms");
        figures.print(when + ": write p99", noticed.write(990), "ms");
        figures.print(when + ": write p99.9", noticed.write(999), "ms");
        noticed.errors.forEach(
                (what, count) -> System.out.println(when + ": " + what + ": " + count));
        noticed.batches.failures.forEach(
                (what, count) -> System.out.println(when + ": batch: " + what + ": " + count));
    }

    private void compare(Noticed quiet, Noticed busy, String when) {
        long failed = busy.errors.values().stream().mapToLong(Long::longValue).sum();
        figures.printWithBarAtMost(0, when + ": reads and writes that failed", (double) failed, "");
        figures.printWithBarAtMost(
                quiet.batches.failuresPerThousand(),
                when + ": of 1,000 batches had to come again",
                busy.batches.failuresPerThousand(),
                "");
        figures.printWithBarAtMost(
                20, when + ": write p99 beyond", busy.write(990) - quiet.write(990), "ms");
        figures.printWithBarAtMost(
                40, when + ": write p99.9 beyond", busy.write(999) - quiet.write(999), "ms");
    }
}
