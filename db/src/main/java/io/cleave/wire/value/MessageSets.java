package io.cleave.wire.value;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Type;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.ResultSet;

import java.util.List;

/// Builds result sets as protobuf messages.
public final class MessageSets implements SetBuilder<ResultSet> {
    private List<ValueProtos.Column> columns = List.of();
    private Type[] types = new Type[0];
    private ResultSet.Builder building = ResultSet.newBuilder();
    private ValueProtos.Value ready = ValueProtos.Value.getDefaultInstance();

    @Override
    public void shape(ResultShape shape) {
        columns = ResultSets.columns(shape);
        types = ResultSets.types(shape);
    }

    @Override
    public void start(boolean withColumns) {
        building = ResultSet.newBuilder();
        if (withColumns) {
            building.addAllColumns(columns);
        }
    }

    @Override
    public int ready(Value[] row) {
        ready = ResultSets.row(types, row);
        return ready.getSerializedSize();
    }

    @Override
    public void add() {
        building.addRows(ready);
    }

    @Override
    public ResultSet build(boolean truncated) {
        return building.setTruncated(truncated).build();
    }
}
