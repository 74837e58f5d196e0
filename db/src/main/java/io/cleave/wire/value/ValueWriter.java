package io.cleave.wire.value;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos;

import java.nio.charset.StandardCharsets;

/// Writes rows directly as the bytes of Ydb.Value. The bytes are those of the messages that
/// [ProtoValues] makes. Result sets are written this way, which is most of what a server sends.
final class ValueWriter {
    private static final int TAG_BYTES = 1;

    private ValueWriter() {}

    /// Writes the items of a row.
    static void row(Type[] types, Value[] values, WireBuffer to) {
        for (int column = 0; column < values.length; column++) {
            item(types[column], values[column], to);
        }
    }

    private static void item(Type type, Value value, WireBuffer to) {
        Type bare = type instanceof Type.Optional(Type inner) ? inner : type;
        if (value.isNull() && type instanceof Type.Optional) {
            varint(ValueProtos.Value.NULL_FLAG_VALUE_FIELD_NUMBER, 0, to);
        } else if (bare instanceof Primitive primitive && primitive != Primitive.UUID) {
            primitive(primitive, value, to);
        } else {
            to.bytesField(
                    ValueProtos.Value.ITEMS_FIELD_NUMBER,
                    ProtoValues.toProto(type, value).toByteArray());
        }
    }

    private static void primitive(Primitive type, Value value, WireBuffer to) {
        switch (type.carrier()) {
            case BOOL ->
                    varint(
                            ValueProtos.Value.BOOL_VALUE_FIELD_NUMBER,
                            ((Value.Bool) value).value() ? 1 : 0,
                            to);
            case INT32 ->
                    fixed32(ValueProtos.Value.INT32_VALUE_FIELD_NUMBER, (int) integer(value), to);
            case UINT32 ->
                    fixed32(ValueProtos.Value.UINT32_VALUE_FIELD_NUMBER, (int) integer(value), to);
            case INT64 -> fixed64(ValueProtos.Value.INT64_VALUE_FIELD_NUMBER, integer(value), to);
            case UINT64 -> fixed64(ValueProtos.Value.UINT64_VALUE_FIELD_NUMBER, integer(value), to);
            case FLOAT ->
                    fixed32(
                            ValueProtos.Value.FLOAT_VALUE_FIELD_NUMBER,
                            Float.floatToRawIntBits((float) real(value)),
                            to);
            case DOUBLE ->
                    fixed64(
                            ValueProtos.Value.DOUBLE_VALUE_FIELD_NUMBER,
                            Double.doubleToRawLongBits(real(value)),
                            to);
            case BYTES ->
                    bytes(
                            ValueProtos.Value.BYTES_VALUE_FIELD_NUMBER,
                            ((Value.Binary) value).value().array(),
                            to);
            case TEXT ->
                    bytes(
                            ValueProtos.Value.TEXT_VALUE_FIELD_NUMBER,
                            ((Value.Text) value).value().getBytes(StandardCharsets.UTF_8),
                            to);
            case INT128 -> throw new IllegalArgumentException(type.text());
        }
    }

    private static void fixed32(int field, int value, WireBuffer to) {
        to.lengthField(ValueProtos.Value.ITEMS_FIELD_NUMBER, TAG_BYTES + Integer.BYTES);
        to.fixed32Field(field, value);
    }

    private static void fixed64(int field, long value, WireBuffer to) {
        to.lengthField(ValueProtos.Value.ITEMS_FIELD_NUMBER, TAG_BYTES + Long.BYTES);
        to.fixed64Field(field, value);
    }

    private static void varint(int field, long value, WireBuffer to) {
        to.lengthField(
                ValueProtos.Value.ITEMS_FIELD_NUMBER, TAG_BYTES + WireBuffer.varintBytes(value));
        to.varintField(field, value);
    }

    private static void bytes(int field, byte[] value, WireBuffer to) {
        int length = WireBuffer.varintBytes(value.length) + value.length;
        to.lengthField(ValueProtos.Value.ITEMS_FIELD_NUMBER, TAG_BYTES + length);
        to.bytesField(field, value);
    }

    private static long integer(Value value) {
        return ((Value.Int) value).value();
    }

    private static double real(Value value) {
        return ((Value.Real) value).value();
    }
}
