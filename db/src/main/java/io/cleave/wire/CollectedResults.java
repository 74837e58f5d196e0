package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.ResultSet;

import java.util.ArrayList;
import java.util.List;

/// Whole result sets, for calls with one reply. They are counted until they are closed.
final class CollectedResults implements Results, AutoCloseable {
    /// What the message of a value takes in memory beside its bytes.
    private static final int VALUE_BYTES = 96;

    /// Null for a result of few rows, which is not counted.
    private final @Nullable ResultMemory memory;

    private final List<ResultSet> sets = new ArrayList<>();
    private ResultSet.Builder current = ResultSet.newBuilder();
    private Type[] types = new Type[0];
    private String txId = "";
    private long bytes;

    CollectedResults(ResultMemory memory) {
        this.memory = memory;
    }

    private CollectedResults() {
        memory = null;
    }

    /// For a thread that must not wait.
    static CollectedResults ofFewRows() {
        return new CollectedResults();
    }

    List<ResultSet> sets() {
        return sets;
    }

    String txId() {
        return txId;
    }

    /// What all sets take in memory, about.
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
            memory.hold(bytes);
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
