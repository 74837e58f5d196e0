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

/// A named share of the heap. A caller takes bytes before it uses them and gives them back
/// afterwards.
///
/// Invariants: [#tryTake] and [#await] never exceed the limit. While a caller waits, [#tryTake]
/// takes nothing, so waiting callers are served in the order of arrival.
///
/// Threads: any.
public final class MemoryPool {
    /// How often a waiting caller checks whether it should go on waiting.
    private static final long CHECK_NANOS = 100_000_000;

    private final String name;
    private final long limitBytes;
    private final Env env;

    /// Bytes in use that this pool does not count itself. Their owner enforces the limit for them.
    private volatile LongSupplier countedElsewhere = () -> 0;

    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong highestBytes = new AtomicLong();
    private final LongAdder refusals = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();

    /// In the order of arrival.
    @GuardedBy("lock")
    private final Queue<Waiter> waiters = new ArrayDeque<>();

    /// The size of `waiters`, which can be read without the lock.
    private volatile int waiterCount;

    /// A caller that waits for `bytes` bytes.
    private static final class Waiter {
        private final long bytes;
        private final Condition served;

        /// Whether it has received its bytes. Written under the lock, never after it has left the
        /// queue.
        private boolean done;

        Waiter(long bytes, Condition served) {
            this.bytes = bytes;
            this.served = served;
        }
    }

    /// The counters of a pool.
    ///
    /// @param highestBytes the maximum that was ever in use
    /// @param waiting the number of callers that wait for bytes now
    /// @param refusals how often a request for bytes was refused
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

    /// Adds bytes that are counted elsewhere to this pool's figures. Their owner enforces the limit
    /// for them.
    public void show(LongSupplier counted) {
        countedElsewhere = counted;
    }

    public Figures figures() {
        long used = usedBytes();
        noteHighest(used);
        return new Figures(name, limitBytes, used, highestBytes.get(), waiterCount, refusals.sum());
    }

    /// Takes the bytes if they are within the limit and nobody is waiting.
    public boolean tryTake(long bytes) {
        return tryTake(bytes, 0);
    }

    /// Takes the bytes if at least `freeBytes` remain free afterwards and nobody is waiting.
    public boolean tryTake(long bytes, long freeBytes) {
        if (waiterCount == 0 && takeWithin(limitBytes - freeBytes, bytes)) {
            return true;
        }
        refusals.increment();
        return false;
    }

    /// Takes the bytes unconditionally, even beyond the limit. For memory that has its own bound.
    public void take(long bytes) {
        noteHighest(usedBytes.addAndGet(bytes));
    }

    /// Gives back bytes that were taken before.
    public void give(long bytes) {
        usedBytes.addAndGet(-bytes);
        if (waiterCount > 0) {
            serveWaiters();
        }
    }

    /// Takes the bytes, or waits for them behind callers that came earlier. Returns false if the
    /// bytes did not become free within `patience`, or if the request exceeds the limit. Calls
    /// `check` while waiting; `check` throws to end the wait.
    public boolean await(long bytes, Duration patience, Runnable check) {
        if (waiterCount == 0 && takeWithin(limitBytes, bytes)) {
            return true;
        }
        if (bytes > limitBytes) {
            refusals.increment();
            return false;
        }
        Waiter waiter = enqueue(bytes);
        boolean ended = false;
        try {
            long deadline = env.nanoTime() + patience.toNanos();
            do {
                // Not under the lock: the check may wait for a processor, and `give` needs the
                // lock.
                check.run();
            } while (!awaitServed(waiter, deadline));
            ended = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.CANCELLED, "interrupted");
        } finally {
            leave(waiter, ended);
        }
        if (!waiter.done) {
            refusals.increment();
        }
        return waiter.done;
    }

    private Waiter enqueue(long bytes) {
        lock.lock();
        try {
            var waiter = new Waiter(bytes, lock.newCondition());
            waiters.add(waiter);
            waiterCount = waiters.size();
            // Bytes may have been given back before this waiter was visible.
            serve();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a short time. Returns true if the waiter was served or its time is over.
    private boolean awaitServed(Waiter waiter, long deadline) throws InterruptedException {
        lock.lock();
        try {
            long left = deadline - env.nanoTime();
            if (!waiter.done && left > 0) {
                env.await(waiter.served, Duration.ofNanos(Math.min(left, CHECK_NANOS)));
                left = deadline - env.nanoTime();
            }
            return waiter.done || left <= 0;
        } finally {
            lock.unlock();
        }
    }

    /// Removes the waiter from the queue. If the wait ended with an exception, gives back the bytes
    /// that the waiter had received.
    private void leave(Waiter waiter, boolean ended) {
        lock.lock();
        try {
            waiters.remove(waiter);
            if (!ended && waiter.done) {
                usedBytes.addAndGet(-waiter.bytes);
            }
            serve();
        } finally {
            lock.unlock();
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

    /// The failure of a request for `bytes` bytes that was refused. `what` names the work that
    /// needs them.
    public StatusException exhausted(String what, long bytes) {
        return new StatusException(
                Status.OVERLOADED, Issue.error(Issue.OVERLOADED, exhaustedText(what, bytes)));
    }

    /// The message of [#exhausted].
    public String exhaustedText(String what, long bytes) {
        return "%s needs %d bytes more, and the server's memory for %s is in use: %d of at most %d bytes. Try again later, or give the server a larger heap"
                .formatted(what, bytes, name, usedBytes.get(), limitBytes);
    }
}
