package io.cleave.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// One named share of the heap. Bytes are taken before they are used and given back afterwards.
///
/// Invariants: what [#tryTake] and [#await] hand out stays within the limit. While somebody waits,
/// [#tryTake] hands out nothing, so those who wait are served in the order of arrival.
///
/// Threads: any.
public final class MemoryPool {
    /// How often a waiter looks whether it still wants to wait.
    private static final long CHECK_NANOS = 100_000_000;

    private final String name;
    private final long limitBytes;
    private final Env env;

    /// What is counted by others, who keep to the limit by themselves.
    private volatile LongSupplier countedElsewhere = () -> 0;

    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong highestBytes = new AtomicLong();
    private final LongAdder refusals = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();

    /// In the order of arrival.
    @GuardedBy("lock")
    private final Queue<Waiter> waiters = new ArrayDeque<>();

    /// As many as `waiters` has; read without the lock.
    private volatile int waiterCount;

    /// Someone who waits for so many bytes.
    private static final class Waiter {
        private final long bytes;
        private final Condition served;
        private boolean done;

        Waiter(long bytes, Condition served) {
            this.bytes = bytes;
            this.served = served;
        }
    }

    /// What a pool says about itself.
    ///
    /// @param highestBytes the most that was ever in use
    /// @param waiting requests that wait for bytes now
    /// @param refusals how often bytes were asked for and not given
    public record Figures(
            String name,
            long limitBytes,
            long usedBytes,
            long highestBytes,
            int waiting,
            long refusals) {}

    public MemoryPool(String name, long limitBytes, Env env) {
        Check.that(limitBytes > 0, "the limit of %s is %d bytes", name, limitBytes);
        this.name = name;
        this.limitBytes = limitBytes;
        this.env = env;
    }

    public String name() {
        return name;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long usedBytes() {
        return usedBytes.get() + countedElsewhere.getAsLong();
    }

    /// Shows what others count, who keep to the limit by themselves.
    public void show(LongSupplier counted) {
        countedElsewhere = counted;
    }

    public Figures figures() {
        long used = usedBytes();
        noteHighest(used);
        return new Figures(name, limitBytes, used, highestBytes.get(), waiterCount, refusals.sum());
    }

    /// Takes the bytes if they are within the limit and nobody waits.
    public boolean tryTake(long bytes) {
        return tryTake(bytes, 0);
    }

    /// Takes the bytes if so many others stay free and nobody waits.
    public boolean tryTake(long bytes, long freeBytes) {
        if (waiterCount == 0 && takeWithin(limitBytes - freeBytes, bytes)) {
            return true;
        }
        refusals.increment();
        return false;
    }

    /// Takes the bytes in any case, also beyond the limit: for what has a bound of its own.
    public void take(long bytes) {
        noteHighest(usedBytes.addAndGet(bytes));
    }

    /// Gives bytes back that were taken before.
    public void give(long bytes) {
        usedBytes.addAndGet(-bytes);
        if (waiterCount > 0) {
            serveWaiters();
        }
    }

    /// Takes the bytes, or waits for them behind those who came before. False if they did not come
    /// in time, or could never come. `check` is called while it waits, and throws if there is no
    /// more reason to wait.
    public boolean await(long bytes, Duration patience, Runnable check) {
        if (waiterCount == 0 && takeWithin(limitBytes, bytes)) {
            return true;
        }
        if (bytes > limitBytes) {
            refusals.increment();
            return false;
        }
        lock.lock();
        try {
            var waiter = new Waiter(bytes, lock.newCondition());
            waiters.add(waiter);
            waiterCount = waiters.size();
            try {
                // What was given back before the waiter could be seen.
                serve();
                awaitServed(waiter, patience, check);
            } finally {
                waiters.remove(waiter);
                waiterCount = waiters.size();
                serve();
            }
            if (!waiter.done) {
                refusals.increment();
            }
            return waiter.done;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void awaitServed(Waiter waiter, Duration patience, Runnable check) {
        long deadline = env.nanoTime() + patience.toNanos();
        boolean ended = false;
        try {
            long left = patience.toNanos();
            while (!waiter.done && left > 0) {
                check.run();
                env.await(waiter.served, Duration.ofNanos(Math.min(left, CHECK_NANOS)));
                left = deadline - env.nanoTime();
            }
            ended = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        } finally {
            if (!ended && waiter.done) {
                usedBytes.addAndGet(-waiter.bytes);
            }
        }
    }

    private void serveWaiters() {
        lock.lock();
        try {
            serve();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void serve() {
        Waiter first = waiters.peek();
        while (first != null && (first.done || takeWithin(limitBytes, first.bytes))) {
            first.done = true;
            first.served.signal();
            waiters.remove();
            first = waiters.peek();
        }
        waiterCount = waiters.size();
    }

    private boolean takeWithin(long mostBytes, long bytes) {
        long used = usedBytes.get();
        while (used + bytes <= mostBytes) {
            if (usedBytes.compareAndSet(used, used + bytes)) {
                noteHighest(used + bytes);
                return true;
            }
            used = usedBytes.get();
        }
        return false;
    }

    private void noteHighest(long used) {
        if (used > highestBytes.get()) {
            highestBytes.accumulateAndGet(used, Math::max);
        }
    }

    /// For one who asked for so many bytes and did not get them. `what` says what needs them.
    public StatusException exhausted(String what, long bytes) {
        return new StatusException(
                Status.OVERLOADED, Issue.error(Issue.OVERLOADED, exhaustedText(what, bytes)));
    }

    /// The words of [#exhausted].
    public String exhaustedText(String what, long bytes) {
        return "%s needs %d bytes more, and the server's memory for %s is in use: %d of at most %d bytes. Try again later, or give the server a larger heap"
                .formatted(what, bytes, name, usedBytes.get(), limitBytes);
    }
}
