package io.cleave.tablet.pace;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Env;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Limits how many threads of a process do background work at the same time. Flushes have priority,
/// because writers wait for them: a compaction gets no slot while a flush waits for one, and never
/// gets the last free slot. Threads: any.
public final class BackgroundSlots {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Env env;
    private final int count;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private int taken;

    @GuardedBy("lock")
    private int waitingFlushes;

    public BackgroundSlots(Env env, int count) {
        Check.that(count >= 2, "%d slots", count);
        this.env = env;
        this.count = count;
    }

    public void takeForFlush() throws InterruptedException {
        lock.lock();
        try {
            waitingFlushes++;
            try {
                while (taken >= count) {
                    env.await(changed, PAUSE);
                }
                taken++;
            } finally {
                waitingFlushes--;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns false if no slot is free for a compaction now.
    public boolean tryTakeForCompaction() {
        lock.lock();
        try {
            if (waitingFlushes > 0 || taken >= count - 1) {
                return false;
            }
            taken++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    public void giveBack() {
        lock.lock();
        try {
            taken--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
