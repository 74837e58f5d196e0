package io.cleave.wire.value;

import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Type;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos;

import java.util.ArrayList;
import java.util.List;

/// Columns and rows of result sets, as messages.
public final class ResultSets {
    private ResultSets() {}

    public static List<ValueProtos.Column> columns(ResultShape shape) {
        List<ValueProtos.Column> columns = new ArrayList<>(shape.columns().size());
        for (ResultColumn column : shape.columns()) {
            columns.add(
                    ValueProtos.Column.newBuilder()
                            .setName(column.name())
                            .setType(ProtoTypes.toProto(column.type()))
                            .build());
        }
        return columns;
    }

    public static Type[] types(ResultShape shape) {
        Type[] types = new Type[shape.columns().size()];
        for (int index = 0; index < types.length; index++) {
            types[index] = shape.columns().get(index).type();
        }
        return types;
    }

    public static ValueProtos.Value row(Type[] types, Value[] row) {
        return ProtoValues.rowToProto(types, row);
    }
}
