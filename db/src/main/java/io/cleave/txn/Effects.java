package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.codec.RowCodec;
import io.cleave.memory.MemoryPool;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.value.HeapSize;
import io.cleave.value.Value;
import io.cleave.value.Value.Null;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The writes of a transaction to one table, in key order. They are kept until the commit.
final class Effects {
    private final RowCodec codec;
    private final TreeMap<Bytes, Effect> rows = new TreeMap<>();

    Effects(RowCodec codec) {
        this.codec = codec;
    }

    RowCodec codec() {
        return codec;
    }

    Table table() {
        return codec.table();
    }

    NavigableMap<Bytes, Effect> rows() {
        return rows;
    }

    @Nullable Effect get(Bytes key) {
        return rows.get(key);
    }

    /// Whether a read of the key needs the stored row.
    boolean needs(Bytes key) {
        Effect effect = rows.get(key);
        return effect == null || effect.keepsStored();
    }

    void add(Bytes key, RowWrite write) {
        Effect effect = rows.get(key);
        if (effect == null) {
            rows.put(key, new Effect(codec.table().columns().size(), write));
        } else {
            effect.add(write);
        }
    }

    /// The requested columns of a row with an effect: from the effect where it sets them, else from
    /// `stored`, the requested columns of the stored row. Null if there is no such row.
    Value @Nullable [] over(
            Value @Nullable [] stored, Bytes key, Effect effect, ReadColumns columns) {
        if (effect.erases()) {
            return null;
        }
        Value @Nullable [] kept = effect.keepsStored() ? stored : null;
        Value[] values = new Value[columns.count()];
        Value @Nullable [] keyValues = null;
        for (int index = 0; index < values.length; index++) {
            int column = columns.index(index);
            int keyPosition = codec.keyPosition(column);
            if (keyPosition >= 0) {
                if (keyValues == null) {
                    keyValues = codec.decodeKey(key);
                }
                values[index] = keyValues[keyPosition];
                continue;
            }
            Value own = effect.value(column);
            values[index] = own != null ? own : kept == null ? Null.NULL : kept[index];
        }
        return values;
    }

    /// Puts the requested columns of the rows with these keys into `rows`, beginning at `at`.
    /// `stored` has the stored rows of the keys that [#needs] names.
    void overAll(
            Value[] @Nullable [] stored,
            List<Bytes> keys,
            ReadColumns columns,
            Value[] @Nullable [] rows,
            int at) {
        int next = 0;
        for (int index = 0; index < keys.size(); index++) {
            Bytes key = keys.get(index);
            Effect own = get(key);
            Value @Nullable [] row = own == null || own.keepsStored() ? stored[next++] : null;
            rows[at + index] = own == null ? row : over(row, key, own, columns);
        }
    }

    /// The effects in a range, in scan order.
    Iterator<Map.Entry<Bytes, Effect>> in(KeyRange range, Direction direction) {
        NavigableMap<Bytes, Effect> part =
                range.to() == null
                        ? rows.tailMap(range.from(), true)
                        : rows.subMap(range.from(), true, range.to(), false);
        return (direction == Direction.FORWARD ? part : part.descendingMap()).entrySet().iterator();
    }

    /// Counts the memory that a transaction uses for its writes, and stops a transaction that uses
    /// too much.
    static final class Budget {
        /// The limit that YDB has for one transaction.
        static final long MAX_BYTES = 64L << 20;

        private static final long ROW_OVERHEAD_BYTES = 100;

        /// Memory for a column of a row, whether it is written or not.
        private static final long COLUMN_BYTES = 4;

        /// This many bytes are not counted in the pool while a request of the transaction runs.
        /// Most transactions need no more.
        private static final long UNCOUNTED_BYTES = 16L << 10;

        /// Up to this heap size, texts are counted with two bytes for each character. Examining
        /// their characters would take longer than writing the rows.
        private static final long ROUGH_BYTES = 1L << 20;

        /// The amount requested from the pool at once.
        private static final long STEP_BYTES = 64L << 10;

        private final MemoryPool pool;

        /// The size of the user's writes, for the limit of one transaction.
        private long usedBytes;

        /// The heap size of the writes; an upper bound while it is below [#ROUGH_BYTES].
        private long heapBytes;

        /// The bytes taken from the pool.
        private long heldBytes;

        Budget(MemoryPool pool) {
            this.pool = pool;
        }

        void add(Bytes key, RowWrite write, int columnCount) {
            usedBytes += ROW_OVERHEAD_BYTES + key.length();
            heapBytes += ROW_OVERHEAD_BYTES + key.length() + COLUMN_BYTES * columnCount;
            for (Value value : write.values()) {
                usedBytes += bytes(value);
                heapBytes += heapBytes < ROUGH_BYTES ? HeapSize.atMost(value) : HeapSize.of(value);
            }
            if (usedBytes > MAX_BYTES) {
                throw new StatusException(
                        Status.PRECONDITION_FAILED,
                        "A transaction may hold at most "
                                + MAX_BYTES
                                + " bytes of changes: commit in smaller parts, or use BulkUpsert");
            }
            if (heapBytes > heldBytes + UNCOUNTED_BYTES) {
                hold(Math.max(STEP_BYTES, heapBytes - heldBytes));
            }
        }

        /// Called when the transaction stays open between requests: from now on everything is
        /// counted.
        void countAll() {
            if (heapBytes > heldBytes) {
                hold(heapBytes - heldBytes);
            }
        }

        private void hold(long missing) {
            if (!pool.tryTake(missing)) {
                throw pool.exhausted("This transaction", missing);
            }
            heldBytes += missing;
        }

        /// Called at the end of the transaction.
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
