package io.cleave.bench;

import tech.ydb.query.QuerySession;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/// Loads that come to one tablet: how soon they are spread, and whether it is said why.
final class LoadPartitioning {
    private static final int CLIENTS = 32;
    private static final int CELLS = 2;
    private static final int ROW_COUNT = 100_000;
    private static final int ROWS_A_BATCH = 1_000;
    private static final int BODY_BYTES = 100;
    private static final double ZIPF = 0.99;
    private static final double MOST = 1.3;
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final String BY_LOAD = "AUTO_PARTITIONING_BY_LOAD = ENABLED";

    private final Figures figures;
    private final double splitCpu;

    LoadPartitioning(Figures figures, double splitCpu) {
        this.figures = figures;
        this.splitCpu = splitCpu;
    }

    void run() throws Exception {
        try (var server =
                        ServerProcess.start(
                                "--cells",
                                "" + CELLS,
                                "--split-cpu",
                                "" + splitCpu,
                                "--tail-horizon",
                                "20");
                var table = new BodyTable(server.endpoint())) {
            var tablets = new Tablets(server.console(), BodyTable.NAME);
            double[] shares = zipf();
            spread(table, tablets, "Zipf", random -> scrambled(rank(shares, random)));
            spread(table, tablets, "one range", random -> 40_000 + random.nextLong(1_000));
            load(table);
            var _ =
                    during(
                            table,
                            random -> random.nextBoolean() ? 77 : random.nextLong(ROW_COUNT),
                            LOOK.multipliedBy(4));
            named(tablets, "hot key (77)", "hot key that is not named");
            var last = new AtomicLong(ROW_COUNT);
            load(table);
            append(table, last, LOOK.multipliedBy(5));
            named(tablets, "growing key (", "growing key that is not named");
            named(tablets, "split ahead of growing keys", "growing key that is not acted on");
        }
    }

    private void spread(
            BodyTable table, Tablets tablets, String name, ToLongFunction<RandomGenerator> keys)
            throws Exception {
        load(table);
        Spread spread = during(table, keys, LONGEST);
        figures.print(name + ": tablets", tablets.list().size(), "");
        figures.print(name + ": requests in a second", spread.perSecond, "");
        figures.print(name + ": hottest / mean in the end", spread.ratio, "");
        figures.printWithBarAtMost(
                60, name + ": seconds until it is under 1.3", spread.seconds, "s");
        String why = tablets.why();
        figures.printWithBarAtLeast(
                1, name + ": splits explained", count(why, "split by load"), "");
        System.out.print(
                why.lines().limit(12).map(line -> "  " + line + "\n").reduce("", String::concat));
    }

    private static double count(String text, String what) {
        return (double) text.lines().filter(line -> line.contains(what)).count();
    }

    private void named(Tablets tablets, String text, String name) throws Exception {
        String why = tablets.why();
        figures.printWithBarAtMost(0, name, why.contains(text) ? 0 : 1, "");
        why.lines()
                .filter(line -> line.contains(text))
                .limit(1)
                .forEach(line -> System.out.println("  " + line));
    }

    private static void load(BodyTable table) {
        table.create(BY_LOAD);
        try (QuerySession session = table.open()) {
            for (long from = 0; from < ROW_COUNT; from += ROWS_A_BATCH) {
                long[] ids = new long[ROWS_A_BATCH];
                for (int index = 0; index < ids.length; index++) {
                    ids[index] = from + index;
                }
                BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, ids)
                        .expectSuccess();
            }
        }
    }

    /// What came of a load.
    ///
    /// @param seconds until no tablet had more than 1.3 times the mean, and stayed so
    private record Spread(double seconds, double ratio, double perSecond) {}

    /// Clients read four rows and write one, again and again.
    private static Spread during(
            BodyTable table, ToLongFunction<RandomGenerator> keys, Duration longest)
            throws Exception {
        var ended = new AtomicBoolean();
        var asked = new AtomicLong();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int index = 0; index < CLIENTS; index++) {
                running.add(threads.submit(() -> use(table, keys, ended, asked)));
            }
            try {
                return watch(table, longest, asked);
            } finally {
                ended.set(true);
                for (Future<?> each : running) {
                    each.get();
                }
            }
        }
    }

    private static void use(
            BodyTable table,
            ToLongFunction<RandomGenerator> keys,
            AtomicBoolean ended,
            AtomicLong asked) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (QuerySession session = table.open()) {
            while (!ended.get()) {
                long id = keys.applyAsLong(random);
                if (random.nextInt(5) > 0) {
                    BodyTable.read(session, id).expectSuccess();
                } else {
                    BodyTable.write(session, random, BODY_BYTES, id).expectSuccess();
                }
                asked.incrementAndGet();
            }
        }
    }

    private static Spread watch(BodyTable table, Duration longest, AtomicLong asked)
            throws InterruptedException {
        long from = System.nanoTime();
        double even = Double.POSITIVE_INFINITY;
        double ratio = Double.NaN;
        Map<Long, Long> before = table.counts();
        while (System.nanoTime() - from < longest.toNanos()) {
            Thread.sleep(LOOK);
            Map<Long, Long> now = table.counts();
            ratio = ratio(before, now);
            before = now;
            double seconds = (System.nanoTime() - from) / 1e9;
            even =
                    now.size() > 1 && ratio <= MOST
                            ? Math.min(even, seconds)
                            : Double.POSITIVE_INFINITY;
            if (seconds - even >= 3 * LOOK.toSeconds()) {
                break;
            }
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        return new Spread(even, ratio, (double) asked.get() / seconds);
    }

    /// What the hottest tablet was asked for, beside the mean.
    private static double ratio(Map<Long, Long> before, Map<Long, Long> now) {
        List<Long> asked = new ArrayList<>();
        now.forEach((tablet, count) -> asked.add(count - before.getOrDefault(tablet, 0L)));
        double mean = asked.stream().mapToLong(Long::longValue).average().orElse(Double.NaN);
        return asked.stream().mapToLong(Long::longValue).max().orElse(0) / mean;
    }

    private static void append(BodyTable table, AtomicLong last, Duration time) throws Exception {
        long until = System.nanoTime() + time.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int index = 0; index < CLIENTS; index++) {
                running.add(threads.submit(() -> append(table, last, until)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private static void append(BodyTable table, AtomicLong last, long until) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (QuerySession session = table.open()) {
            while (System.nanoTime() < until) {
                long first = last.getAndAdd(10);
                long[] ids = new long[10];
                for (int index = 0; index < ids.length; index++) {
                    ids[index] = first + index;
                }
                BodyTable.write(session, random, BODY_BYTES, ids).expectSuccess();
            }
        }
    }

    /// The share of all ranks up to each.
    private static double[] zipf() {
        double[] shares = new double[ROW_COUNT];
        double sum = 0;
        for (int rank = 0; rank < ROW_COUNT; rank++) {
            sum += 1 / Math.pow(rank + 1, ZIPF);
            shares[rank] = sum;
        }
        for (int rank = 0; rank < ROW_COUNT; rank++) {
            shares[rank] /= sum;
        }
        return shares;
    }

    private static int rank(double[] shares, RandomGenerator random) {
        double at = random.nextDouble();
        int low = 0;
        int high = shares.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (shares[middle] < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Hot rows are all over the table.
    private static long scrambled(int rank) {
        return Math.floorMod(rank * 40_503L + 12_345, (long) ROW_COUNT);
    }
}
