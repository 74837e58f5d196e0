package io.cleave.exec;

import io.cleave.exec.Sorting.Entry;
import io.cleave.exec.kernel.Kernel;
import io.cleave.exec.kernel.KernelRun;
import io.cleave.exec.spill.QueryMemory;
import io.cleave.typed.Relation.SortKey;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Keeps the first rows of one part of a scan, in the order of the sort keys. Values are created
/// only for rows that are among the first so far. Threads: one.
final class PartTop {
    private static final int ENTRY_BYTES = 64;

    private final Type[] types;
    private final boolean[] descending;
    private final int wanted;
    private final QueryMemory.Share memory;

    /// The greatest of the kept rows is on top.
    private final PriorityQueue<Entry> heap;

    private long arrival;

    PartTop(List<SortKey> order, int wanted, QueryMemory.Share memory) {
        types = order.stream().map(key -> key.value().type()).toArray(Type[]::new);
        descending = new boolean[types.length];
        for (int index = 0; index < descending.length; index++) {
            descending[index] = order.get(index).descending();
        }
        this.wanted = wanted;
        this.memory = memory;
        Comparator<Entry> byKeys =
                (left, right) -> Sorting.compare(types, descending, left.keys, right.keys);
        heap =
                new PriorityQueue<>(
                        byKeys.thenComparingLong((Entry entry) -> entry.arrival).reversed());
    }

    void add(Vector[] keyColumns, Vector[] columns, int[] rows, int count) {
        for (int index = 0; index < count; index++) {
            Value[] keys = row(keyColumns, rows[index]);
            arrival++;
            if (heap.size() == wanted) {
                Entry last = heap.element();
                // Rows with equal keys are ordered by arrival, so this row comes after the last
                // one.
                if (Sorting.compare(types, descending, keys, last.keys) >= 0) {
                    continue;
                }
                memory.add(-ENTRY_BYTES - QueryMemory.bytes(heap.remove().row));
            }
            Value[] row = row(columns, rows[index]);
            memory.add(ENTRY_BYTES + QueryMemory.bytes(row));
            heap.add(new Entry(keys, row, arrival));
        }
    }

    /// The kept rows in the order of arrival.
    List<Value[]> rows() {
        List<Entry> entries = new ArrayList<>(heap);
        entries.sort(Comparator.comparingLong(entry -> entry.arrival));
        return entries.stream().map(entry -> entry.row).toList();
    }

    static Vector[] eval(Kernel[] kernels, KernelRun run, int[] rows, int count) {
        var columns = new Vector[kernels.length];
        for (int index = 0; index < columns.length; index++) {
            columns[index] = kernels[index].eval(run, rows, count);
        }
        return columns;
    }

    static Value[] row(Vector[] columns, int row) {
        var values = new Value[columns.length];
        for (int index = 0; index < values.length; index++) {
            values[index] = columns[index].get(row);
        }
        return values;
    }
}
