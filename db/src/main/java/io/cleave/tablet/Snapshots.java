package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// Which moments of a cell are being read, so that compaction keeps the versions they need; and the
/// newest moment that may be read.
///
/// Invariant: a snapshot that was taken and not released is at least [#oldest].
public final class Snapshots {
    private final ReentrantLock lock = new ReentrantLock();

    /// How many readers each live snapshot has.
    @GuardedBy("lock")
    private final TreeMap<Long, Integer> live = new TreeMap<>();

    /// Every commit up to this timestamp is durable. Written by the log's callback, in order.
    private volatile long visible;

    /// The newest moment, kept until it is released.
    public long take() {
        lock.lock();
        try {
            long timestamp = visible;
            live.merge(timestamp, 1, Integer::sum);
            return timestamp;
        } finally {
            lock.unlock();
        }
    }

    public void release(long timestamp) {
        lock.lock();
        try {
            live.computeIfPresent(timestamp, (_, readers) -> readers == 1 ? null : readers - 1);
        } finally {
            lock.unlock();
        }
    }

    /// No reader, now or later, reads a moment before this one.
    long oldest() {
        lock.lock();
        try {
            return live.isEmpty() ? visible : live.firstKey();
        } finally {
            lock.unlock();
        }
    }

    long visible() {
        return visible;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time: the log's callback
    void publish(long timestamp) {
        visible = Math.max(visible, timestamp);
    }
}
