package io.cleave.exec;

import io.cleave.exec.eval.Evaluation;
import io.cleave.exec.eval.Evaluator;
import io.cleave.exec.spill.ArrayRows;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.Rows;
import io.cleave.exec.spill.SortedRuns;
import io.cleave.plan.PlanNode;
import io.cleave.typed.Relation.SortKey;
import io.cleave.typed.Typed;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/// Sorts rows. Rows with equal keys keep their order. With a small LIMIT, only the rows within the
/// limit are kept in memory. Otherwise rows that do not fit into memory go to disk.
final class Sorting {
    private static final int ENTRY_BYTES = 48;

    /// The maximum number of rows that are kept in a heap instead of sorting all rows.
    private static final long MAX_HEAP_ROWS = 100_000;

    /// A row, its sort keys, and its position in the input.
    static final class Entry {
        final Value[] keys;
        final Value[] row;
        final long arrival;

        Entry(Value[] keys, Value[] row, long arrival) {
            this.keys = keys;
            this.row = row;
            this.arrival = arrival;
        }
    }

    private final Operator input;
    private final Evaluation[] keys;
    private final Type[] types;
    private final boolean[] descending;
    private final Comparator<Entry> order;
    private final Optional<Evaluation> count;
    private final Optional<Evaluation> offset;

    private Sorting(PlanNode.Sort node) {
        input = Operators.of(node.input());
        List<Typed> values = node.keys().stream().map(SortKey::value).toList();
        keys = Operators.compile(values);
        types = values.stream().map(Typed::type).toArray(Type[]::new);
        descending = new boolean[types.length];
        for (int index = 0; index < descending.length; index++) {
            descending[index] = node.keys().get(index).descending();
        }
        order =
                (left, right) -> {
                    int byKeys = compare(types, descending, left.keys, right.keys);
                    return byKeys != 0 ? byKeys : Long.compare(left.arrival, right.arrival);
                };
        count = node.count().map(Evaluator::compile);
        offset = node.offset().map(Evaluator::compile);
    }

    static Operator of(PlanNode.Sort node) {
        return new Sorting(node)::open;
    }

    static int compare(Type[] types, boolean[] descending, Value[] left, Value[] right) {
        for (int index = 0; index < types.length; index++) {
            int order = Order.compare(types[index], left[index], right[index]);
            if (order != 0) {
                return descending[index] ? -order : order;
            }
        }
        return 0;
    }

    private Rows open(Running run) {
        long skipped = Operators.rowCount(offset, run.context(), 0);
        long passed = Operators.rowCount(count, run.context(), Long.MAX_VALUE);
        boolean bounded = passed <= MAX_HEAP_ROWS && skipped <= MAX_HEAP_ROWS - passed;
        if (!bounded) {
            return all(run, skipped, passed);
        }
        List<Entry> sorted;
        try (var memory = new QueryMemory.Share(run.memory())) {
            sorted = best((int) (skipped + passed), run, memory);
        } catch (QueryMemory.Full _) {
            return all(run, skipped, passed);
        }
        sorted.sort(order);
        int from = (int) Math.min(skipped, sorted.size());
        int to = (int) Math.min(sorted.size() - from, passed) + from;
        var rows = new Value[to - from][];
        for (int index = from; index < to; index++) {
            rows[index - from] = sorted.get(index).row;
        }
        return new ArrayRows(rows);
    }

    /// Sorts all rows. The sort keys are stored in front of each row.
    private Rows all(Running run, long skipped, long passed) {
        int keyCount = keys.length;
        var sorting =
                new SortedRuns(
                        (left, right) -> compare(types, descending, left, right), run.spill());
        try (Rows rows = input.open(run)) {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                var keyed = new Value[keyCount + row.length];
                for (int index = 0; index < keyCount; index++) {
                    keyed[index] = keys[index].eval(row, run.context());
                }
                System.arraycopy(row, 0, keyed, keyCount, row.length);
                sorting.add(keyed);
            }
        }
        Rows sorted = sorting.sorted();
        return LimitRows.of(
                new Rows() {
                    @Override
                    public Value @Nullable [] next() {
                        Value[] keyed = sorted.next();
                        return keyed == null
                                ? null
                                : Arrays.copyOfRange(keyed, keyCount, keyed.length);
                    }

                    @Override
                    public void close() {
                        sorting.close();
                    }
                },
                skipped,
                passed);
    }

    /// The first `rowCount` rows of the order, unsorted.
    private List<Entry> best(int rowCount, Running run, QueryMemory.Share memory) {
        var heap = new PriorityQueue<Entry>(order.reversed());
        long arrival = 0;
        try (Rows rows = input.open(run)) {
            for (Value[] row = rows.next(); row != null && rowCount > 0; row = rows.next()) {
                run.checkpoint().pass();
                Value[] keyValues = Operators.evaluate(keys, row, run.context());
                var entry = new Entry(keyValues, row, arrival++);
                boolean full = heap.size() == rowCount;
                if (full && order.compare(entry, heap.element()) >= 0) {
                    continue;
                }
                if (full) {
                    memory.add(-ENTRY_BYTES - QueryMemory.bytes(heap.remove().row));
                }
                memory.add(ENTRY_BYTES + QueryMemory.bytes(row));
                heap.add(new Entry(keyValues, row.clone(), entry.arrival));
            }
        }
        return new ArrayList<>(heap);
    }
}
