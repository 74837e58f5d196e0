package io.cleave.exec;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Value;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/// Counts what one run keeps of its rows, and ends it before it fills the heap. The count is an
/// estimate of what the rows take on the heap. Threads: any.
final class QueryMemory {
    /// One in so many bytes of the limit is each operator's own.
    private static final int OWN_PART = 8;

    private static final int ARRAY_BYTES = 16;
    private static final int REFERENCE_BYTES = 4;
    private static final int BOX_BYTES = 24;

    private final long limitBytes;
    private static final AtomicLongFieldUpdater<QueryMemory> USED_BYTES =
            AtomicLongFieldUpdater.newUpdater(QueryMemory.class, "usedBytes");

    @SuppressWarnings("UnusedVariable") // by way of USED_BYTES
    private volatile long usedBytes;

    QueryMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Whether it may use so much.
    boolean isWithin(long bytes) {
        return bytes <= limitBytes;
    }

    private StatusException exceeded() {
        return new StatusException(
                Status.PRECONDITION_FAILED,
                "Memory limit exceeded: sorting, grouping and joining of one query may keep at"
                        + " most "
                        + limitBytes
                        + " bytes. Narrow the query down or add a LIMIT");
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
            if (USED_BYTES.addAndGet(memory, more) > memory.limitBytes
                    && own > memory.limitBytes / OWN_PART) {
                throw new Full();
            }
        }

        /// The same for what has a bound of its own, and so is never refused.
        void count(long more) {
            bytes.addAndGet(more);
            USED_BYTES.addAndGet(memory, more);
        }

        /// As [#add], for what cannot go to disk: ends the run if there is not so much left.
        void require(long more) {
            try {
                add(more);
            } catch (Full _) {
                throw memory.exceeded();
            }
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
            USED_BYTES.addAndGet(memory, -bytes.getAndSet(0));
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
