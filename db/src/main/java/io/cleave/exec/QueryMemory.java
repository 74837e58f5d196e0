package io.cleave.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.value.Value;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;

/// Counts what one run keeps of its rows, and takes it from the pool of all runs before the heap is
/// full. The count is an estimate of what the rows take on the heap.
///
/// A run that keeps more than a few rows waits until the pool lets it in, and gets OVERLOADED when
/// its turn does not come in time. From then on it goes on by itself: it has a grant, which is
/// enough for a few operators that put their rows on disk, and grows beyond it as long as the pool
/// has room. An operator that cannot have more puts its rows on disk. So runs that are at work
/// never wait for each other.
///
/// Invariant: what the run keeps was taken from the pool.
///
/// Threads: any.
final class QueryMemory implements AutoCloseable {
    /// One in so many bytes of the limit is each operator's own.
    private static final int OWN_PART = 8;

    /// An operator's own bytes are not more than this, whatever the limit.
    private static final long MAX_OWN_BYTES = 256L << 10;

    /// A run that keeps no more than this need not wait to be let in.
    private static final long FREE_BYTES = 64L << 10;

    /// What a run has when it was let in.
    private static final long GRANT_BYTES = 1L << 20;

    /// A grant is not more than one in so many bytes of the pool.
    private static final int GRANT_PART = 16;

    /// One in so many bytes of the pool is for grants alone.
    private static final int GRANTS_PART = 4;

    /// The pool is asked for at least so many bytes at once, and for more the more the run has.
    private static final long MIN_STEP_BYTES = 64L << 10;

    private static final long MAX_STEP_BYTES = 4L << 20;

    /// How long a run waits for its turn in the pool.
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int ARRAY_BYTES = 16;
    private static final int REFERENCE_BYTES = 4;
    private static final int BOX_BYTES = 24;

    private static final AtomicLongFieldUpdater<QueryMemory> USED_BYTES =
            AtomicLongFieldUpdater.newUpdater(QueryMemory.class, "usedBytes");

    private final long limitBytes;
    private final MemoryPool pool;
    private final boolean waits;

    /// Throws if the run should end.
    private final Runnable check;

    /// Held while the run waits to be let in, by the first of its threads.
    private final ReentrantLock entering = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    private volatile long usedBytes;

    private volatile boolean entered;

    /// What was taken from the pool; changed under the lock.
    private final AtomicLong reserved = new AtomicLong();

    @GuardedBy("lock")
    private boolean closed;

    /// A run that does not wait has a bound of its own, and takes what it needs in any case.
    QueryMemory(long limitBytes, MemoryPool pool, boolean waits, Runnable check) {
        this.limitBytes = limitBytes;
        this.pool = pool;
        this.waits = waits;
        this.check = check;
    }

    private long ownBytes() {
        return Math.min(limitBytes / OWN_PART, MAX_OWN_BYTES);
    }

    /// For a run that needs more than it may have.
    StatusException exceeded() {
        return new StatusException(
                Status.PRECONDITION_FAILED,
                "Memory limit exceeded: sorting, grouping and joining of one query may keep at"
                        + " most "
                        + limitBytes
                        + " bytes. Narrow the query down or add a LIMIT");
    }

    /// So many bytes more are in use by an operator that has `own` bytes by now. False when they
    /// are more than the run may have, or than the pool has: they are counted all the same.
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

    /// Waits until the pool has a grant for the run, if it needs one and has none.
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

    /// Takes what is missing to `used` from the pool, if that leaves enough for grants.
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

    /// Takes what is missing to `used` from the pool, and waits for it if it has to.
    private void awaitRoom(long used) {
        enter(used);
        long missing = used - reserved.get();
        if (missing <= 0 || tryReserve(used)) {
            return;
        }
        if (!waits) {
            reserve(used);
            return;
        }
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

    /// Takes what is missing to `used` in any case.
    private void reserve(long used) {
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

    /// Gives the pool what the run does not need any more.
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

    /// The run has ended: the pool gets everything back.
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

    /// Thrown where what does not fit into memory can go another way.
    static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        Full() {
            super("the query has used its memory", null, false, false);
        }
    }

    /// What one operator of the run keeps. Threads: any.
    static final class Share implements AutoCloseable {
        private final QueryMemory memory;
        private final AtomicLong bytes = new AtomicLong();

        Share(QueryMemory memory) {
            this.memory = memory;
        }

        /// Throws [Full] if there is not so much left. A little is there for every operator,
        /// whatever the others have taken.
        void add(long more) {
            long own = bytes.addAndGet(more);
            if (more < 0) {
                memory.shrink(-more);
            } else if (!memory.grow(more, own)) {
                throw new Full();
            }
        }

        /// The same for what has a bound of its own, and so is never refused.
        void count(long more) {
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

        /// As [#add], for what cannot go to disk: waits for its turn, and ends the run if there is
        /// not so much left.
        void require(long more) {
            long own = bytes.addAndGet(more);
            long used = USED_BYTES.addAndGet(memory, more);
            if (used > memory.limitBytes && own > memory.ownBytes()) {
                throw memory.exceeded();
            }
            memory.awaitRoom(used);
        }

        /// As [#require], for one group: what it keeps may be as much as the run may have, whatever
        /// the others have.
        void requireAlone(long more) {
            long own = bytes.addAndGet(more);
            long used = USED_BYTES.addAndGet(memory, more);
            if (own > memory.limitBytes) {
                throw memory.exceeded();
            }
            memory.awaitRoom(used);
        }

        /// Whether it is more than so much, or than what is there for every operator.
        boolean isOver(long most) {
            return bytes.get() > own(most);
        }

        /// So much, or what is there for every operator if that is less.
        long own(long most) {
            return Math.min(most, memory.limitBytes / OWN_PART);
        }

        /// Gives all of it back.
        @Override
        public void close() {
            memory.shrink(bytes.getAndSet(0));
        }
    }

    static long bytes(Value[] row) {
        long bytes = ARRAY_BYTES;
        for (Value value : row) {
            bytes += REFERENCE_BYTES + bytes(value);
        }
        return bytes;
    }

    static long bytes(Value value) {
        return switch (value) {
            case Value.Null _, Value.Bool _ -> 0;
            case Value.Int _, Value.Real _ -> BOX_BYTES;
            case Value.Int128 _ -> BOX_BYTES + Long.BYTES;
            case Value.Text(String text) -> BOX_BYTES * 2 + text.length();
            case Value.Binary(var data) -> BOX_BYTES * 3 + data.length();
            case Value.Items(List<Value> items) -> bytes(items);
            case Value.Pairs(List<Value.Pair> pairs) -> {
                long sum = BOX_BYTES;
                for (Value.Pair pair : pairs) {
                    sum += BOX_BYTES + bytes(pair.key()) + bytes(pair.payload());
                }
                yield sum;
            }
            case Value.Choice(_, Value chosen) -> BOX_BYTES + bytes(chosen);
            case Value.Just(Value item) -> BOX_BYTES + bytes(item);
        };
    }

    private static long bytes(List<Value> items) {
        long sum = BOX_BYTES;
        for (Value item : items) {
            sum += REFERENCE_BYTES + bytes(item);
        }
        return sum;
    }
}
