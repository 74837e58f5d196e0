package io.cleave.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/// Splits, merges and moves tablets of a table at random, at a steady rate.
final class StructureDriver {
    static final int SPLITS = 300;
    static final int MERGES = 200;
    static final int MOVES = 100;

    private final Tablets tablets;
    private final int cells;
    private final IntFunction<String> keys;
    private final Random random = new Random(4);

    /// `keys` returns some key for a number.
    StructureDriver(Tablets tablets, int cells, IntFunction<String> keys) {
        this.tablets = tablets;
        this.cells = cells;
        this.keys = keys;
    }

    private enum Change {
        SPLIT,
        MERGE,
        MOVE
    }

    /// Spreads all changes evenly over the time. It takes longer if the changes do.
    void run(Duration time) throws IOException, InterruptedException {
        List<Change> changes = new ArrayList<>();
        changes.addAll(Collections.nCopies(SPLITS, Change.SPLIT));
        changes.addAll(Collections.nCopies(MERGES, Change.MERGE));
        changes.addAll(Collections.nCopies(MOVES, Change.MOVE));
        Collections.shuffle(changes, random);
        long from = System.nanoTime();
        for (int index = 0; index < changes.size(); index++) {
            long due = from + time.toNanos() * index / changes.size();
            Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            change(changes.get(index));
        }
    }

    private void change(Change change) throws IOException, InterruptedException {
        switch (change) {
            case SPLIT -> {
                while (!tablets.split(keys.apply(random.nextInt()))) {
                    // A tablet begins at that key already: try another key.
                }
            }
            case MERGE -> {
                List<Tablets.Tablet> all = tablets.list();
                int left = random.nextInt(all.size() - 1);
                tablets.merge(all.get(left), all.get(left + 1));
            }
            case MOVE -> {
                List<Tablets.Tablet> all = tablets.list();
                Tablets.Tablet tablet = all.get(random.nextInt(all.size()));
                tablets.move(tablet, 1 + (tablet.cell() + random.nextInt(cells - 1)) % cells);
            }
        }
    }
}
