package io.cleave.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/// How far a follower is behind its table, now and recently. Threads: one writes, any reads.
final class FollowerLag {
    /// The number of batches that are remembered.
    private static final int REMEMBERED = 1024;

    private static final double HIGH_QUANTILE = 0.99;
    private static final long NOT_BEHIND = -1;

    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final long[] lagMicros = new long[REMEMBERED];

    @GuardedBy("lock")
    private long batches;

    private volatile long changes;
    private volatile long behindSince = NOT_BEHIND;

    FollowerLag(Env env) {
        this.env = env;
    }

    /// The oldest change that is not applied yet has this timestamp.
    void behindSince(long timestamp) {
        behindSince = timestamp;
    }

    void none() {
        behindSince = NOT_BEHIND;
    }

    /// Called when this many rows were applied. The first of them was written at this timestamp.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void caughtUp(long first, int rows) {
        changes += rows;
        lock.lock();
        try {
            lagMicros[(int) (batches++ % REMEMBERED)] = since(first);
        } finally {
            lock.unlock();
        }
    }

    private long since(long timestamp) {
        return Math.max(0, env.wallMicros() - timestamp);
    }

    /// The age of the oldest write that is not applied yet; 0 if there is none.
    long micros() {
        long since = behindSince;
        return since == NOT_BEHIND ? 0 : since(since);
    }

    /// The 99th percentile, over the last batches, of how long the oldest write of a batch waited.
    long highMicros() {
        long[] sorted;
        lock.lock();
        try {
            sorted = Arrays.copyOf(lagMicros, (int) Math.min(batches, REMEMBERED));
        } finally {
            lock.unlock();
        }
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * HIGH_QUANTILE)];
    }

    /// The number of rows applied since the process started.
    long changes() {
        return changes;
    }
}
