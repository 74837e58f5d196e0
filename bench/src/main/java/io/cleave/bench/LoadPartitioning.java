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

/// Loads that come to one tablet: how soon they are spread, and whether it is said why.
///
/// A table is one tablet and has been quiet for a while when its load begins, all at once. What
/// counts is rows that were read and written, of each tablet, over the last five seconds: the most
/// beside the mean of all tablets. With Zipf's law the first key alone has 8 % of all requests,
/// which no cut makes less: with more than 16 tablets that were over 1.3 times the mean by itself,
/// so that `--split-cpu` is to be such that there are fewer, and is about a fifth of what the load
/// takes of a core.
final class LoadPartitioning {
    private static final int CLIENTS = 32;
    private static final int CELLS = 2;
    private static final int ROW_COUNT = 100_000;
    private static final int ROWS_A_BATCH = 1_000;
    private static final int BODY_BYTES = 100;
    private static final double ZIPF = 0.99;
    private static final double MOST = 1.3;

    /// Where keys that grow or fall begin: far from the rows that are there, and from the ends.
    private static final long MIDDLE = 1L << 40;

    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(90);

    /// So many looks in a row find the hottest tablet under its bar, and the same tablets.
    private static final int STEADY = 4;

    /// More than the load window: what the table was loaded with is no load any more.
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
            growing(table, tablets, "growing", 1, "writes beyond all before them");
            growing(table, tablets, "falling", -1, "writes below all before them");
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

    /// Half of all requests ask for one row.
    private void hotKey(BodyTable table, Tablets tablets) throws Exception {
        load(table);
        Use use = byKey(random -> random.nextBoolean() ? 77 : random.nextLong(ROW_COUNT));
        List<Saying> sayings =
                List.of(
                        new Saying("hot key that is not named", List.of("hot key (77)")),
                        new Saying(
                                "hot key that is not left alone",
                                List.of(": leave tablet", "takes load off one key: (77)")));
        var _ = during(table, use, () -> await(tablets, sayings));
        print(tablets, sayings);
    }

    /// Rows are added at one end.
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

    /// What one line of the explanation is to say: all of these texts.
    ///
    /// @param missing what it is if none does
    private record Saying(String missing, List<String> texts) {
        List<String> lines(String why) {
            return why.lines().filter(line -> texts.stream().allMatch(line::contains)).toList();
        }
    }

    /// Until all of it is said, but not for ever.
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

    /// As one tablet: by load it would be cut while it is loaded.
    private static void load(BodyTable table) throws InterruptedException {
        table.create("AUTO_PARTITIONING_BY_LOAD = DISABLED");
        try (QuerySession session = table.open()) {
            for (long from = 0; from < ROW_COUNT; from += ROWS_A_BATCH) {
                long[] ids = new long[ROWS_A_BATCH];
                for (int index = 0; index < ids.length; index++) {
                    // In no order: growing keys would be cut ahead of.
                    ids[index] = scrambled(from + index);
                }
                BodyTable.write(session, ThreadLocalRandom.current(), BODY_BYTES, ids)
                        .expectSuccess();
            }
        }
        Thread.sleep(QUIET);
        table.set("AUTO_PARTITIONING_BY_LOAD = ENABLED");
    }

    /// What came of a load.
    ///
    /// @param seconds until every tablet had less than 1.3 times the mean, and it stayed so
    private record Spread(double seconds, double ratio, double perSecond) {}

    /// What a client does again and again.
    private interface Use {
        void once(QuerySession session, RandomGenerator random);
    }

    /// Reads four rows and writes one.
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

    /// Adds ten rows behind the last ones, or before the first.
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

    /// All clients do it for as long as the work takes.
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

    /// What the hottest tablet was asked for, beside the mean.
    private static double ratio(Map<Long, Long> before, Map<Long, Long> now) {
        List<Long> asked = new ArrayList<>();
        now.forEach((tablet, count) -> asked.add(count - before.getOrDefault(tablet, 0L)));
        double mean = asked.stream().mapToLong(Long::longValue).average().orElse(Double.NaN);
        return asked.stream().mapToLong(Long::longValue).max().orElse(0) / mean;
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
    private static long scrambled(long rank) {
        return Math.floorMod(rank * 40_503L + 12_345, (long) ROW_COUNT);
    }
}
