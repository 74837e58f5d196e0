package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.spill.Partitions;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;
import io.cleave.exec.spill.SpillFile;
import io.cleave.plan.Nodes;
import io.cleave.plan.PlanNode;
import io.cleave.typed.AggregateCall;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Groups rows by their keys in a hash table. Groups come out in the order of their first row.
///
/// When memory is full, rows of groups that are not in the table are written to disk, partitioned
/// by key. Their groups come out after the others. If the state of the aggregates grows too large,
/// all rows are written to disk and grouping starts again. Only the state of one group has to fit
/// into memory; the values of a DISTINCT aggregate can go to disk.
final class Grouping {
    private static final int GROUP_BYTES = 96;
    private static final int ACCUMULATOR_BYTES = 48;

    /// The table accepts at least this number of groups, even if memory is full.
    private static final int MIN_GROUPS = 64;

    /// The key as it is in the group's first row, and the state of the aggregates.
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

    /// For each aggregate over DISTINCT values, the type of its first argument; otherwise empty.
    private final Type[][] distinctTypes;

    private Grouping(PlanNode.Group node) {
        Operator rows = Operators.of(node.input());
        Evaluation[] values = Operators.compile(node.keys());
        if (node.keys().stream().allMatch(Nodes::isSteady)) {
            input = rows;
            keys = values;
        } else {
            // The keys of a row are evaluated again after it was on disk. Keys with a new value at
            // every evaluation are therefore stored with the row.
            int width = node.input().width();
            input = Operators.withValues(rows, values);
            keys = new Evaluation[values.length];
            Arrays.setAll(keys, index -> (row, _) -> row[width + index]);
        }
        keyTypes = node.keys().stream().map(Typed::type).toArray(Type[]::new);
        List<AggregateCall> calls = node.aggregates();
        functions = calls.stream().map(AggregateCall::function).toArray(AggregateFunction[]::new);
        arguments =
                calls.stream()
                        .map(call -> Operators.compile(call.arguments()))
                        .toArray(Evaluation[][]::new);
        distinctTypes =
                calls.stream()
                        .map(
                                call ->
                                        call.function().overDistinct().isPresent()
                                                ? new Type[] {call.arguments().getFirst().type()}
                                                : new Type[0])
                        .toArray(Type[][]::new);
    }

    static Operator of(PlanNode.Group node) {
        var grouping = new Grouping(node);
        return run -> grouping.new Groups(run);
    }

    /// Rows on disk that are not grouped yet. `isOne` means that all of them have the same key;
    /// this is known only after all rows have gone to disk.
    private record Waiting(SpillFile file, int level, boolean isOne) {}

    private final class Groups implements Rows {
        private final Running run;
        private final QueryMemory.Share memory;

        /// The bytes of argument values that the accumulators in the table keep.
        private final QueryMemory.Share kept;

        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private final Map<RowKey, Group> groups = new LinkedHashMap<>();

        /// Takes the rows of new groups when the table is full; null while it is not.
        private @Nullable Partitions beyond;

        private Iterator<Group> results = Collections.emptyIterator();

        Groups(Running run) {
            this.run = run;
            memory = new QueryMemory.Share(run.memory());
            kept = new QueryMemory.Share(run.memory());
            if (keys.length == 0) {
                groups.put(RowKey.ofGroup(keyTypes, new Value[0]), begin(new Value[0]));
            }
            try (Rows rows = input.open(run)) {
                collect(rows, 0);
            } catch (QueryMemory.Full _) {
                forget();
                try (Rows rows = input.open(run)) {
                    part(rows, 0);
                }
            }
        }

        /// Throws [QueryMemory.Full] if the accumulators keep too much.
        private void collect(Rows rows, int level) {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                run.checkpoint().pass();
                add(row, level);
            }
            if (beyond != null) {
                await(beyond, level + 1, false);
                beyond = null;
            }
            results = groups.values().iterator();
        }

        private void await(Partitions parts, int level, boolean all) {
            List<SpillFile> files = parts.files();
            for (int part = 0; part < files.size(); part++) {
                SpillFile file = files.get(part);
                if (file.rows() > 0) {
                    // Depth first: parts of a part come before other parts, so few files exist at a
                    // time.
                    boolean isOne = all && !parts.hasSeveralKeys(part);
                    waiting.push(new Waiting(file, level, isOne));
                } else {
                    run.spill().remove(file);
                }
            }
        }

