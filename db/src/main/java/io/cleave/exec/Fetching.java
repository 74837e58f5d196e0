package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.schema.Column;
import io.cleave.txn.ReadColumns;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Adds to the rows of an index the columns that the index does not have. Each row is looked up by
/// its primary key; a column of the primary key may be NULL. Rows are gathered, at first one, then
/// more. The distinct keys of the gathered rows are looked up together in key order. The rows come
/// out in input order.
final class Fetching {
    /// The maximum number of rows that are looked up together.
    static final int MAX_GATHERED = 256;

    /// Limit, in bytes, of the gathered rows and the rows found for them. Fewer rows are gathered
    /// if rows are large.
    private static final long MAX_GATHERED_BYTES = 4 << 20;

    private static final int ENTRY_BYTES = 64;

    private final Operator input;
    private final int inputWidth;
    private final int[] keys;
    private final List<Type> keyTypes;
    private final ReadColumns columns;
    private final int presence;

    private Fetching(PlanNode.Fetch node) {
        input = Operators.of(node.input());
        inputWidth = node.input().width();
        keys = node.keys().stream().mapToInt(Integer::intValue).toArray();
        keyTypes = node.table().key().stream().map(Column::type).toList();
        columns = ReadColumns.of(node.table(), node.columns());
        presence = node.presence().orElse(-1);
    }

    static Operator of(PlanNode.Fetch node) {
        var fetching = new Fetching(node);
        return run -> fetching.new Fetched(run, fetching.input.open(run));
    }

    private final class Fetched implements Rows {
        private final Running run;
        private final Rows rows;
        private final Value[] whole = new Value[inputWidth + columns.count()];
        private final List<Value[]> gathered = new ArrayList<>();

        /// The key of each gathered row; null if the row is not looked up.
        private final List<@Nullable Bytes> rowKeys = new ArrayList<>();

        /// The rows that were found, by key.
        private final Map<Bytes, Value[]> found = new HashMap<>();

        private int wanted = 1;
        private int next;

        Fetched(Running run, Rows rows) {
            this.run = run;
            this.rows = rows;
        }

        @Override
        public Value @Nullable [] next() {
            while (true) {
                run.checkpoint().pass();
                if (next == gathered.size() && !gather()) {
                    return null;
                }
                Value[] row = gathered.get(next);
                Bytes key = rowKeys.get(next);
                next++;
                if (key == null) {
                    System.arraycopy(row, 0, whole, 0, inputWidth);
                    Arrays.fill(whole, inputWidth, whole.length, Value.Null.NULL);
                    return whole;
                }
                Value[] fetched = found.get(key);
                if (fetched != null) {
                    System.arraycopy(row, 0, whole, 0, inputWidth);
                    System.arraycopy(fetched, 0, whole, inputWidth, columns.count());
                    return whole;
                }
            }
        }

        /// Gathers the next rows and looks them up; false if there are no more rows.
        private boolean gather() {
            gathered.clear();
            rowKeys.clear();
            found.clear();
            next = 0;
            long bytes = 0;
            var asked = new TreeSet<Bytes>();
            while (gathered.size() < wanted && bytes < MAX_GATHERED_BYTES) {
                Value[] row = rows.next();
                if (row == null) {
                    break;
                }
                Bytes key = presence >= 0 && row[presence].isNull() ? null : key(row);
                gathered.add(row.clone());
                rowKeys.add(key);
                bytes += ENTRY_BYTES + QueryMemory.bytes(row);
                if (key != null) {
                    asked.add(key);
                }
            }
            bytes += lookUp(new ArrayList<>(asked));
            wanted = nextWanted(bytes);
            return !gathered.isEmpty();
        }

        /// Four times the current number, or fewer if that many rows of the current size would not
        /// fit.
        private int nextWanted(long bytes) {
            long rowBytes = Math.max(1, bytes / Math.max(1, gathered.size()));
            long fitting = Math.clamp(MAX_GATHERED_BYTES / rowBytes, 1, MAX_GATHERED);
            return (int) Math.min(wanted * 4L, fitting);
        }

        /// Returns the bytes that the rows found take.
        private long lookUp(List<Bytes> asked) {
            if (asked.isEmpty()) {
                return 0;
            }
            long bytes = 0;
            Value[] @Nullable [] all = run.transaction().getAll(asked, columns);
            for (int index = 0; index < all.length; index++) {
                Value[] row = all[index];
                if (row != null) {
                    found.put(asked.get(index), row);
                    bytes += ENTRY_BYTES + QueryMemory.bytes(row);
                }
            }
            return bytes;
        }

        private Bytes key(Value[] row) {
            var key = new Value[keys.length];
            for (int index = 0; index < key.length; index++) {
                key[index] = row[keys[index]];
            }
            return KeyCodec.encode(keyTypes, key);
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
