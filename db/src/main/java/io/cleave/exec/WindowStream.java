package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.typed.Typed;
import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFunction;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Window functions that do not depend on later rows. Each row is returned as soon as it is read.
/// No rows are kept, only the state of the functions.
final class WindowStream {
    private final Operator input;
    private final Evaluation[] partition;
    private final Type[] partitionTypes;
    private final Evaluation[] order;
    private final Type[] orderTypes;
    private final Evaluation[][] arguments;
    private final List<WindowCall> calls;
    private final WindowLambdas lambdas;
    private final int width;

    private WindowStream(PlanNode.Window node) {
        input = Operators.of(node.input());
        partition = Operators.compile(node.partition());
        partitionTypes = types(node.partition());
        order = Operators.compile(node.order());
        orderTypes = types(node.order());
        arguments =
                node.calls().stream()
                        .map(call -> Operators.compile(call.arguments()))
                        .toArray(Evaluation[][]::new);
        calls = node.calls();
        lambdas = new WindowLambdas(calls);
        width = node.input().width();
    }

    private static Type[] types(List<Typed> values) {
        return RowKey.array(values.stream().map(Typed::type).toList());
    }

    /// The operator; empty if any call needs later rows.
    static Optional<Operator> of(PlanNode.Window node) {
        if (node.calls().stream()
                .anyMatch(call -> call.function().running(call.frame()).isEmpty())) {
            return Optional.empty();
        }
        var stream = new WindowStream(node);
        return Optional.of(run -> stream.new Results(run));
    }

    private final class Results implements Rows {
        private final Running run;
        private final Rows rows;
        private final QueryMemory.Share memory;
        private final List<Supplier<WindowFunction.Running>> makers = new ArrayList<>();
        private final WindowFunction.Running[] functions = new WindowFunction.Running[calls.size()];
        private final Value[] output = new Value[width + calls.size()];
        private @Nullable RowKey key;
        private Value[] lastOrder = {};

        Results(Running run) {
            this.run = run;
            memory = new QueryMemory.Share(run.memory());
            List<WindowFunction> bound = lambdas.bound(run.context());
            for (int index = 0; index < functions.length; index++) {
                makers.add(bound.get(index).running(calls.get(index).frame()).orElseThrow());
            }
            this.rows = input.open(run);
        }

        @Override
        public Value @Nullable [] next() {
            Value[] row = rows.next();
            if (row == null) {
                return null;
            }
            boolean first = begin(row);
            Value[] ordered = Operators.evaluate(order, row, run.context());
            boolean peer = !first && equal(lastOrder, ordered);
            lastOrder = ordered;
            System.arraycopy(row, 0, output, 0, width);
            for (int index = 0; index < functions.length; index++) {
                Value[] given = Operators.evaluate(arguments[index], row, run.context());
                WindowFunction.Running function = functions[index];
                long before = function.keptBytes();
                output[width + index] = function.next(given, peer);
                long more = function.keptBytes() - before;
                if (more > 0) {
                    memory.require(more);
                } else if (more < 0) {
                    memory.add(more);
                }
            }
            return output;
        }

        /// Whether the row is the first of its partition. If so, the functions start again.
        private boolean begin(Value[] row) {
            RowKey next =
                    RowKey.ofGroup(
                            partitionTypes, Operators.evaluate(partition, row, run.context()));
            if (key != null && key.equals(next)) {
                return false;
            }
            key = next;
            memory.close();
            for (int index = 0; index < functions.length; index++) {
                functions[index] = makers.get(index).get();
            }
            return true;
        }

        private boolean equal(Value[] left, Value[] right) {
            for (int index = 0; index < orderTypes.length; index++) {
                if (Order.compare(orderTypes[index], left[index], right[index]) != 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            rows.close();
            memory.close();
        }
    }
}
