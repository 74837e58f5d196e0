package io.cleave.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/// How far a follower is behind what it follows, now and lately. Threads: one writes, any reads.
final class FollowerLag {
    /// As many batches are remembered.
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

    /// Something of this moment has yet to be done.
    void behindSince(long timestamp) {
        behindSince = timestamp;
    }

    void none() {
        behindSince = NOT_BEHIND;
    }

    /// So many rows were followed, of which the first was written at this moment.
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

    /// How old the oldest write is that was not followed; 0 if there is none.
    long micros() {
        long since = behindSince;
        return since == NOT_BEHIND ? 0 : since(since);
    }

    /// Of the last batches, what the oldest write of all but one in a hundred waited at most.
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

    /// How many rows were followed since the process started.
    long changes() {
        return changes;
    }
}
