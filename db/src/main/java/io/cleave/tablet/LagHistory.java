package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/// Recent lag of a reader: how long it took to reach what others could already see. Threads: any.
final class LagHistory {
    /// The last half minute, with one sample every few milliseconds.
    private static final int REMEMBERED = 8192;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final int[] micros = new int[REMEMBERED];

    @GuardedBy("lock")
    private long samples;

    void add(long lagMicros) {
        lock.lock();
        try {
            micros[(int) (samples++ % REMEMBERED)] = Math.clamp(lagMicros, 0, Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    /// The median and the 99th percentile.
    record Quantiles(long halfMicros, long highMicros) {}

    Quantiles quantiles() {
        int[] sorted;
        lock.lock();
        try {
            sorted = Arrays.copyOf(micros, (int) Math.min(samples, REMEMBERED));
        } finally {
            lock.unlock();
        }
        Arrays.sort(sorted);
        return sorted.length == 0
                ? new Quantiles(0, 0)
                : new Quantiles(at(sorted, 0.5), at(sorted, 0.99));
    }

    private static long at(int[] sorted, double quantile) {
        return sorted[(int) ((sorted.length - 1) * quantile)];
    }
}
