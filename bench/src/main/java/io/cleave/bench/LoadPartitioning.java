package io.cleave.bench;

import tech.ydb.query.QuerySession;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Loads that hit one tablet: how soon they are spread, and whether the server explains why it
/// split.
///
/// The table has one tablet and was idle for a while; then the full load begins at once. The figure
/// is the number of rows that were read and written in the hottest tablet over the last five
/// seconds, divided by the mean of all tablets.
///
/// With Zipf's law, the first key alone gets 8 % of all requests, which no split can reduce. With
/// more than 16 tablets, that key alone would be above 1.3 times the mean. So `--split-cpu` must be
/// large enough to keep the number of tablets lower: about a fifth of the CPU, in cores, that the
/// load takes.
final class LoadPartitioning {
    private static final int CLIENTS = 32;
    private static final int CELLS = 2;
    private static final int ROW_COUNT = 100_000;
    private static final int ROWS_A_BATCH = 1_000;
    private static final int BODY_BYTES = 100;
    private static final double ZIPF = 0.99;
    private static final double MOST = 1.3;

    /// Where growing and falling keys begin: far from the existing rows and from both ends.
    private static final long MIDDLE = 1L << 40;

    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(90);

    /// How many checks in a row must find the hottest tablet below its bar and the tablets
    /// unchanged.
    private static final int STEADY = 4;

    /// Longer than the load window, so that the initial load of the table no longer counts.
    private static final Duration QUIET = Duration.ofSeconds(12);

