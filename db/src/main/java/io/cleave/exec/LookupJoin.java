package io.cleave.exec;

import io.cleave.analysis.JoinKind;
import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.plan.Node;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Joins by looking up, for each left row, the rows of a table by a prefix of its key.
final class LookupJoin {
    /// How many keys are remembered with their rows; many left rows may ask for the same.
    private static final int MAX_REMEMBERED = 1_000;

    /// The most rows that are remembered for one key.
    private static final int MAX_REMEMBERED_ROWS = 16;

    private final JoinKind kind;
    private final Operator left;
    private final int leftWidth;
    private final Evaluation[] keys;
    private final List<Type> keyTypes;
    private final ReadColumns columns;
    private final @Nullable Evaluation filter;

    private LookupJoin(Node.LookupJoin node) {
        kind = node.kind();
        left = Operators.of(node.left());
        leftWidth = node.left().width();
        keys = Operators.compile(node.keys());
        keyTypes = node.table().key().stream().map(Column::type).toList();
        columns = ReadColumns.of(node.table(), node.columns());
        filter = node.filter().map(Evaluator::compile).orElse(null);
    }

    static Operator of(Node.LookupJoin node) {
        var join = new LookupJoin(node);
        return run -> join.new Joined(run, join.left.open(run));
    }

    private final class Joined implements Rows {
        private final Running run;
        private final Rows leftRows;
        private final Value[] joined = new Value[leftWidth + columns.count()];
        private final Map<Bytes, List<Value[]>> remembered = new LinkedHashMap<>();
        private Iterator<Value[]> matches = List.<Value[]>of().iterator();

        Joined(Running run, Rows leftRows) {
            this.run = run;
            this.leftRows = leftRows;
        }

        @Override
        public Value @Nullable [] next() {
            while (true) {
                if (matches.hasNext()) {
                    System.arraycopy(matches.next(), 0, joined, leftWidth, columns.count());
                    return joined;
                }
                Value[] row = leftRows.next();
                if (row == null) {
                    return null;
                }
                List<Value[]> found = find(row);
                if (kind == JoinKind.LEFT_SEMI || kind == JoinKind.LEFT_ONLY) {
                    if (found.isEmpty() == (kind == JoinKind.LEFT_ONLY)) {
                        return row;
                    }
                    continue;
                }
                System.arraycopy(row, 0, joined, 0, leftWidth);
                if (found.isEmpty() && kind == JoinKind.LEFT) {
                    Arrays.fill(joined, leftWidth, joined.length, Value.Null.NULL);
                    return joined;
                }
                matches = found.iterator();
            }
        }

        private List<Value[]> find(Value[] row) {
            Value[] values = Operators.evaluate(keys, row, run.context());
            if (RowKey.hasNull(values)) {
                return List.of();
            }
            Bytes prefix = KeyCodec.encode(keyTypes, values);
            List<Value[]> known = remembered.get(prefix);
            if (known != null) {
                return known;
            }
            List<Value[]> found = values.length == keyTypes.size() ? one(prefix) : several(prefix);
            if (found.size() <= MAX_REMEMBERED_ROWS) {
                if (remembered.size() == MAX_REMEMBERED) {
                    Iterator<Bytes> oldest = remembered.keySet().iterator();
                    oldest.next();
                    oldest.remove();
                }
                remembered.put(prefix, found);
            }
            return found;
        }

        private List<Value[]> one(Bytes key) {
            Value[] row = run.transaction().get(key, columns);
            return row != null && passes(row) ? List.<Value[]>of(row) : List.of();
        }

        private List<Value[]> several(Bytes prefix) {
            List<Value[]> found = new ArrayList<>();
            var range = new KeyRange(prefix, KeyCodec.prefixEnd(prefix));
            try (RowStream rows = run.transaction().scan(range, columns, Direction.FORWARD)) {
                while (rows.next()) {
                    if (passes(rows.row())) {
                        found.add(run.memory().keep(rows.row(), 0));
                    }
                }
            }
            return found;
        }

        private boolean passes(Value[] row) {
            return filter == null || filter.eval(row, run.context()).equals(Value.Bool.TRUE);
        }

        @Override
        public void close() {
            leftRows.close();
        }
    }
}
