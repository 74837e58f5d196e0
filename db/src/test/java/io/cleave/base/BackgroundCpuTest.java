package io.cleave.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackgroundCpuTest {
    private static final long WORK_NANOS = 50_000_000;

    /// While it runs, and when it has ended.
    @Test
    void aThreadCountsForWhatItHasUsed() throws InterruptedException {
        var background = new BackgroundCpu();
        long[] seen = new long[1];
        Thread thread =
                new Thread(
                        () ->
                                background.run(
                                        () -> {
                                            work(background, seen);
                                        }));
        thread.start();
        thread.join();
        assertThat(seen[0]).isGreaterThanOrEqualTo(WORK_NANOS);
        assertThat(background.nanos()).isGreaterThanOrEqualTo(WORK_NANOS);
    }

    private static void work(BackgroundCpu background, long[] seen) {
        while (seen[0] < WORK_NANOS) {
            seen[0] = background.nanos();
        }
    }

    /// What a background thread has used is part of the process, and not of what it serves.
    @Test
    void whatABackgroundThreadUsesIsNotServed() throws InterruptedException {
        var env = new SystemEnv();
        var clock = CpuClock.load().orElseThrow();
        while (env.servingCpuNanos().isEmpty()) {
            Thread.onSpinWait();
        }
        long processBefore = clock.processNanos();
        long servedBefore = env.servingCpuNanos().getAsLong();
        Thread thread =
                env.spawnBackground(
                        "test",
                        () -> {
                            long began = clock.nanos();
                            while (clock.nanos() - began < WORK_NANOS) {
                                Thread.onSpinWait();
                            }
                        });
        thread.join();
        long served = env.servingCpuNanos().getAsLong() - servedBefore;
        assertThat(clock.processNanos() - processBefore - served)
                .isGreaterThanOrEqualTo(WORK_NANOS);
    }
}
