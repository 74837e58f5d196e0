package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.KeyRange;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The writes of a transaction to one table, kept until its commit, in key order.
final class Effects {
    private final RowCodec codec;
    private final TreeMap<Bytes, Effect> rows = new TreeMap<>();

    Effects(RowCodec codec) {
        this.codec = codec;
    }

    RowCodec codec() {
        return codec;
    }

    NavigableMap<Bytes, Effect> rows() {
        return rows;
    }

    @Nullable Effect get(Bytes key) {
        return rows.get(key);
    }

    void add(Bytes key, RowWrite write) {
        Effect effect = rows.get(key);
        if (effect == null) {
            rows.put(key, new Effect(codec.table().columns().size(), write));
        } else {
            effect.add(write);
        }
    }

    /// The effects in a range, in the order of a scan.
    Iterator<Map.Entry<Bytes, Effect>> in(KeyRange range, Direction direction) {
        NavigableMap<Bytes, Effect> part =
                range.to() == null
                        ? rows.tailMap(range.from(), true)
                        : rows.subMap(range.from(), true, range.to(), false);
        return (direction == Direction.FORWARD ? part : part.descendingMap()).entrySet().iterator();
    }

    /// Counts what a transaction keeps in memory, and stops one that keeps too much.
    static final class Budget {
        /// YDB's own bound for the effects of one transaction.
        static final long MAX_BYTES = 64L << 20;

        private static final long ROW_OVERHEAD_BYTES = 100;

        /// So many bytes of changes are not counted in the pool: most transactions have no more.
        private static final long UNCOUNTED_BYTES = 16L << 10;

        /// The pool is asked for so many bytes at once.
        private static final long STEP_BYTES = 64L << 10;

        private final MemoryPool pool;
        private long usedBytes;
        private long heldBytes;

        Budget(MemoryPool pool) {
            this.pool = pool;
        }

        void add(Bytes key, RowWrite write) {
            usedBytes += ROW_OVERHEAD_BYTES + key.length();
            for (Value value : write.values()) {
                usedBytes += bytes(value);
            }
            if (usedBytes > MAX_BYTES) {
                throw new StatusException(
                        Status.PRECONDITION_FAILED,
                        "A transaction may hold at most "
                                + MAX_BYTES
                                + " bytes of changes: commit in smaller parts, or use BulkUpsert");
            }
            if (usedBytes > heldBytes + UNCOUNTED_BYTES) {
                hold();
            }
        }

        private void hold() {
            long missing = Math.max(STEP_BYTES, usedBytes - heldBytes);
            if (!pool.tryTake(missing)) {
                throw pool.exhausted("This transaction", missing);
            }
            heldBytes += missing;
        }

        /// The transaction has ended.
        void release() {
            pool.give(heldBytes);
            heldBytes = 0;
        }

        private static long bytes(Value value) {
            return switch (value) {
                case Value.Text(String text) -> 16L + text.length();
                case Value.Binary(Bytes binary) -> 16L + binary.length();
                default -> 16;
            };
        }
    }
}
