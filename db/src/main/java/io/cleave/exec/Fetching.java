package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.plan.Node;
import io.cleave.schema.Column;
import io.cleave.txn.ReadColumns;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// Rows of an index with what the index does not have: each is looked up by its primary key, of
/// which a column may be NULL.
final class Fetching {
    private final Operator input;
    private final int inputWidth;
    private final int[] keys;
    private final List<Type> keyTypes;
    private final ReadColumns columns;
    private final int presence;

    private Fetching(Node.Fetch node) {
        input = Operators.of(node.input());
        inputWidth = node.input().width();
        keys = node.keys().stream().mapToInt(Integer::intValue).toArray();
        keyTypes = node.table().key().stream().map(Column::type).toList();
        columns = ReadColumns.of(node.table(), node.columns());
        presence = node.presence().orElse(-1);
    }

    static Operator of(Node.Fetch node) {
        var fetching = new Fetching(node);
        return run -> fetching.new Fetched(run, fetching.input.open(run));
    }

    private final class Fetched implements Rows {
        private final Running run;
        private final Rows rows;
        private final Value[] whole = new Value[inputWidth + columns.count()];

        Fetched(Running run, Rows rows) {
            this.run = run;
            this.rows = rows;
        }

        @Override
        public Value @Nullable [] next() {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                System.arraycopy(row, 0, whole, 0, inputWidth);
                if (presence >= 0 && row[presence].isNull()) {
                    Arrays.fill(whole, inputWidth, whole.length, Value.Null.NULL);
                    return whole;
                }
                Value[] found = run.transaction().get(key(row), columns);
                if (found != null) {
                    System.arraycopy(found, 0, whole, inputWidth, columns.count());
                    return whole;
                }
            }
            return null;
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
