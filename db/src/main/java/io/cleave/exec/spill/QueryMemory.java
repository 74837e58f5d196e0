package io.cleave.exec.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.value.HeapSize;
import io.cleave.value.Value;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;

/// Counts the memory that one run keeps for its rows, and takes it from the pool of all runs before
/// the heap is full. The count is an estimate of the size of the rows on the heap.
///
/// A run that keeps more than a few rows first waits for a grant from the pool. It fails with
/// OVERLOADED if it does not get the grant in time. The grant is enough for a few operators that
/// spill their rows to disk. The run may grow beyond its grant while the pool has room; an operator
/// that gets no more memory spills to disk. Runs with a grant therefore rarely wait for each other.
/// They wait only for memory that cannot go to disk, or when all runs together have taken half as
/// much again as the pool's limit.
///
/// Invariant: all memory that the run keeps was taken from the pool.
///
/// Threads: any.
public final class QueryMemory implements AutoCloseable {
    /// Each operator has the run's limit divided by this for itself.
    private static final int OWN_PART = 8;

    /// Upper bound of the bytes that an operator has for itself.
    private static final long MAX_OWN_BYTES = 256L << 10;

    /// A run that keeps no more than this needs no grant.
    private static final long FREE_BYTES = 64L << 10;

    /// The size of a grant.
    private static final long GRANT_BYTES = 1L << 20;

    /// A grant is at most the pool's limit divided by this.
    private static final int GRANT_PART = 16;

    /// The pool's limit divided by this is reserved for grants.
    private static final int GRANTS_PART = 4;

    /// Runs may exceed the pool's limit together by at most the limit divided by this. Beyond that,
    /// a run waits.
    private static final int BEYOND_PART = 2;

    /// The minimum that is taken from the pool at once. The more the run has, the more it takes at
    /// once.
    private static final long MIN_STEP_BYTES = 64L << 10;

    private static final long MAX_STEP_BYTES = 4L << 20;

    /// How long a run waits for memory from the pool.
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final AtomicLongFieldUpdater<QueryMemory> USED_BYTES =
            AtomicLongFieldUpdater.newUpdater(QueryMemory.class, "usedBytes");

    // Constant after construction.

    private final long limitBytes;
    private final MemoryPool pool;
    private final boolean waits;

    /// Throws if the run should end.
    private final Runnable check;

    // Own synchronisation.

    /// Held by the first thread of the run that waits for the grant.
    private final ReentrantLock entering = new ReentrantLock();

    private volatile long usedBytes;

    private volatile boolean entered;

    /// The bytes that were taken from the pool; changed under the lock.
    private final AtomicLong reserved = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.

    @GuardedBy("lock")
    private boolean closed;

    /// A run that does not wait has its own bound and takes memory unconditionally.
    public QueryMemory(long limitBytes, MemoryPool pool, boolean waits, Runnable check) {
        this.limitBytes = limitBytes;
        this.pool = pool;
        this.waits = waits;
        this.check = check;
    }

    private long ownBytes() {
        return Math.min(limitBytes / OWN_PART, MAX_OWN_BYTES);
    }

    /// The failure of a run that needs more than its limit.
    StatusException exceeded() {
        return new StatusException(
                Status.PRECONDITION_FAILED,
                "Memory limit exceeded: sorting, grouping and joining of one query may keep at"
                        + " most "
                        + limitBytes
                        + " bytes. Narrow the query down or add a LIMIT");
    }

    /// Counts `more` bytes for an operator, which then has `own` bytes. Returns false if they
    /// exceed the limit of the run or the room in the pool; even then they are counted.
    private boolean grow(long more, long own) {
        long used = USED_BYTES.addAndGet(this, more);
        if (used <= reserved.get() && used <= limitBytes) {
            return true;
        }
        enter(used);
        boolean within = used <= limitBytes && tryReserve(used);
        if (!within) {
            reserve(used);
        }
        return within || own <= ownBytes();
    }

    /// Waits for a grant from the pool, if the run needs one and has none.
    private void enter(long used) {
        if (entered || used <= FREE_BYTES) {
            return;
        }
        entering.lock();
        try {
            if (entered) {
                return;
            }
            long grant = Math.min(GRANT_BYTES, pool.limitBytes() / GRANT_PART);
            if (!waits) {
                pool.take(grant);
            } else if (!pool.await(grant, PATIENCE, check)) {
                throw pool.exhausted("This query", grant);
            }
            lock.lock();
            try {
                reserved.addAndGet(grant);
                entered = true;
                returnIfClosed();
            } finally {
                lock.unlock();
            }
        } finally {
            entering.unlock();
        }
    }

