package io.cleave.index;

import io.cleave.base.StatusException;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Index;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// Writes to the table `t` and changes its tablets and those of its index `i`, by chance.
final class IndexLoad {
    static final int KEYS = 400;

    private IndexLoad() {}

    static void fill(IndexBench bench) {
        List<String> rows = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            rows.add("(%d, %d, 'row %d'u, %d)".formatted(key, key % 37, key % 11, key));
        }
        bench.run("UPSERT INTO t (k, a, b, c) VALUES " + String.join(", ", rows));
    }

    interface Step {
        void run();
    }

    static Thread start(AtomicReference<Throwable> failure, AtomicBoolean over, Step step) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                while (!over.get()) {
                                    step.run();
                                }
                            } catch (RuntimeException | Error e) {
                                failure.compareAndSet(null, e);
                            }
                        });
    }

    static void write(IndexBench bench, Random random) {
        int key = random.nextInt(KEYS);
        int value = random.nextInt(60);
        bench.retry(
                switch (random.nextInt(7)) {
                    case 0 -> "DELETE FROM t WHERE k = " + key;
                    case 1 -> "UPSERT INTO t (k, c) VALUES (%d, %d)".formatted(key, value);
                    case 2 -> "UPDATE t SET a = NULL, c = c + 1 WHERE k = " + key;
                    case 3 -> "REPLACE INTO t (k, b) VALUES (%d, 'r%d'u)".formatted(key, value);
                    case 4 ->
                            "UPDATE t SET a = a + 1 WHERE k >= %d AND k < %d"
                                    .formatted(key, key + 5);
                    default ->
                            "UPSERT INTO t (k, a, b, c) VALUES (%d, %d, 'w%d'u, 0), (%d, %d, NULL, 1)"
                                    .formatted(key, value, value, random.nextInt(KEYS), value);
                });
    }

    /// Cuts, merges or moves a tablet of the table or of its index.
    static void change(IndexBench bench, Random random) {
        var resharding = bench.store.resharding();
        String path = random.nextBoolean() ? "/local/t" : "/local/t/i/" + Index.TABLE_NAME;
        try {
            List<TabletInfo> tablets =
                    bench.store.tablets().infos(bench.store.tablets().table(path));
            int number = random.nextInt(tablets.size());
            long tablet = tablets.get(number).tabletId();
            switch (random.nextInt(3)) {
                case 0 -> resharding.split(path, tablet);
                case 1 -> resharding.move(path, tablet, 1 + random.nextInt(3));
                default -> {
                    if (number > 0 && tablets.size() > 2) {
                        long before = tablets.get(number - 1).tabletId();
                        resharding.merge(path, List.of(before, tablet));
                    }
                }
            }
        } catch (StatusException _) {
            // There is no such table now, or the tablet has gone meanwhile.
        }
    }
}
