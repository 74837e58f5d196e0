package io.cleave.wire.value;

import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import com.google.protobuf.UnsafeByteOperations;

import io.cleave.base.Bytes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import tech.ydb.proto.ValueProtos;

import java.util.List;

/// Converts [Value] to and from Ydb.Value, in the exact form that YDB uses on the wire.
///
/// A value of an Optional is written without a wrapper, and NULL is a flag. An Optional of an
/// Optional that holds NULL is a nested value. Lists, tuples and structs are items by position,
/// dicts are pairs, and a variant is a nested value with its index.
///
/// Writing is the hot path of reads: it makes one message per value and one builder per row.
public final class ProtoValues {
    static final ValueProtos.Value NULL =
            ValueProtos.Value.newBuilder().setNullFlagValue(NullValue.NULL_VALUE).build();
    private static final ValueProtos.Value EMPTY = ValueProtos.Value.getDefaultInstance();
    private static final ValueProtos.Value TRUE =
            ValueProtos.Value.newBuilder().setBoolValue(true).build();
    private static final ValueProtos.Value FALSE =
            ValueProtos.Value.newBuilder().setBoolValue(false).build();

    private ProtoValues() {}

    /// Returns the value, or throws BAD_REQUEST that names the place of the mistake. The place
    /// starts with `what`, for example the name of a parameter, and continues with the path inside
    /// the value.
    public static Value fromProto(Type type, ValueProtos.Value proto, String what) {
        return new ProtoValueReader(what).read(type, proto);
    }

    /// The typed value of a parameter.
    public static Value fromProto(ValueProtos.TypedValue proto, String what) {
        return fromProto(ProtoTypes.fromProto(proto.getType()), proto.getValue(), what);
    }

    public static ValueProtos.Value toProto(Type type, Value value) {
        return write(type, value, ValueProtos.Value.newBuilder());
    }

    public static ValueProtos.TypedValue toTypedProto(Type type, Value value) {
        return ValueProtos.TypedValue.newBuilder()
                .setType(ProtoTypes.toProto(type))
                .setValue(toProto(type, value))
                .build();
    }

    /// The message of one row of a result set.
    public static ValueProtos.Value rowToProto(Type[] types, Value[] values) {
        var row = ValueProtos.Value.newBuilder();
        var scratch = ValueProtos.Value.newBuilder();
        for (int column = 0; column < values.length; column++) {
            row.addItems(write(types[column], values[column], scratch));
        }
        return row.build();
    }

    /// `scratch` is cleared and reused for every value that contains no other values.
    private static ValueProtos.Value write(
            Type type, Value value, ValueProtos.Value.Builder scratch) {
        return switch (type) {
            case Primitive primitive -> writePrimitive(primitive, value, scratch);
            case Type.Decimal _ -> writeInt128((Value.Int128) value, scratch);
            case Type.Optional(Type item) -> {
                if (value.isNull()) {
                    yield NULL;
                }
                if (value instanceof Value.Just(Value inner)) {
                    yield nested(write(item, inner, scratch));
                }
                ValueProtos.Value bare = write(item, value, scratch);
                yield isOptionalVariant(item) ? nested(bare) : bare;
            }
            case Type.ListOf(Type item) -> {
                var list = ValueProtos.Value.newBuilder();
                for (Value element : items(value)) {
                    list.addItems(write(item, element, scratch));
                }
                yield list.build();
            }
            case Type.Tuple(List<Type> types) -> {
                var tuple = ValueProtos.Value.newBuilder();
                List<Value> items = items(value);
                for (int index = 0; index < items.size(); index++) {
                    tuple.addItems(write(types.get(index), items.get(index), scratch));
                }
                yield tuple.build();
            }
            case Type.Struct(List<Type.Member> members) -> {
                var struct = ValueProtos.Value.newBuilder();
                List<Value> items = items(value);
                for (int index : MemberOrder.of(members)) {
                    struct.addItems(write(members.get(index).type(), items.get(index), scratch));
                }
                yield struct.build();
            }
            case Type.Dict(Type key, Type payload) -> {
                var dict = ValueProtos.Value.newBuilder();
                for (Value.Pair pair : ((Value.Pairs) value).pairs()) {
                    dict.addPairsBuilder()
                            .setKey(write(key, pair.key(), scratch))
                            .setPayload(write(payload, pair.payload(), scratch));
                }
                yield dict.build();
            }
            case Type.Variant(Type choices) -> {
                var choice = (Value.Choice) value;
                Type chosen =
                        choices instanceof Type.Struct struct
                                ? struct.members().get(choice.index()).type()
                                : ((Type.Tuple) choices).items().get(choice.index());
                yield ValueProtos.Value.newBuilder()
                        .setNestedValue(write(chosen, choice.value(), scratch))
                        .setVariantIndex(wireIndex(choices, choice.index()))
                        .build();
            }
            case Type.Tagged(_, Type base) -> write(base, value, scratch);
            case Type.Unit unit ->
                    switch (unit) {
                        case VOID, NULL -> NULL;
                        case EMPTY_LIST, EMPTY_DICT -> EMPTY;
                    };
        };
    }

    private static int wireIndex(Type choices, int index) {
        if (!(choices instanceof Type.Struct struct)) {
            return index;
        }
        int[] order = MemberOrder.of(struct.members());
        int place = 0;
        while (order[place] != index) {
            place++;
        }
        return place;
    }

    private static ValueProtos.Value nested(ValueProtos.Value item) {
        return ValueProtos.Value.newBuilder().setNestedValue(item).build();
    }

    /// Whether this is an Optional around a Variant, at any depth. A Variant is itself a nested
    /// value, and must not be confused with the nesting of an Optional. Therefore every level of
    /// such a type is nested.
    private static boolean isOptionalVariant(Type type) {
        if (!(type instanceof Type.Optional(Type item))) {
            return false;
        }
        while (item instanceof Type.Optional(Type next)) {
            item = next;
        }
        return item instanceof Type.Variant;
    }

    private static ValueProtos.Value writePrimitive(
            Primitive type, Value value, ValueProtos.Value.Builder scratch) {
        return switch (type.carrier()) {
            case BOOL -> ((Value.Bool) value).value() ? TRUE : FALSE;
            case INT32 -> scratch.clear().setInt32Value((int) integer(value)).build();
            case UINT32 -> scratch.clear().setUint32Value((int) integer(value)).build();
            case INT64 -> scratch.clear().setInt64Value(integer(value)).build();
            case UINT64 -> scratch.clear().setUint64Value(integer(value)).build();
            case FLOAT -> scratch.clear().setFloatValue((float) real(value)).build();
            case DOUBLE -> scratch.clear().setDoubleValue(real(value)).build();
            case BYTES -> scratch.clear().setBytesValue(bytes(value)).build();
            case TEXT -> scratch.clear().setTextValue(((Value.Text) value).value()).build();
            case INT128 -> writeInt128((Value.Int128) value, scratch);
        };
    }

    private static ValueProtos.Value writeInt128(
            Value.Int128 value, ValueProtos.Value.Builder scratch) {
        return scratch.clear().setLow128(value.low()).setHigh128(value.high()).build();
    }

    private static long integer(Value value) {
        return ((Value.Int) value).value();
    }

    private static double real(Value value) {
        return ((Value.Real) value).value();
    }

    /// No copy is needed: [Bytes] never change.
    private static ByteString bytes(Value value) {
        return UnsafeByteOperations.unsafeWrap(((Value.Binary) value).value().array());
    }

    private static List<Value> items(Value value) {
        return ((Value.Items) value).items();
    }
}
