package io.cleave.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The gate that commits pass while they rely on a description of their tables.
///
/// A commit enters, checks that its tables have not changed, commits, and leaves. A thread that
/// changes a table and then calls [#awaitEarlier] knows that every commit prepared for the old
/// description is visible or has failed.
///
/// Threads: any. The lock is not held while waiting for a log.
public final class CommitGate {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Env env;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();

    /// The number of commits inside, by the turn in which they entered.
    @GuardedBy("lock")
    private final Map<Long, Integer> inside = new HashMap<>();

    @GuardedBy("lock")
    private long turn;

    CommitGate(Env env) {
        this.env = env;
    }

    /// A commit's stay inside the gate; closed when the commit has ended.
    public final class Pass implements AutoCloseable {
        private final long entered;

        private Pass(long entered) {
            this.entered = entered;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                int others = inside.getOrDefault(entered, 1) - 1;
                if (others == 0) {
                    inside.remove(entered);
                    left.signalAll();
                } else {
                    inside.put(entered, others);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    public Pass enter() {
        lock.lock();
        try {
            inside.merge(turn, 1, Integer::sum);
            return new Pass(turn);
        } finally {
            lock.unlock();
        }
    }

    /// Waits until every commit that entered before this call has left.
    public void awaitEarlier() {
        lock.lock();
        try {
            long now = turn++;
            while (inside.keySet().stream().anyMatch(entered -> entered <= now)) {
                env.await(left, LOOK_AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.UNAVAILABLE, "interrupted while commits end");
        } finally {
            lock.unlock();
        }
    }
}
