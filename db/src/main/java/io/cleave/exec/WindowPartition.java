package io.cleave.exec;

import io.cleave.analysis.WindowFunction;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The rows of one partition, with what each call is given of them. When the memory is full they go
/// to disk; only what the calls themselves keep does not.
final class WindowPartition implements AutoCloseable {
    /// The entry of a value that a call keeps.
    private static final int VALUE_BYTES = 48;

    private final Running run;
    private final Type[] orderTypes;
    private final RowList rows;

    /// By row, what all calls are given, one behind the other.
    private final RowList arguments;

    /// Where the arguments of each call begin; one more, where the last ones end.
    private final int[] argumentsFrom;

    /// The first row of each group of rows that are equal in their order.
    private final RowList groups;

    private Value[] lastOrder = {};

    /// The group that was asked for last, and its rows.
    private int group;

    private int groupFrom;
    private int groupTo;

    /// What each call keeps.
    private final List<QueryMemory.Share> kept = new ArrayList<>();

    /// `argumentsFrom` says where in a row's arguments those of each call begin, and where they
    /// end.
    WindowPartition(Running run, Type[] orderTypes, int[] argumentsFrom) {
        this.run = run;
        this.orderTypes = orderTypes;
        this.argumentsFrom = argumentsFrom;
        // Each call may be at a row of its own, at both ends of its frame and at the current row.
        int positions = 2 * argumentsFrom.length;
        rows = new RowList(run, 1);
        arguments = new RowList(run, positions);
        groups = new RowList(run, 2);
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

    /// `given` is what all calls are given, one behind the other, and a RANGE's key.
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

    /// Goes on to the group that the row is in.
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

    /// What a RANGE with offsets counts by; it stands behind what the calls are given.
    private Value rangeKey(int row) {
        return arguments.get(row)[argumentsFrom[argumentsFrom.length - 1]];
    }

    /// The partition as one call sees it, when all rows are there.
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
            public void keep(Value[] given) {
                try {
                    memory.add(VALUE_BYTES + QueryMemory.bytes(given));
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
