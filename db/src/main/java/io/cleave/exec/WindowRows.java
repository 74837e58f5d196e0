package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.plan.PlanNode;
import io.cleave.typed.Typed;
import io.cleave.typed.WindowCall;
import io.cleave.typed.WindowFunction;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Appends the results of window functions to each row. The input is sorted, so a partition is a
/// sequence of rows with equal keys. A partition is read completely, then returned row by row with
/// its results, before the next partition is read.
final class WindowRows {
    private final Operator input;
    private final Evaluation[] partition;
    private final Type[] partitionTypes;
    private final Evaluation[] order;
    private final Type[] orderTypes;
    private final List<WindowCall> calls;
    private final WindowLambdas lambdas;

    /// The arguments of all calls one after the other, followed by the key that a RANGE with
    /// offsets is measured by.
    private final Evaluation[] arguments;

    /// Where the arguments of each call begin. The additional last element is where the arguments
    /// of the last call end.
    private final int[] argumentsFrom;

    private final WindowFrames[] frames;
    private final int width;

    private WindowRows(PlanNode.Window node) {
        input = Operators.of(node.input());
        partition = Operators.compile(node.partition());
        partitionTypes = types(node.partition());
        order = Operators.compile(node.order());
        orderTypes = types(node.order());
        calls = node.calls();
        lambdas = new WindowLambdas(calls);
        List<Typed> given =
                new ArrayList<>(calls.stream().flatMap(c -> c.arguments().stream()).toList());
        if (calls.stream().anyMatch(call -> call.frame().key().isPresent())) {
            given.add(node.order().getFirst());
        }
        arguments = Operators.compile(given);
        argumentsFrom = new int[calls.size() + 1];
        for (int call = 0; call < calls.size(); call++) {
            argumentsFrom[call + 1] = argumentsFrom[call] + calls.get(call).arguments().size();
        }
        frames =
                calls.stream()
                        .map(call -> new WindowFrames(call.frame()))
                        .toArray(WindowFrames[]::new);
        width = node.input().width();
    }

    private static Type[] types(List<Typed> values) {
        return RowKey.array(values.stream().map(Typed::type).toList());
    }

    static Operator of(PlanNode.Window node) {
        var window = new WindowRows(node);
        return run -> window.new Results(run);
    }

    private final class Results implements Rows {
        private final Running run;
        private final Rows rows;
        private final List<WindowFunction> functions;
        private final WindowPartition current;
        private final List<IntFunction<Value>> results = new ArrayList<>();
        private final Value[] output = new Value[width + calls.size()];
        private final WindowFrames.Fixed[] fixedFrames = new WindowFrames.Fixed[calls.size()];
        private Value @Nullable [] ahead;
        private boolean begun;
        private int next;

        Results(Running run) {
            this.run = run;
            functions = lambdas.bound(run.context());
            for (int index = 0; index < fixedFrames.length; index++) {
                fixedFrames[index] = frames[index].fixed(run.context());
            }
            rows = input.open(run);
            current = new WindowPartition(run, orderTypes, argumentsFrom);
        }

        @Override
        public Value @Nullable [] next() {
            if (!begun) {
                begun = true;
                ahead = rows.next();
            }
            if (next == current.size() && !nextPartition()) {
                return null;
            }
            System.arraycopy(current.row(next), 0, output, 0, width);
            for (int index = 0; index < results.size(); index++) {
                output[width + index] = results.get(index).apply(next);
            }
            next++;
            return output;
        }

        private boolean nextPartition() {
            current.clear();
            next = 0;
            Value[] first = ahead;
            if (first == null) {
                return false;
            }
            RowKey key = key(first);
            Value[] row = first;
            do {
                add(row);
                row = rows.next();
            } while (row != null && key(row).equals(key));
            ahead = row;
            results.clear();
            for (int index = 0; index < fixedFrames.length; index++) {
                results.add(functions.get(index).over(current.of(index, fixedFrames[index])));
            }
            return true;
        }

        private RowKey key(Value[] row) {
            return RowKey.ofGroup(
                    partitionTypes, Operators.evaluate(partition, row, run.context()));
        }

        private void add(Value[] row) {
            current.add(
                    row,
                    Operators.evaluate(order, row, run.context()),
                    Operators.evaluate(arguments, row, run.context()));
        }

        @Override
        public void close() {
            current.close();
            rows.close();
        }
    }
}
