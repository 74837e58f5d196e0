package io.cleave.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Functions that run on threads with large stacks, of which there are four.
class DeepStackTest {
    private static final int THREADS = 4;

    /// If the inner functions waited for threads of their own, all would wait for ever.
    @Test
    void aFunctionMayRunAnotherOneInside() throws Exception {
        var env = new SystemEnv();
        var allInside = new CyclicBarrier(THREADS);
        var callers = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory());
        try {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int count = 0; count < THREADS; count++) {
                answers.add(
                        callers.submit(
                                () ->
                                        env.deep(
                                                () -> {
                                                    await(allInside);
                                                    return env.deep(() -> 1);
                                                })));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get(1, TimeUnit.MINUTES)).isOne();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(1, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
