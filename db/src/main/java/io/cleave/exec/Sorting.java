package io.cleave.exec;

import io.cleave.analysis.Relation.SortKey;
import io.cleave.analysis.Typed;
import io.cleave.plan.Node;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/// Sorts rows in memory. Rows with equal keys keep their order. With a LIMIT only as many rows are
/// kept as it asks for.
final class Sorting {
    private static final int ENTRY_BYTES = 48;

    /// The most rows for which a heap of the best is kept instead of all rows.
    private static final long MAX_HEAP_ROWS = 100_000;

    /// A row, what it is sorted by, and its place among all rows.
    private static final class Entry {
        private final Value[] keys;
        private final Value[] row;
        private final long arrival;

        Entry(Value[] keys, Value[] row, long arrival) {
            this.keys = keys;
            this.row = row;
            this.arrival = arrival;
        }
    }

    private final Operator input;
    private final Evaluation[] keys;
    private final Comparator<Entry> order;
    private final Optional<Evaluation> count;
    private final Optional<Evaluation> offset;

    private Sorting(Node.Sort node) {
        input = Operators.of(node.input());
        List<Typed> values = node.keys().stream().map(SortKey::value).toList();
        keys = Operators.compile(values);
        Type[] types = values.stream().map(Typed::type).toArray(Type[]::new);
        var descending = new boolean[types.length];
        for (int index = 0; index < descending.length; index++) {
            descending[index] = node.keys().get(index).descending();
        }
        order = (left, right) -> compare(types, descending, left, right);
        count = node.count().map(Evaluator::compile);
        offset = node.offset().map(Evaluator::compile);
    }

    static Operator of(Node.Sort node) {
        return new Sorting(node)::open;
    }

    private static int compare(Type[] types, boolean[] descending, Entry left, Entry right) {
        for (int index = 0; index < types.length; index++) {
            int order = Order.compare(types[index], left.keys[index], right.keys[index]);
            if (order != 0) {
                return descending[index] ? -order : order;
            }
        }
        return Long.compare(left.arrival, right.arrival);
    }

    private Rows open(Running run) {
        long skipped = Operators.rowCount(offset, run.context(), 0);
        long passed = Operators.rowCount(count, run.context(), Long.MAX_VALUE);
        boolean bounded = passed <= MAX_HEAP_ROWS && skipped <= MAX_HEAP_ROWS - passed;
        List<Entry> sorted = bounded ? best((int) (skipped + passed), run) : all(run);
        sorted.sort(order);
        int from = (int) Math.min(skipped, sorted.size());
        int to = (int) Math.min(sorted.size() - from, passed) + from;
        var rows = new Value[to - from][];
        for (int index = from; index < to; index++) {
            rows[index - from] = sorted.get(index).row;
        }
        return new ArrayRows(rows);
    }

    private List<Entry> all(Running run) {
        List<Entry> entries = new ArrayList<>();
        try (Rows rows = input.open(run)) {
            for (Value[] row = rows.next(); row != null; row = rows.next()) {
                Value[] keyValues = Operators.evaluate(keys, row, run.context());
                Value[] kept = run.memory().keep(row, ENTRY_BYTES);
                entries.add(new Entry(keyValues, kept, entries.size()));
            }
        }
        return entries;
    }

    /// The first `rowCount` rows of the order, in no order.
    private List<Entry> best(int rowCount, Running run) {
        var heap = new PriorityQueue<Entry>(order.reversed());
        long arrival = 0;
        try (Rows rows = input.open(run)) {
            for (Value[] row = rows.next(); row != null && rowCount > 0; row = rows.next()) {
                Value[] keyValues = Operators.evaluate(keys, row, run.context());
                var entry = new Entry(keyValues, row, arrival++);
                if (heap.size() < rowCount) {
                    Value[] kept = run.memory().keep(row, ENTRY_BYTES);
                    heap.add(new Entry(keyValues, kept, entry.arrival));
                } else if (order.compare(entry, heap.element()) < 0) {
                    run.memory().release(heap.remove().row, ENTRY_BYTES);
                    Value[] kept = run.memory().keep(row, ENTRY_BYTES);
                    heap.add(new Entry(keyValues, kept, entry.arrival));
                }
            }
        }
        return new ArrayList<>(heap);
    }
}
