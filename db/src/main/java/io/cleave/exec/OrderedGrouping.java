package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Groups rows whose groups follow each other. A group is returned when the first row of the next
/// one is read, so a LIMIT above it ends the scan early. The state of one group is kept at a time,
/// and has to fit into memory.
final class OrderedGrouping {
    private final Operator input;
    private final Evaluation[] keys;
    private final Type[] keyTypes;
    private final AggregateFunction[] functions;
    private final Evaluation[][] arguments;

    private OrderedGrouping(PlanNode.Group node) {
        input = Operators.of(node.input());
        keys = Operators.compile(node.keys());
        keyTypes = node.keys().stream().map(Typed::type).toArray(Type[]::new);
        List<AggregateCall> calls = node.aggregates();
        functions = calls.stream().map(AggregateCall::function).toArray(AggregateFunction[]::new);
        arguments =
                calls.stream()
                        .map(call -> Operators.compile(call.arguments()))
                        .toArray(Evaluation[][]::new);
    }

    static Operator of(PlanNode.Group node) {
        var grouping = new OrderedGrouping(node);
        return run -> grouping.new Groups(run, grouping.input.open(run));
    }

    private final class Groups implements Rows {
        private final Running run;
        private final Rows rows;

        /// The bytes that the accumulators of the current group keep.
        private final QueryMemory.Share kept;

        private final Accumulator[] accumulators = new Accumulator[functions.length];

        /// The key of the group whose first row was read; null before the first group and after the
        /// last one.
        private Value @Nullable [] key;

        /// The key, to compare.
        private RowKey rowKey = RowKey.ofValues(new Value[0]);

        private boolean begun;

        Groups(Running run, Rows rows) {
            this.run = run;
            this.rows = rows;
            kept = new QueryMemory.Share(run.memory());
        }

        @Override
        public Value @Nullable [] next() {
            if (!begun) {
                begun = true;
                begin(rows.next());
            }
            Value[] current = key;
            if (current == null) {
                return null;
            }
            while (true) {
                run.checkpoint().pass();
                Value[] row = rows.next();
                if (row == null) {
                    return ended(current, null);
                }
                RowKey other =
                        RowKey.ofGroup(keyTypes, Operators.evaluate(keys, row, run.context()));
                if (!other.equals(rowKey)) {
                    return ended(current, row);
                }
                add(row);
            }
        }

        /// The row of the group with this key. The next group begins with `next`.
        private Value[] ended(Value[] current, Value @Nullable [] next) {
            var result = new Value[keys.length + functions.length];
            System.arraycopy(current, 0, result, 0, keys.length);
            for (int index = 0; index < functions.length; index++) {
                result[keys.length + index] = accumulators[index].result();
            }
            begin(next);
            return result;
        }

        private void begin(Value @Nullable [] first) {
            kept.close();
            if (first == null) {
                key = null;
                return;
            }
            Value[] values = Operators.evaluate(keys, first, run.context());
            key = values;
            rowKey = RowKey.ofGroup(keyTypes, values);
            for (int index = 0; index < functions.length; index++) {
                accumulators[index] = functions[index].begin();
            }
            add(first);
        }

        private void add(Value[] row) {
            for (int index = 0; index < functions.length; index++) {
                Accumulator accumulator = accumulators[index];
                long before = accumulator.keptBytes();
                accumulator.add(Operators.evaluate(arguments[index], row, run.context()));
                long bytes = accumulator.keptBytes() - before;
                if (bytes > 0) {
                    kept.requireAlone(bytes);
                } else if (bytes < 0) {
                    kept.add(bytes);
                }
            }
        }

        @Override
        public void close() {
            kept.close();
            rows.close();
        }
    }
}
