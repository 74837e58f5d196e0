package io.cleave.base;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Limits how many virtual threads run long computations at the same time, so that short requests
/// always find a carrier thread.
///
/// The JVM's scheduler never preempts a virtual thread, and a carrier drains the queue that it took
/// its last thread from before it looks at the others. So threads that compute for long and only
/// yield in between can occupy all carriers, and a new thread may wait for seconds. Here, a thread
/// that has computed for a while needs a slot to continue ([#takeTurn]). There is one slot fewer
/// than carriers, but at least one. A thread keeps its slot while no other thread waits; otherwise
/// the first thread in the queue gets the slot, and the old holder goes to the end of the queue.
///
/// A thread gives its slot back when it ends or waits for something else ([#leave]). A thread that
/// blocks without giving it back, for example on a lock, loses its slot after the lease. So a
/// thread that waits here with a lock held cannot deadlock with a slot holder that wants the lock.
///
/// Threads: any; each method acts for the calling thread.
final class ComputeSlots {
    private final long leaseNanos;
    private final ReentrantLock lock = new ReentrantLock();

    /// The thread that has each slot, or null. Written under the lock. A thread may look for its
    /// own slot without the lock, and must then look again under the lock, since others may have
    /// taken the slot away.
    private final AtomicReferenceArray<@Nullable Thread> holders;

    /// When the holder of each slot started its turn.
    @GuardedBy("lock")
    private final long[] turnNanos;

    @GuardedBy("lock")
    private final Queue<Waiter> waiting = new ArrayDeque<>();

    ComputeSlots(int slots, long leaseNanos) {
        this.leaseNanos = leaseNanos;
        holders = new AtomicReferenceArray<>(slots);
        turnNanos = new long[slots];
    }

    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        final Condition granted;
        boolean hasSlot;

        Waiter(Condition granted) {
            this.granted = granted;
        }
    }

    /// Returns when the current thread may compute for another turn. An interrupted thread
    /// continues without a slot, since it is about to end.
    void takeTurn() {
        lock.lock();
        try {
            int slot = slotOf(Thread.currentThread());
            if (waiting.isEmpty()) {
                int free = slot >= 0 ? slot : freeSlot();
                if (free >= 0) {
                    give(free, Thread.currentThread());
                    return;
                }
            }
            var waiter = new Waiter(lock.newCondition());
            waiting.add(waiter);
            if (slot >= 0) {
                pass(slot);
            }
            await(waiter);
        } finally {
            lock.unlock();
        }
    }

    /// Passes the slot of the current thread, if it has one, to the first waiting thread.
    void leave() {
        Thread thread = Thread.currentThread();
        if (slotOf(thread) < 0) {
            return;
        }
        lock.lock();
        try {
            int slot = slotOf(thread);
            if (slot >= 0) {
                pass(slot);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void await(Waiter waiter) {
        try {
            while (!waiter.hasSlot) {
                var _ = waiter.granted.await(leaseNanos, TimeUnit.NANOSECONDS);
                passExpired();
            }
        } catch (InterruptedException _) {
            waiting.remove(waiter);
            waiter.thread.interrupt();
        }
    }

    @GuardedBy("lock")
    private void passExpired() {
        int slot = waiting.isEmpty() ? -1 : freeSlot();
        while (slot >= 0) {
            pass(slot);
            slot = waiting.isEmpty() ? -1 : freeSlot();
        }
    }

    @GuardedBy("lock")
    private void pass(int slot) {
        Waiter next = waiting.poll();
        if (next == null) {
            holders.set(slot, null);
            return;
        }
        give(slot, next.thread);
        next.hasSlot = true;
        next.granted.signal();
    }

    @GuardedBy("lock")
    private void give(int slot, Thread thread) {
        holders.set(slot, thread);
        turnNanos[slot] = System.nanoTime();
    }

    /// A slot that is free or whose lease has expired; -1 if there is none.
    @GuardedBy("lock")
    private int freeSlot() {
        for (int slot = 0; slot < holders.length(); slot++) {
            if (holders.get(slot) == null || System.nanoTime() - turnNanos[slot] >= leaseNanos) {
                return slot;
            }
        }
        return -1;
    }

    private int slotOf(Thread thread) {
        for (int slot = 0; slot < holders.length(); slot++) {
            if (thread.equals(holders.get(slot))) {
                return slot;
            }
        }
        return -1;
    }
}