    private static final Pattern STEP =
            Pattern.compile(
                    "split tablet \\d+ in (\\d+) at .*\\(threshold .*load before .*\\R *done in ");

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
            figures.print(
                    "Zipf: first key / mean, which is the least",
                    shares[0] * tablets.list().size(),
                    "");
            spread(table, tablets, "one range", random -> 40_000 + random.nextLong(1_000));
            hotKey(table, tablets);
            growing(table, tablets, "growing", 1, "writes beyond all earlier keys");
            growing(table, tablets, "falling", -1, "writes below all earlier keys");
        }
    }

    private void spread(
            BodyTable table, Tablets tablets, String name, ToLongFunction<RandomGenerator> keys)
            throws Exception {
        load(table);
        var asked = new AtomicLong();
        Use use = byKey(keys);
        Spread spread =
                during(
                        table,
                        (session, random) -> {
                            use.once(session, random);
                            asked.incrementAndGet();
                        },
                        () -> watch(table, asked));
        int count = tablets.list().size();
        figures.print(name + ": tablets", count, "");
        figures.print(name + ": requests in a second", spread.perSecond, "");
        figures.print(name + ": hottest / mean in the end", spread.ratio, "");
        figures.printWithBarAtMost(
                60, name + ": seconds until it is under 1.3", spread.seconds, "s");
        String why = tablets.why();
        int explained = STEP.matcher(why).results().mapToInt(step -> pieces(step) - 1).sum();
        figures.printWithBarAtMost(
                0, name + ": tablets that no step explains", count - 1 - explained, "");
        why.lines().filter(line -> line.contains(": split tablet")).forEach(this::quote);
    }

    private static int pieces(MatchResult step) {
        return Integer.parseInt(step.group(1));
    }

    private void quote(String line) {
        figures.say("  " + line.strip());
    }

    /// Half of all requests are for one row.
    private void hotKey(BodyTable table, Tablets tablets) throws Exception {
        load(table);
        Use use = byKey(random -> random.nextBoolean() ? 77 : random.nextLong(ROW_COUNT));
        List<Saying> sayings =
                List.of(
                        new Saying("hot key that is not named", List.of("hot key (77)")),
                        new Saying(
                                "hot key that is not left alone",
                                List.of(": leave tablet", "load of a single key: (77)")));
        var _ = during(table, use, () -> await(tablets, sayings));
        print(tablets, sayings);
    }

    /// Rows are added at one end of the table.
    private void growing(
            BodyTable table, Tablets tablets, String name, int direction, String figure)
            throws Exception {
        load(table);
        List<Saying> sayings =
                List.of(
                        new Saying(
                                name + " key that is not named",
                                List.of(": growing key (", figure)),
                        new Saying(
                                name + " key that is not acted on",
                                List.of("split ahead", ": split tablet", figure)));
        var _ = during(table, appending(direction), () -> await(tablets, sayings));
        print(tablets, sayings);
    }

    /// Texts that one line of the explanation must contain.
    ///
    /// @param missing what is reported if no line contains them
    private record Saying(String missing, List<String> texts) {
        List<String> lines(String why) {
            return why.lines().filter(line -> texts.stream().allMatch(line::contains)).toList();
        }
    }

    /// Waits until all of the texts are there, but not for ever.
    private static boolean await(Tablets tablets, List<Saying> sayings) throws Exception {
        long until = System.nanoTime() + LONGEST.toNanos();
        boolean said = false;
        while (!said && System.nanoTime() - until < 0) {
            Thread.sleep(LOOK);
            String why = tablets.why();
            said = sayings.stream().noneMatch(saying -> saying.lines(why).isEmpty());
        }
        return said;
    }

    private void print(Tablets tablets, List<Saying> sayings) throws Exception {
        String why = tablets.why();
        for (Saying saying : sayings) {
            List<String> lines = saying.lines(why);
            figures.printWithBarAtMost(0, saying.missing, lines.isEmpty() ? 1 : 0, "");
            lines.stream().limit(1).forEach(this::quote);
        }
    }

    /// Fills the table as one tablet. Partitioning by load would split it meanwhile, so it is
    /// disabled.
    private static void load(BodyTable table) throws InterruptedException {
        table.create("AUTO_PARTITIONING_BY_LOAD = DISABLED");
        try (QuerySession session = table.open()) {
            for (long from = 0; from < ROW_COUNT; from += ROWS_A_BATCH) {
                long[] ids = new long[ROWS_A_BATCH];
                for (int index = 0; index < ids.length; index++) {
                    // In random order: for growing keys, the server would split in advance.
                    ids[index] = scrambled(from + index);
                }
                BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, ids)
                        .expectSuccess();
            }
        }
        Thread.sleep(QUIET);
        table.set("AUTO_PARTITIONING_BY_LOAD = ENABLED");
    }

    /// The results of a load.
    ///
    /// @param seconds until every tablet had less than 1.3 times the mean and this did not change
    ///   again
    private record Spread(double seconds, double ratio, double perSecond) {}

    /// What a client does repeatedly.
    private interface Use {
        void once(QuerySession session, RandomGenerator random);
    }

    /// Four of five requests read a row, and one writes a row.
    private static Use byKey(ToLongFunction<RandomGenerator> keys) {
        return (session, random) -> {
            long id = keys.applyAsLong(random);
            if (random.nextInt(5) > 0) {
                BodyTable.read(session, id).expectSuccess();
            } else {
                BodyTable.write(session, random, BODY_BYTES, id).expectSuccess();
            }
        };
    }

    /// Adds ten rows after the last ones, or before the first ones.
    private static Use appending(int direction) {
        var next = new AtomicLong(MIDDLE);
        return (session, random) -> {
            long first = next.getAndAdd(direction * 10L);
            long[] ids = new long[10];
            for (int index = 0; index < ids.length; index++) {
                ids[index] = first + index;
            }
            BodyTable.write(session, random, BODY_BYTES, ids).expectSuccess();
        };
    }

    /// Runs all clients for as long as `work` takes.
    private static <T> T during(BodyTable table, Use use, Callable<T> work) throws Exception {
        var ended = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int index = 0; index < CLIENTS; index++) {
                running.add(threads.submit(() -> use(table, use, ended)));
            }
            try {
                return work.call();
            } finally {
                ended.set(true);
                for (Future<?> each : running) {
                    var _ = each.get();
                }
            }
        }
    }

    private static void use(BodyTable table, Use use, AtomicBoolean ended) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (QuerySession session = table.open()) {
            while (!ended.get()) {
                use.once(session, random);
            }
        }
    }

    private static Spread watch(BodyTable table, AtomicLong asked) throws InterruptedException {
        long from = System.nanoTime();
        double even = Double.POSITIVE_INFINITY;
        double ratio = Double.NaN;
        int steady = 0;
        Map<Long, Long> before = table.counts();
        while (System.nanoTime() - from < LONGEST.toNanos() && steady < STEADY) {
            Thread.sleep(LOOK);
            Map<Long, Long> now = table.counts();
            ratio = ratio(before, now);
            double seconds = (System.nanoTime() - from) / 1e9;
            boolean isEven = now.size() > 1 && ratio < MOST;
            even = isEven ? Math.min(even, seconds) : Double.POSITIVE_INFINITY;
            steady = isEven && now.keySet().equals(before.keySet()) ? steady + 1 : 0;
            before = now;
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        return new Spread(even, ratio, (double) asked.get() / seconds);
    }

    /// Rows that were read and written in the hottest tablet, divided by the mean.
    private static double ratio(Map<Long, Long> before, Map<Long, Long> now) {
        List<Long> asked = new ArrayList<>();
        now.forEach((tablet, count) -> asked.add(count - before.getOrDefault(tablet, 0L)));
        double mean = asked.stream().mapToLong(Long::longValue).average().orElse(Double.NaN);
        return asked.stream().mapToLong(Long::longValue).max().orElse(0) / mean;
    }

    /// The cumulative share of requests for each rank.
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

    /// Spreads the hot rows over the whole table.
    private static long scrambled(long rank) {
        return Math.floorMod(rank * 40_503L + 12_345, (long) ROW_COUNT);
    }
}
