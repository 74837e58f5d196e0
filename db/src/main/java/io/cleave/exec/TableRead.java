package io.cleave.exec;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.ArrayRows;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.KeySpans.Span;
import io.cleave.plan.PlanNode;
import io.cleave.schema.Column;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowStream;
import io.cleave.txn.Transaction;
import io.cleave.typed.Typed;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Reads a table: one row by its key, or the key ranges that the key predicate gives in the run.
final class TableRead {
    /// The maximum number of keys that are looked up together.
    private static final int MAX_GATHERED = 256;

    private static final Value[] NO_ROW = {};
    private static final Rows NOTHING = new ArrayRows(new Value[0][]);

    private TableRead() {}

    static Operator of(PlanNode.Read node) {
        ReadColumns columns = ReadColumns.of(node.table(), node.columns());
        Typed @Nullable [] key = node.pointRead() ? PointSelect.key(node) : null;
        return key != null
                ? point(columns, Operators.compile(List.of(key)))
                : ranges(node, columns);
    }

    private static Operator point(ReadColumns columns, Evaluation[] key) {
        List<Type> types = columns.table().key().stream().map(Column::type).toList();
        return run -> {
            Value[] values = Operators.evaluate(key, NO_ROW, run.context());
            for (Value value : values) {
                if (value.isNull()) {
                    return NOTHING;
                }
            }
            Value[] row = run.transaction().get(KeyCodec.encode(types, values), columns);
            return row == null ? NOTHING : new OneRow(row);
        };
    }

    private static Operator ranges(PlanNode.Read node, ReadColumns columns) {
        var source = new SpanSource(node);
        Operator byRow =
                run ->
                        new Ranges(
                                run.transaction(),
                                columns,
                                source.spans(run.context()).spans(),
                                node.backward());
        return BatchRows.of(node, List.of(), byRow);
    }

    /// Reads one span after the other. A span is opened when the one before it has ended.
    private static final class Ranges implements Rows {
        private final Transaction transaction;
        private final ReadColumns columns;
        private final List<Span> spans;
        private final boolean backward;
        private int next;
        private @Nullable RowStream stream;

        /// The rows of the keys looked up last; null for a key that does not exist.
        private Value[] @Nullable [] found = {};

        private int nextFound;
        private int wanted = 1;

        Ranges(Transaction transaction, ReadColumns columns, List<Span> spans, boolean backward) {
            this.transaction = transaction;
            this.columns = columns;
            this.spans = spans;
            this.backward = backward;
        }

        @Override
        public Value @Nullable [] next() {
            while (true) {
                while (nextFound < found.length) {
                    Value[] row = found[nextFound++];
                    if (row != null) {
                        return row;
                    }
                }
                if (stream != null) {
                    if (stream.next()) {
                        return stream.row();
                    }
                    close();
                }
                if (next == spans.size()) {
                    return null;
                }
                Span span = span(next);
                if (span.point()) {
                    lookUp();
                } else {
                    next++;
                    Direction direction = backward ? Direction.BACKWARD : Direction.FORWARD;
                    stream = transaction.scan(span.range(), columns, direction);
                }
            }
        }

        private Span span(int number) {
            return spans.get(backward ? spans.size() - 1 - number : number);
        }

        /// Looks up the next keys, up to the next range. The first lookups are small, for a reader
        /// that wants only a few rows.
        private void lookUp() {
            List<Bytes> keys = new ArrayList<>();
            while (next < spans.size() && keys.size() < wanted && span(next).point()) {
                keys.add(span(next).from());
                next++;
            }
            wanted = Math.min(wanted * 4, MAX_GATHERED);
            found = transaction.getAll(keys, columns);
            nextFound = 0;
        }

        @Override
        public void close() {
            if (stream != null) {
                stream.close();
                stream = null;
            }
        }
    }
}
