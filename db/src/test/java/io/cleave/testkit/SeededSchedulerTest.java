package io.cleave.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

class SeededSchedulerTest {
    @Test
    void aSeedFixesTheInterleaving() {
        Set<String> interleavings = new HashSet<>();
        for (long seed = 0; seed < 500; seed++) {
            String first = interleaving(seed);
            assertThat(interleaving(seed)).as("seed %d", seed).isEqualTo(first);
            interleavings.add(first);
        }
        assertThat(interleavings).hasSizeGreaterThan(400);
    }

    /// Three writers race for a short queue and one reader drains it.
    @SuppressWarnings("ThreadPriorityCheck") // the yield is what is being tested
    private static String interleaving(long seed) {
        var scheduler = new SeededScheduler(seed);
        var threads = scheduler.threads();
        var queue = new ArrayBlockingQueue<String>(2);
        var lock = new ReentrantLock();
        var trace = new StringBuilder();
        for (int writer = 0; writer < 3; writer++) {
            String name = "w" + writer;
            threads.newThread(
                            () -> {
                                for (int i = 0; i < 4; i++) {
                                    put(queue, name);
                                    lock.lock();
                                    try {
                                        trace.append(name).append(' ');
                                        Thread.yield();
                                    } finally {
                                        lock.unlock();
                                    }
                                }
                            })
                    .start();
        }
        threads.newThread(
                        () -> {
                            for (int i = 0; i < 12; i++) {
                                trace.append("<-").append(take(queue)).append(' ');
                            }
                        })
                .start();
        scheduler.runUntilIdle();
        return trace.toString();
    }

    private static void put(ArrayBlockingQueue<String> queue, String value) {
        try {
            queue.put(value);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String take(ArrayBlockingQueue<String> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
