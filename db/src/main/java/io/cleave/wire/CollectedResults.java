package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.wire.value.ResultSets;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.ResultSet;

import java.util.ArrayList;
import java.util.List;

/// Collects whole result sets, for calls with one reply. Their memory stays accounted for until
/// `close`.
final class CollectedResults implements Results, AutoCloseable {
    /// Memory that the message of one value takes beside its bytes.
    private static final int VALUE_BYTES = 96;

    /// Null for a result of few rows, which is not accounted for.
    private final @Nullable ResultMemory memory;

    private final boolean waits;

    private final List<ResultSet> sets = new ArrayList<>();
    private ResultSet.Builder current = ResultSet.newBuilder();
    private Type[] types = new Type[0];
    private String txId = "";
    private long bytes;

    CollectedResults(ResultMemory memory) {
        this(memory, true);
    }

    private CollectedResults(@Nullable ResultMemory memory, boolean waits) {
        this.memory = memory;
        this.waits = waits;
    }

    /// For a thread that must not wait, when the rows may be long. Throws [NoRoom] if a row would
    /// have to wait for memory.
    static CollectedResults withoutWaiting(ResultMemory memory) {
        return new CollectedResults(memory, false);
    }

    /// The result needs memory that is not free now. A thread that may wait can run the call again.
    static final class NoRoom extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoRoom() {
            super("no memory for the result without waiting", null, false, false);
        }
    }

    /// For a thread that must not wait, when the rows are few. Their memory is not accounted for.
    static CollectedResults ofFewRows() {
        return new CollectedResults(null, false);
    }

    List<ResultSet> sets() {
        return sets;
    }

    String txId() {
        return txId;
    }

    /// Approximate memory of all sets; 0 where memory is not accounted for.
    long bytes() {
        return bytes;
    }

    @Override
    public void transaction(String id) {
        txId = id;
    }

    @Override
    public void begin(int resultIndex, ResultShape shape) {
        types = ResultSets.types(shape);
        current = ResultSet.newBuilder().addAllColumns(ResultSets.columns(shape));
    }

    @Override
    public void row(int resultIndex, Value[] row) {
        ValueProtos.Value message = ResultSets.row(types, row);
        if (memory != null) {
            bytes += message.getSerializedSize() + (long) VALUE_BYTES * row.length;
            if (waits) {
                memory.hold(bytes);
            } else if (!memory.tryHold(bytes)) {
                throw new NoRoom();
            }
        }
        current.addRows(message);
    }

    @Override
    public void end(int resultIndex, boolean truncated) {
        sets.add(current.setTruncated(truncated).build());
    }

    @Override
    public void close() {
        if (memory != null) {
            memory.close();
        }
    }
}
