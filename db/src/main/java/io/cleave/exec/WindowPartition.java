package io.cleave.exec;

import io.cleave.exec.spill.QueryMemory;
import io.cleave.exec.spill.RowList;
import io.cleave.typed.WindowFunction;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The rows of one window partition, with the arguments of each call. When memory is full, the rows
/// go to disk. The state of the calls stays in memory.
final class WindowPartition implements AutoCloseable {
    private final Running run;
    private final Type[] orderTypes;
    private final RowList rows;

    /// For each row, the arguments of all calls one after the other.
    private final RowList arguments;

    /// Where the arguments of each call begin. The additional last element is where the arguments
    /// of the last call end.
    private final int[] argumentsFrom;

    /// The first row of each group of rows that are equal in the order.
    private final RowList groups;

    private Value[] lastOrder = {};

    /// The group that was asked for last. Its rows are `groupFrom` to `groupTo`.
    private int group;

    private int groupFrom;
    private int groupTo;

    /// The memory that each call keeps.
    private final List<QueryMemory.Share> kept = new ArrayList<>();

    /// `argumentsFrom` has the begin of each call's arguments in a row of arguments, and the end of
    /// the last one's.
    WindowPartition(Running run, Type[] orderTypes, int[] argumentsFrom) {
        this.run = run;
        this.orderTypes = orderTypes;
        this.argumentsFrom = argumentsFrom;
        // Each call reads at its own positions: both ends of its frame, and the current row.
        int positions = 2 * argumentsFrom.length;
        rows = new RowList(run.spill(), 1);
        arguments = new RowList(run.spill(), positions);
        groups = new RowList(run.spill(), 2);
    }

    int size() {
        return rows.size();
    }

    Value[] row(int index) {
        return rows.get(index);
    }

    void clear() {
        kept.forEach(QueryMemory.Share::close);
        kept.clear();
        rows.clear();
        arguments.clear();
        groups.clear();
        group = -1;
        groupFrom = 0;
        groupTo = 0;
    }

    @Override
    public void close() {
        clear();
    }

    /// `given` has the arguments of all calls one after the other, followed by the key of a RANGE,
    /// if any.
    void add(Value[] row, Value[] order, Value[] given) {
        if (rows.size() == 0 || !equal(lastOrder, order)) {
            groups.add(new Value[] {Value.of(rows.size())});
        }
        lastOrder = order;
        rows.add(row);
        arguments.add(given);
    }

    private boolean equal(Value[] left, Value[] right) {
        for (int index = 0; index < orderTypes.length; index++) {
            if (Order.compare(orderTypes[index], left[index], right[index]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Moves forward to the group of the row.
    private void moveTo(int row) {
        while (row >= groupTo) {
            group++;
            groupFrom = groupTo;
            groupTo = group + 1 < groups.size() ? firstRow(group + 1) : rows.size();
        }
    }

    private int firstRow(int ofGroup) {
        return groups.get(ofGroup)[0] instanceof Value.Int(long row) ? (int) row : 0;
    }

    /// The key that a RANGE with offsets is measured by. It is after the arguments of all calls.
    private Value rangeKey(int row) {
        return arguments.get(row)[argumentsFrom[argumentsFrom.length - 1]];
    }

    /// The partition as seen by one call. All rows must have been added.
    WindowFunction.Partition of(int call, WindowFrames.Fixed frame) {
        var memory = new QueryMemory.Share(run.memory());
        kept.add(memory);
        WindowFrames.OfPartition frames = frame.over(rows.size(), this::rangeKey);
        return new WindowFunction.Partition() {
            @Override
            public int size() {
                return rows.size();
            }

            @Override
            public Value[] arguments(int row) {
                run.checkpoint().pass();
                return Arrays.copyOfRange(
                        arguments.get(row), argumentsFrom[call], argumentsFrom[call + 1]);
            }

            @Override
            public void keep(long bytes) {
                try {
                    memory.add(bytes);
                } catch (QueryMemory.Full _) {
                    arguments.toDisk();
                    groups.toDisk();
                    rows.makeRoom(memory, 0);
                }
            }

            @Override
            public void forget() {
                memory.close();
            }

            @Override
            public int peersFrom(int row) {
                moveTo(row);
                return groupFrom;
            }

            @Override
            public int peersTo(int row) {
                moveTo(row);
                return groupTo;
            }

            @Override
            public int frameFrom(int row) {
                return frames.from(row, peersFrom(row));
            }

            @Override
            public int frameTo(int row) {
                return Math.max(frameFrom(row), frames.to(row, peersTo(row)));
            }
        };
    }
}
