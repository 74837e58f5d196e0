package io.cleave.exec;

import io.cleave.analysis.WindowFunction;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Arrays;

/// The rows of one partition, with what each call is given of them. When the memory is full both go
/// to disk. The results of the calls do not, nor does a row's place among its peers.
final class WindowPartition implements AutoCloseable {
    /// The place of a row among its peers.
    private static final int PEER_BYTES = 2 * Integer.BYTES;

    /// The result of a call.
    private static final int CALL_BYTES = 28;

    private final QueryMemory.Share memory;
    private final Checkpoint checkpoint;
    private final Type[] orderTypes;
    private final RowList rows;

    /// By row, what all calls are given, one behind the other.
    private final RowList arguments;

    /// Where the arguments of each call begin; one more, where the last ones end.
    private final int[] argumentsFrom;

    private final int extraBytes;
    private Value[] lastOrder = {};

    /// Of each row, the first row equal to it and the one behind the last.
    private int[] peersFrom = {};

    private int[] peersTo = {};

    /// `argumentsFrom` says where in a row's arguments those of each call begin, and where they
    /// end.
    WindowPartition(Running run, Type[] orderTypes, int[] argumentsFrom) {
        memory = new QueryMemory.Share(run.memory());
        checkpoint = run.checkpoint();
        this.orderTypes = orderTypes;
        this.argumentsFrom = argumentsFrom;
        rows = new RowList(run);
        arguments = new RowList(run);
        extraBytes = PEER_BYTES + (argumentsFrom.length - 1) * CALL_BYTES;
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
        arguments.clear();
    }

    @Override
    public void close() {
        clear();
    }

    /// `given` is what all calls are given, one behind the other.
    void add(Value[] row, Value[] order, Value[] given) {
        count(extraBytes);
        int index = rows.size();
        if (index == peersFrom.length) {
            peersFrom = Arrays.copyOf(peersFrom, Math.max(16, 2 * index));
        }
        peersFrom[index] = index > 0 && equal(lastOrder, order) ? peersFrom[index - 1] : index;
        lastOrder = order;
        rows.add(row);
        arguments.add(given);
    }

    private void count(long bytes) {
        try {
            memory.add(bytes);
        } catch (QueryMemory.Full _) {
            arguments.toDisk();
            rows.makeRoom(memory, 0);
        }
    }

    /// To be called when all rows are there.
    void complete() {
        int size = rows.size();
        peersTo = new int[size];
        for (int row = size - 1; row >= 0; row--) {
            boolean last = row + 1 == size || peersFrom[row + 1] != peersFrom[row];
            peersTo[row] = last ? row + 1 : peersTo[row + 1];
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
                return Arrays.copyOfRange(
                        arguments.get(row), argumentsFrom[call], argumentsFrom[call + 1]);
            }

            @Override
            public void keep(Value result) {
                count(QueryMemory.bytes(result));
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
