package io.cleave.exec.spill;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Sorts rows that need not fit into memory. Rows that fit are sorted and written as a run, and the
/// runs are merged at the end. Equal rows keep their order.
public final class SortedRuns implements AutoCloseable {
    private static final int ENTRY_BYTES = 48;

    /// When there are this many runs, they are merged into one. Each run takes a chunk of memory
    /// during a merge.
    private static final int MAX_RUNS = 64;

    /// A run has at least this number of rows, even if memory is full.
    private static final int MIN_RUN_ROWS = 64;

    private final Comparator<Value[]> order;
    private final Spill spill;
    private final QueryMemory.Share memory;
    private final List<SpillFile> runs = new ArrayList<>();
    private List<Value[]> rows = new ArrayList<>();

    public SortedRuns(Comparator<Value[]> order, Spill spill) {
        this.order =
                (left, right) -> {
                    spill.checkpoint().pass();
                    return order.compare(left, right);
                };
        this.spill = spill;
        memory = new QueryMemory.Share(spill.memory());
    }

    /// Keeps the array.
    public void add(Value[] row) {
        rows.add(row);
        try {
            memory.add(ENTRY_BYTES + QueryMemory.bytes(row));
        } catch (QueryMemory.Full _) {
            if (rows.size() >= MIN_RUN_ROWS) {
                writeRun();
            }
        }
    }

    private void writeRun() {
        rows.sort(order);
        SpillFile file = spill.newFile();
        rows.forEach(file::add);
        runs.add(file);
        rows = new ArrayList<>();
        memory.close();
        if (runs.size() == MAX_RUNS) {
            SpillFile one = spill.newFile();
            Rows merged = merged(List.of());
            for (Value[] row = merged.next(); row != null; row = merged.next()) {
                one.add(row);
            }
            runs.forEach(spill::remove);
            runs.clear();
            runs.add(one);
        }
    }

    /// All rows in order. Nothing may be added afterwards.
    public Rows sorted() {
        return sorted(List.of());
    }

    /// All rows merged with `others`. Each of `others` must be sorted and return every row in a new
    /// array. They are not closed here.
    public Rows sorted(List<Rows> others) {
        if (!runs.isEmpty() && !rows.isEmpty()) {
            // The operators above the sort may need the memory more.
            writeRun();
        }
        rows.sort(order);
        return runs.isEmpty() && others.isEmpty()
                ? new ArrayRows(rows.toArray(Value[][]::new))
                : merged(others);
    }

    /// The next row of a run.
    private static final class Head {
        private final Value[] row;
        private final int age;
        private final Rows rest;

        Head(Value[] row, int age, Rows rest) {
            this.row = row;
            this.age = age;
            this.rest = rest;
        }
    }

    private Rows merged(List<Rows> others) {
        var heads =
                new PriorityQueue<Head>(
                        Comparator.comparing((Head head) -> head.row, order)
                                .thenComparingInt(head -> head.age));
        for (int age = 0; age < runs.size(); age++) {
            offer(heads, age, runs.get(age).read());
        }
        offer(heads, runs.size(), new ArrayRows(rows.toArray(Value[][]::new)));
        for (int index = 0; index < others.size(); index++) {
            offer(heads, runs.size() + 1 + index, others.get(index));
        }
        return new Rows() {
            @Override
            public Value @Nullable [] next() {
                Head head = heads.poll();
                if (head == null) {
                    return null;
                }
                offer(heads, head.age, head.rest);
                return head.row;
            }
        };
    }

    private static void offer(PriorityQueue<Head> heads, int age, Rows rest) {
        Value[] row = rest.next();
        if (row != null) {
            heads.add(new Head(row, age, rest));
        }
    }

    @Override
    public void close() {
        memory.close();
        rows = new ArrayList<>();
        runs.forEach(spill::remove);
        runs.clear();
    }
}
