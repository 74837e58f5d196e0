package io.cleave.wire;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

import io.cleave.plan.Program.ResultShape;
import io.cleave.value.Type;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos.ResultSet;

/// Result sets as the bytes of their message, without the messages that their values would be.
final class EncodedSets implements SetBuilder<WireBuffer> {
    private static final int FIRST_BYTES = 256;

    private final Shapes shapes;
    private final WireBuffer row = new WireBuffer(FIRST_BYTES);
    private Shape shape = Shape.NONE;
    private WireBuffer building = row;

    EncodedSets(Shapes shapes) {
        this.shapes = shapes;
    }

    /// What is the same in all answers of a plan, kept as long as the plan.
    static final class Shapes {
        private final LoadingCache<ResultShape, Shape> known =
                Caffeine.newBuilder().weakKeys().executor(Runnable::run).build(Shape::of);
    }

    @SuppressWarnings("ArrayRecordComponent") // written once, then read
    private record Shape(Type[] types, byte[] columns) {
        static final Shape NONE = new Shape(new Type[0], new byte[0]);

        static Shape of(ResultShape shape) {
            var columns = ResultSet.newBuilder().addAllColumns(ResultSets.columns(shape)).build();
            return new Shape(ResultSets.types(shape), columns.toByteArray());
        }
    }

    @Override
    public void shape(ResultShape next) {
        shape = shapes.known.get(next);
    }

    @Override
    public void start(boolean withColumns) {
        building = new WireBuffer(FIRST_BYTES);
        if (withColumns) {
            building.append(shape.columns, 0, shape.columns.length);
        }
    }

    @Override
    public int ready(Value[] values) {
        row.clear();
        ValueWriter.row(shape.types, values, row);
        return row.length();
    }

    @Override
    public void add() {
        building.lengthField(ResultSet.ROWS_FIELD_NUMBER, row.length());
        building.append(row);
    }

    @Override
    public WireBuffer build(boolean truncated) {
        if (truncated) {
            building.varintField(ResultSet.TRUNCATED_FIELD_NUMBER, 1);
        }
        return building;
    }
}
