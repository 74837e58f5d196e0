package io.cleave.wire;

import io.cleave.plan.Program.ResultShape;
import io.cleave.query.Results;
import io.cleave.value.Type;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos.ResultSet;

import java.util.ArrayList;
import java.util.List;

/// Whole result sets, for calls with one reply.
final class CollectedResults implements Results {
    private final List<ResultSet> sets = new ArrayList<>();
    private ResultSet.Builder current = ResultSet.newBuilder();
    private Type[] types = new Type[0];
    private String txId = "";

    List<ResultSet> sets() {
        return sets;
    }

    String txId() {
        return txId;
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
        current.addRows(ResultSets.row(types, row));
    }

    @Override
    public void end(int resultIndex, boolean truncated) {
        sets.add(current.setTruncated(truncated).build());
    }
}