        private void part(Rows rows, int level) {
            var parts = new Partitions(run.spill(), level);
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                run.checkpoint().pass();
                Value[] key = Operators.evaluate(keys, row, run.context());
                parts.add(RowKey.ofGroup(keyTypes, key), row);
            }
            await(parts, level + 1, true);
        }

        private void add(Value[] row, int level) {
            Value[] key = Operators.evaluate(keys, row, run.context());
            RowKey rowKey = RowKey.ofGroup(keyTypes, key);
            Group group = groups.get(rowKey);
            if (group == null) {
                if (beyond == null && isFull(key)) {
                    beyond = new Partitions(run.spill(), level);
                }
                if (beyond != null) {
                    beyond.add(rowKey, row);
                    return;
                }
                group = begin(key);
                groups.put(rowKey, group);
            }
            for (int index = 0; index < functions.length; index++) {
                Value[] values = Operators.evaluate(arguments[index], row, run.context());
                long bytes = add(group.accumulators[index], values);
                if (bytes != 0) {
                    keep(bytes, level);
                }
            }
        }

        /// When memory is full for the first time, only new groups go to disk: the groups in the
        /// table may need no more memory.
        private void keep(long bytes, int level) {
            try {
                kept.add(bytes);
            } catch (QueryMemory.Full full) {
                if (beyond != null || groups.size() < MIN_GROUPS) {
                    throw full;
                }
                beyond = new Partitions(run.spill(), level);
            }
        }

        /// Returns the change in the bytes that the accumulator keeps; negative if it keeps less
        /// than before.
        private static long add(Accumulator accumulator, Value[] values) {
            long before = accumulator.keptBytes();
            accumulator.add(values);
            return accumulator.keptBytes() - before;
        }

        private boolean isFull(Value[] key) {
            try {
                long keyBytes = 2 * QueryMemory.bytes(key);
                memory.add(keyBytes + GROUP_BYTES + (long) functions.length * ACCUMULATOR_BYTES);
                return false;
            } catch (QueryMemory.Full _) {
                return groups.size() >= MIN_GROUPS;
            }
        }

        private Group begin(Value[] key) {
            var accumulators = new Accumulator[functions.length];
            for (int index = 0; index < functions.length; index++) {
                accumulators[index] = functions[index].begin();
            }
            return new Group(key, accumulators);
        }

        @Override
        public Value @Nullable [] next() {
            while (!results.hasNext()) {
                Waiting part = waiting.poll();
                if (part == null) {
                    return null;
                }
                forget();
                open(part);
                run.spill().remove(part.file());
            }
            Group group = results.next();
            var row = new Value[keys.length + functions.length];
            System.arraycopy(group.key, 0, row, 0, keys.length);
            for (int index = keys.length; index < row.length; index++) {
                row[index] = group.accumulators[index - keys.length].result();
            }
            return row;
        }

        private void open(Waiting part) {
            if (part.isOne()) {
                results = List.of(one(part.file())).iterator();
                return;
            }
            try {
                collect(part.file().read(), part.level());
            } catch (QueryMemory.Full _) {
                forget();
                part(part.file().read(), part.level());
            }
        }

        /// The group of rows that all have the same key. The values of a DISTINCT aggregate go to
        /// disk if they do not fit into memory.
        private Group one(SpillFile file) {
            var accumulators = new Accumulator[functions.length];
            Value[] key = {};
            for (int index = 0; index < functions.length; index++) {
                AggregateFunction function = functions[index];
                accumulators[index] = function.overDistinct().orElse(function).begin();
                if (distinctTypes[index].length > 0) {
                    addDistinct(index, file, accumulators[index]);
                }
            }
            Rows rows = file.read();
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                run.checkpoint().pass();
                key = key.length == 0 ? Operators.evaluate(keys, row, run.context()) : key;
                for (int index = 0; index < functions.length; index++) {
                    if (distinctTypes[index].length == 0) {
                        require(accumulators[index], index, row);
                    }
                }
            }
            return new Group(key, accumulators);
        }

        private void addDistinct(int index, SpillFile file, Accumulator accumulator) {
            Function<Value[], @Nullable RowKey> keyOf =
                    row ->
                            RowKey.ofGroup(
                                    distinctTypes[index],
                                    Operators.evaluate(arguments[index], row, run.context()));
            try (var rows = new DistinctRows(run, file.read(), keyOf)) {
                for (Value[] row = rows.next(); row != null; row = rows.next()) {
                    require(accumulator, index, row);
                }
            }
        }

        /// The state of one group cannot go to disk.
        private void require(Accumulator accumulator, int index, Value[] row) {
            long bytes = add(accumulator, Operators.evaluate(arguments[index], row, run.context()));
            if (bytes > 0) {
                kept.requireAlone(bytes);
            } else if (bytes < 0) {
                kept.add(bytes);
            }
        }

        private void forget() {
            if (beyond != null) {
                beyond.remove(run.spill());
                beyond = null;
            }
            results = Collections.emptyIterator();
            groups.clear();
            kept.close();
            memory.close();
        }

        @Override
        public void close() {
            forget();
            waiting.forEach(part -> run.spill().remove(part.file()));
            waiting.clear();
        }
    }
}
