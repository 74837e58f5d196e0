package io.cleave.exec;

import io.cleave.analysis.WindowFunction;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// The rows of one partition, with what each call is given of them.
final class WindowPartition {
    /// The lists' entries, the results, and the place of a row among its peers.
    private static final int ENTRY_BYTES = 64;

    private static final int CALL_BYTES = 48;

    private final QueryMemory.Share memory;
    private final Checkpoint checkpoint;
    private final Type[] orderTypes;
    private final int extraBytes;
    private final List<Value[]> rows = new ArrayList<>();
    private final List<Value[]> orders = new ArrayList<>();
    private final List<Value[][]> arguments = new ArrayList<>();

    /// Of each row, the first row equal to it and the one behind the last.
    private int[] peersFrom = {};

    private int[] peersTo = {};

    WindowPartition(Running run, Type[] orderTypes, int callCount) {
        this.memory = new QueryMemory.Share(run.memory());
        this.checkpoint = run.checkpoint();
        this.orderTypes = orderTypes;
        this.extraBytes = ENTRY_BYTES + callCount * CALL_BYTES;
    }

    int size() {
        return rows.size();
    }

    Value[] row(int index) {
        return rows.get(index);
    }

    void clear() {
        memory.close();
        rows.clear();
        orders.clear();
        arguments.clear();
    }

    void add(Value[] row, Value[] order, Value[][] given) {
        rows.add(memory.keep(row, extraBytes));
        memory.require(newBytes(row, order));
        for (Value[] values : given) {
            memory.require(newBytes(row, values));
        }
        orders.add(order);
        arguments.add(given);
    }

    /// What the values take that are not those of the row itself.
    @SuppressWarnings("ReferenceEquality") // the same object takes its memory once
    private static long newBytes(Value[] row, Value[] values) {
        long bytes = 0;
        for (Value value : values) {
            boolean known = false;
            for (Value of : row) {
                known |= of == value;
            }
            bytes += known ? 0 : QueryMemory.bytes(value);
        }
        return bytes;
    }

    /// To be called when all rows are there.
    void complete() {
        int size = rows.size();
        peersFrom = new int[size];
        peersTo = new int[size];
        int from = 0;
        for (int row = 1; row <= size; row++) {
            if (row == size || !equal(orders.get(row - 1), orders.get(row))) {
                for (int peer = from; peer < row; peer++) {
                    peersFrom[peer] = from;
                    peersTo[peer] = row;
                }
                from = row;
            }
        }
    }

    private boolean equal(Value[] left, Value[] right) {
        for (int index = 0; index < orderTypes.length; index++) {
            if (Order.compare(orderTypes[index], left[index], right[index]) != 0) {
                return false;
            }
        }
        return true;
    }

    /// The partition as one call sees it.
    WindowFunction.Partition of(int call, WindowFrames.Fixed frame) {
        return new WindowFunction.Partition() {
            @Override
            public int size() {
                return rows.size();
            }

            @Override
            public Value[] arguments(int row) {
                checkpoint.pass();
                return arguments.get(row)[call];
            }

            @Override
            public void keep(Value result) {
                memory.require(QueryMemory.bytes(result));
            }

            @Override
            public int peersFrom(int row) {
                return peersFrom[row];
            }

            @Override
            public int peersTo(int row) {
                return peersTo[row];
            }

            @Override
            public int frameFrom(int row) {
                return frame.from(row, peersFrom[row], size());
            }

            @Override
            public int frameTo(int row) {
                return Math.max(frameFrom(row), frame.to(row, peersTo[row], size()));
            }
        };
    }
}
