package io.cleave.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// Transactions that race for the values of a UNIQUE index.
class UniqueIndexTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int RACERS = 4;
    private static final int VALUES = 40;

    @Test
    void ofThoseWhoWantTheSameValueOneGetsIt() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run(
                    "CREATE TABLE t (k Int32, u Int32, PRIMARY KEY (k), INDEX i GLOBAL UNIQUE ON"
                            + " (u))");
            var won = new AtomicInteger();
            race(bench, won);
            assertThat(won.get()).as("-Dseed=%d", SEED).isEqualTo(VALUES);
            assertThat(bench.run("SELECT k FROM t VIEW i")).hasSize(VALUES);
            bench.assertAgree("t", "i", "-Dseed=%d".formatted(SEED));
        }
    }

    @Test
    void whatIsBuiltUnderARaceIsUniqueOrRefused() throws Exception {
        try (var bench = new IndexBench()) {
            bench.run("CREATE TABLE t (k Int32, u Int32, PRIMARY KEY (k))");
            bench.run("UPSERT INTO t (k, u) VALUES (-1, -1), (-2, -2), (-3, -3)");
            var won = new AtomicInteger();
            Thread racers =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            race(bench, won);
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
            boolean built = true;
            try {
                bench.retry("ALTER TABLE t ADD INDEX i GLOBAL UNIQUE ON (u)");
            } catch (StatusException e) {
                assertThat(e.status()).isEqualTo(Status.PRECONDITION_FAILED);
                built = false;
            }
            racers.join();
            if (built) {
                assertThat(bench.run("SELECT u FROM t GROUP BY u HAVING COUNT(*) > 1"))
                        .as("-Dseed=%d", SEED)
                        .isEmpty();
                bench.assertAgree("t", "i", "-Dseed=%d".formatted(SEED));
            }
        }
    }

    private static void race(IndexBench bench, AtomicInteger won) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int racer = 0; racer < RACERS; racer++) {
            int first = racer * VALUES;
            var random = new Random(SEED + racer);
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (int value = 0; value < VALUES; value++) {
                                            if (random.nextInt(8) == 0) {
                                                Thread.yield();
                                            }
                                            insert(bench, first + value, value, won);
                                        }
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void insert(IndexBench bench, int key, int value, AtomicInteger won) {
        try {
            bench.retry("UPSERT INTO t (k, u) VALUES (%d, %d)".formatted(key, value));
            won.incrementAndGet();
        } catch (StatusException e) {
            if (e.status() != Status.PRECONDITION_FAILED) {
                throw e;
            }
        }
    }
}