    /// Takes the bytes that are missing to `used` from the pool, if enough remains for grants.
    private boolean tryReserve(long used) {
        lock.lock();
        try {
            long missing = used - reserved.get();
            if (missing <= 0) {
                return true;
            }
            long free = pool.limitBytes() / GRANTS_PART;
            long step = Math.clamp(reserved.get() / 2, MIN_STEP_BYTES, MAX_STEP_BYTES);
            long bytes = Math.max(missing, step);
            if (!pool.tryTake(bytes, free)) {
                bytes = missing;
                if (!pool.tryTake(bytes, free)) {
                    return false;
                }
            }
            reserved.addAndGet(bytes);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Takes the bytes that are missing to `used` from the pool, and waits for them if necessary.
    private void awaitRoom(long used) {
        enter(used);
        if (used <= reserved.get() || tryReserve(used)) {
            return;
        }
        if (waits) {
            awaitMissing(used - reserved.get());
        } else {
            reserve(used);
        }
    }

    private void awaitMissing(long missing) {
        if (!pool.await(missing, PATIENCE, check)) {
            throw pool.exhausted("This query", missing);
        }
        lock.lock();
        try {
            reserved.addAndGet(missing);
            returnIfClosed();
        } finally {
            lock.unlock();
        }
    }

    /// Takes the bytes that are missing to `used`, even beyond the limit of the pool. Each run
    /// takes little this way. If all runs together have taken too much, this run waits.
    private void reserve(long used) {
        long most = pool.limitBytes() + pool.limitBytes() / BEYOND_PART;
        long needed = used - reserved.get();
        if (waits && needed > 0 && pool.usedBytes() + needed > most) {
            awaitMissing(needed);
            return;
        }
        lock.lock();
        try {
            long missing = used - reserved.get();
            if (missing > 0) {
                pool.take(missing);
                reserved.addAndGet(missing);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Gives back to the pool what the run no longer needs.
    private void shrink(long less) {
        long used = USED_BYTES.addAndGet(this, -less);
        if (reserved.get() - used <= MAX_STEP_BYTES) {
            return;
        }
        lock.lock();
        try {
            long unused = reserved.get() - Math.max(usedBytes, GRANT_BYTES);
            if (unused > 0) {
                reserved.addAndGet(-unused);
                pool.give(unused);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void returnIfClosed() {
        if (closed) {
            pool.give(reserved.getAndSet(0));
        }
    }

    /// Called at the end of the run. Gives everything back to the pool.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            returnIfClosed();
        } finally {
            lock.unlock();
        }
    }

    /// Thrown if memory is full and the caller has another way, such as spilling to disk.
    public static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        Full() {
            super("the query has used its memory", null, false, false);
        }
    }

    /// The memory that one operator of the run keeps. Threads: any.
    public static final class Share implements AutoCloseable {
        private final QueryMemory memory;
        private final AtomicLong bytes = new AtomicLong();

        public Share(QueryMemory memory) {
            this.memory = memory;
        }

        /// Counts `more` bytes, or gives bytes back if `more` is negative. Throws [Full] if there
        /// is not enough memory. Every operator can have a little, however much the others have
        /// taken.
        public void add(long more) {
            long own = bytes.addAndGet(more);
            if (more < 0) {
                memory.shrink(-more);
            } else if (!memory.grow(more, own)) {
                throw new Full();
            }
        }

        /// Counts bytes that have their own bound. Never throws `Full`.
        public void count(long more) {
            bytes.addAndGet(more);
            if (more < 0) {
                memory.shrink(-more);
                return;
            }
            long used = USED_BYTES.addAndGet(memory, more);
            if (used > memory.reserved.get()) {
                memory.reserve(used);
            }
        }

        /// Counts bytes that cannot go to disk. Waits for room in the pool, and ends the run if the
        /// run's limit is exceeded.
        public void require(long more) {
            long own = bytes.addAndGet(more);
            long used = USED_BYTES.addAndGet(memory, more);
            if (used > memory.limitBytes && own > memory.ownBytes()) {
                throw memory.exceeded();
            }
            memory.awaitRoom(used);
        }

        /// As [#require], for the state of one group. The group may take the whole limit of the
        /// run, however much the other operators have taken.
        public void requireAlone(long more) {
            long own = bytes.addAndGet(more);
            long used = USED_BYTES.addAndGet(memory, more);
            if (own > memory.limitBytes) {
                throw memory.exceeded();
            }
            memory.awaitRoom(used);
        }

        /// Whether the share exceeds `most` bytes or the run's limit divided by `OWN_PART`.
        public boolean isOver(long most) {
            return bytes.get() > own(most);
        }

        /// The smaller of `most` and the run's limit divided by `OWN_PART`.
        public long own(long most) {
            return Math.min(most, memory.limitBytes / OWN_PART);
        }

        /// Gives back all bytes of the share.
        @Override
        public void close() {
            memory.shrink(bytes.getAndSet(0));
        }
    }

    public static long bytes(Value[] row) {
        return HeapSize.of(row);
    }

    public static long bytes(Value value) {
        return HeapSize.of(value);
    }
}
