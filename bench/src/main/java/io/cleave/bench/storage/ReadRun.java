package io.cleave.bench.storage;

import io.cleave.bench.storage.Engine.Store;
import io.cleave.bench.storage.Results.Measured;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Reads loaded stores in rounds. In each round, all stores read the same rows. The figure is the
/// median of the rounds.
final class ReadRun {
    /// For the compiler, which engines in Java need.
    private static final int WARM_UP_ROUNDS = 5;

    private static final int ROUNDS = 5;
    private static final int POINTS_A_ROUND = 500_000;
    private static final int RANGES_A_ROUND = 20_000;
    private static final int RANGE_ROWS = 100;

    /// Fewer rows than any block has: reading every such row brings all blocks into a cache.
    private static final int BLOCK_STEP = 8;

    private final Map<Engine, Store> stores;
    private final int rowCount;

    ReadRun(Map<Engine, Store> stores, int rowCount) {
        this.stores = stores;
        this.rowCount = rowCount;
    }

    interface Output {
        void put(Work work, Engine engine, Measured measured);
    }

    /// The reads of one round; returns their checksum.
    private interface Round {
        long run(Store store, int[] rows) throws Exception;
    }

    void run(Collection<Work> works, Output output) throws Exception {
        touchAllBlocks();
        if (works.contains(Work.HIT)) {
            measure(Work.HIT, POINTS_A_ROUND, POINTS_A_ROUND, Store::pointReads, output);
        }
        if (works.contains(Work.MISS)) {
            measure(Work.MISS, POINTS_A_ROUND, POINTS_A_ROUND, ReadRun::misses, output);
        }
        if (works.contains(Work.RANGE)) {
            measure(Work.RANGE, RANGES_A_ROUND, RANGES_A_ROUND, ReadRun::ranges, output);
        }
        if (works.contains(Work.SCAN)) {
            measure(Work.SCAN, 0, rowCount, (store, _) -> store.fullScan(), output);
        }
    }

    private void touchAllBlocks() throws Exception {
        int[] rows = new int[rowCount / BLOCK_STEP];
        for (int index = 0; index < rows.length; index++) {
            rows[index] = index * BLOCK_STEP;
        }
        for (Store store : stores.values()) {
            long sum = store.pointReads(rows);
            expect(sum != 0, "all rows are empty");
        }
    }

    private static long misses(Store store, int[] rows) throws Exception {
        long found = store.misses(rows);
        expect(found == 0, "rows that were never written");
        return found;
    }

    private static long ranges(Store store, int[] rows) throws Exception {
        return store.rangeReads(rows, RANGE_ROWS);
    }

    private void measure(Work work, int rows, long operations, Round round, Output output)
            throws Exception {
        Map<Engine, List<Spent>> spent = new LinkedHashMap<>();
        System.gc();
        for (int number = 1 - WARM_UP_ROUNDS; number <= ROUNDS; number++) {
            int[] chosen = choose(rows, number);
            Long expected = null;
            for (Map.Entry<Engine, Store> entry : stores.entrySet()) {
                Spent.Of<Long> done = Spent.on(() -> round.run(entry.getValue(), chosen));
                expected = expected == null ? done.result() : expected;
                expect(expected.equals(done.result()), entry.getKey().name() + " read other rows");
                if (number > 0) {
                    spent.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(done.spent());
                }
            }
        }
        spent.forEach(
                (engine, rounds) -> {
                    Spent median = Spent.median(rounds);
                    double cpu = median.cpuMicros(operations);
                    double wall = median.wallMicros(operations);
                    output.put(work, engine, new Measured(cpu, wall, ""));
                });
    }

    /// Random rows, far enough from the end that a range fits after each.
    private int[] choose(int rows, int seed) {
        var random = new Random(seed);
        return random.ints(rows, 0, rowCount - RANGE_ROWS).toArray();
    }

    private static void expect(boolean good, String what) {
        if (!good) {
            throw new IllegalStateException(what);
        }
    }
}
