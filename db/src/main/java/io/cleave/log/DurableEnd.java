package io.cleave.log;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The end of the durable records of a log. Callers can wait until it moves.
///
/// Threads: one at a time may move it, any may wait. Moving takes the lock only while a thread
/// waits, so without readers it costs one read of a counter.
public final class DurableEnd {
    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    /// The position after the last durable record.
    private volatile long position;

    /// The number of waiting threads; changed under the lock. A waiting thread increments it before
    /// it reads the position. The mover reads it after it has set the position. So at least one of
    /// the two sees the other.
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

    /// Waits until the record at `wanted` is durable; false after the timeout.
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
