package io.cleave.log;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Where the durable records of a log end, for those who wait for more of them.
///
/// Threads: one at a time moves it, any wait. Moving takes the lock only while someone waits, so
/// that a log without readers pays for one look at a number.
public final class DurableEnd {
    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    /// One past the last durable record.
    private volatile long position;

    /// How many wait; changed under the lock. Who waits counts itself before it looks at the
    /// position, and who moves it looks at the count after: one of the two sees the other.
    private volatile int waiting;

    public DurableEnd(Env env) {
        this.env = env;
    }

    public long position() {
        return position;
    }

    public void moveTo(long next) {
        position = next;
        if (waiting > 0) {
            lock.lock();
            try {
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// False when the record at `wanted` is not durable after all of the time.
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    public boolean await(long wanted, Duration timeout) throws InterruptedException {
        if (position > wanted) {
            return true;
        }
        long deadline = env.nanoTime() + timeout.toNanos();
        lock.lock();
        try {
            waiting++;
            try {
                long left = timeout.toNanos();
                while (position <= wanted && left > 0) {
                    env.await(moved, Duration.ofNanos(left));
                    left = deadline - env.nanoTime();
                }
            } finally {
                waiting--;
            }
            return position > wanted;
        } finally {
            lock.unlock();
        }
    }
}
