package io.cleave.exec;

import io.cleave.analysis.AggregateCall;
import io.cleave.analysis.AggregateFunction;
import io.cleave.analysis.AggregateFunction.Accumulator;
import io.cleave.analysis.Typed;
import io.cleave.plan.Node;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Groups rows by their keys in a hash table; groups come out in the order of their first row.
final class Grouping {
    private static final int GROUP_BYTES = 96;
    private static final int ACCUMULATOR_BYTES = 48;

    /// The entry of a value that an accumulator keeps.
    private static final int VALUE_BYTES = 48;

    /// The key as it was first met, and what its rows have come to.
    private static final class Group {
        private final Value[] key;
        private final Accumulator[] accumulators;

        Group(Value[] key, Accumulator[] accumulators) {
            this.key = key;
            this.accumulators = accumulators;
        }
    }

    private final Operator input;
    private final Evaluation[] keys;
    private final Type[] keyTypes;
    private final AggregateFunction[] functions;
    private final Evaluation[][] arguments;

    private Grouping(Node.Group node) {
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

    static Operator of(Node.Group node) {
        return new Grouping(node)::open;
    }

    private Rows open(Running run) {
        Map<RowKey, Group> groups = new LinkedHashMap<>();
        if (keys.length == 0) {
            groups.put(RowKey.ofGroup(keyTypes, new Value[0]), begin(new Value[0], run));
        }
        try (Rows rows = input.open(run)) {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                add(groups, row, run);
            }
        }
        return new Results(groups.values().iterator(), keys.length, functions.length);
    }

    private void add(Map<RowKey, Group> groups, Value[] row, Running run) {
        Value[] key = Operators.evaluate(keys, row, run.context());
        RowKey rowKey = RowKey.ofGroup(keyTypes, key);
        Group group = groups.get(rowKey);
        if (group == null) {
            group = begin(key, run);
            groups.put(rowKey, group);
        }
        for (int index = 0; index < functions.length; index++) {
            Value[] values = Operators.evaluate(arguments[index], row, run.context());
            Accumulator accumulator = group.accumulators[index];
            int keptBefore = accumulator.keptCount();
            accumulator.add(values);
            if (accumulator.keptCount() > keptBefore) {
                run.memory().keep(values, VALUE_BYTES);
            }
        }
    }

    private Group begin(Value[] key, Running run) {
        Value[] kept = run.memory().keep(key, GROUP_BYTES + functions.length * ACCUMULATOR_BYTES);
        var accumulators = new Accumulator[functions.length];
        for (int index = 0; index < functions.length; index++) {
            accumulators[index] = functions[index].begin();
        }
        return new Group(kept, accumulators);
    }

    private static final class Results implements Rows {
        private final Iterator<Group> groups;
        private final int keyCount;
        private final Value[] row;

        Results(Iterator<Group> groups, int keyCount, int aggregateCount) {
            this.groups = groups;
            this.keyCount = keyCount;
            this.row = new Value[keyCount + aggregateCount];
        }

        @Override
        public Value @Nullable [] next() {
            if (!groups.hasNext()) {
                return null;
            }
            Group group = groups.next();
            System.arraycopy(group.key, 0, row, 0, keyCount);
            for (int index = keyCount; index < row.length; index++) {
                row[index] = group.accumulators[index - keyCount].result();
            }
            return row;
        }
    }
}
