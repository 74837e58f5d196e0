package io.cleave.wire.value;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.HashKey;
import io.cleave.value.Legal;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.Value.ValueCase;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Reads one value that a client sent. A value that does not match its type is a BAD_REQUEST that
/// names the place, such as `$rows[3].name`.
///
/// While reading, the path to the current value is kept as positions only. Names are looked up when
/// there is an error to report.
final class ProtoValueReader {
    private static final int FIRST_DEPTH = 4;
    private static final Type[] NO_CONTAINERS = {};
    private static final int[] NO_POSITIONS = {};

    /// An upper bound of what a message takes without its text, its bytes and the messages in it:
    /// at most 6 bytes of tag and length around it, 19 bytes for the two halves of a 128-bit
    /// number, and 7 for the index of a variant.
    private static final int MESSAGE_BYTES = 6 + 19 + 7;

    private static final int MAX_UTF8_BYTES_A_CHAR = 3;

    private final String what;

    /// The containers around the current value, outermost first, and the position in each.
    private Type[] containers = NO_CONTAINERS;

    private int[] positions = NO_POSITIONS;
    private int depth;
    private long bytesAtMost;

    ProtoValueReader(String what) {
        this.what = what;
    }

    /// An upper bound of the serialized size of what was read.
    long bytesAtMost() {
        return bytesAtMost;
    }

    Value read(Type type, ValueProtos.Value proto) {
        bytesAtMost += MESSAGE_BYTES;
        return switch (type) {
            case Primitive primitive -> readPrimitive(primitive, proto);
            case Type.Decimal _ -> legal(type, readInt128(type, proto));
            case Type.Optional(Type item) -> readOptional(type, item, proto);
            case Type.ListOf(Type item) -> {
                noScalar(type, proto);
                var items = new ArrayList<Value>(proto.getItemsCount());
                for (int index = 0; index < proto.getItemsCount(); index++) {
                    items.add(readInner(type, index, item, proto.getItems(index)));
                }
                yield Value.items(items);
            }
            case Type.Tuple(List<Type> types) -> {
                checkCount(type, proto, types.size());
                var items = new Value[types.size()];
                for (int index = 0; index < items.length; index++) {
                    items[index] = readInner(type, index, types.get(index), proto.getItems(index));
                }
                yield Value.items(List.of(items));
            }
            case Type.Struct(List<Type.Member> members) -> {
                checkCount(type, proto, members.size());
                var items = new Value[members.size()];
                for (int index = 0; index < items.length; index++) {
                    Type member = members.get(index).type();
                    items[index] = readInner(type, index, member, proto.getItems(index));
                }
                yield Value.items(List.of(items));
            }
            case Type.Dict dict -> readDict(dict, proto);
            case Type.Variant variant -> readVariant(variant, proto);
            case Type.Tagged(_, Type base) -> readInner(type, 0, base, proto);
            case Type.Unit _ -> {
                if (proto.getValueCase() != ValueCase.VALUE_NOT_SET) {
                    expect(type, proto, ValueCase.NULL_FLAG_VALUE);
                }
                if (proto.getItemsCount() + proto.getPairsCount() > 0) {
                    throw bad("has items, but its type is " + type.text());
                }
                yield Value.Null.NULL;
            }
        };
    }

    private Value readInner(Type container, int position, Type type, ValueProtos.Value proto) {
        if (depth == ProtoTypes.MAX_DEPTH) {
            throw bad("is nested deeper than " + ProtoTypes.MAX_DEPTH);
        }
        if (depth == containers.length) {
            // Allocated on first use: most values are not containers.
            int room = Math.max(FIRST_DEPTH, 2 * depth);
            containers = Arrays.copyOf(containers, room);
            positions = Arrays.copyOf(positions, room);
        }
        containers[depth] = container;
        positions[depth] = position;
        depth++;
        Value value = read(type, proto);
        depth--;
        return value;
    }

    private Value readOptional(Type type, Type item, ValueProtos.Value proto) {
        if (proto.getValueCase() == ValueCase.NULL_FLAG_VALUE) {
            return Value.Null.NULL;
        }
        // If the item type may be NULL, a nested value belongs to this Optional. If the item is a
        // Variant, the nested value belongs to the Variant.
        boolean nested = proto.getValueCase() == ValueCase.NESTED_VALUE && mayBeNull(item);
        Value value = readInner(type, 0, item, nested ? proto.getNestedValue() : proto);
        boolean wrapped = nested && (value.isNull() || value instanceof Value.Just);
        return wrapped ? new Value.Just(value) : value;
    }

    private static boolean mayBeNull(Type type) {
        return switch (type) {
            case Type.Optional _, Type.Unit _ -> true;
            case Type.Tagged(_, Type base) -> mayBeNull(base);
            default -> false;
        };
    }

    private Value readDict(Type.Dict type, ValueProtos.Value proto) {
        noScalar(type, proto);
        var pairs = new ArrayList<Value.Pair>(proto.getPairsCount());
        var keys = new HashSet<Value>();
        for (int index = 0; index < proto.getPairsCount(); index++) {
            ValueProtos.ValuePair pair = proto.getPairs(index);
            Value key = readInner(type, index, type.key(), pair.getKey());
            if (!keys.add(HashKey.ofGroup(type.key(), key))) {
                throw bad("has a duplicate key at index " + index);
            }
            Value payload = readInner(type, index, type.payload(), pair.getPayload());
            pairs.add(new Value.Pair(key, payload));
        }
        return new Value.Pairs(pairs);
    }

    private Value readVariant(Type.Variant type, ValueProtos.Value proto) {
        expect(type, proto, ValueCase.NESTED_VALUE);
        List<Type> choices =
                type.choices() instanceof Type.Struct struct
                        ? struct.members().stream().map(Type.Member::type).toList()
                        : ((Type.Tuple) type.choices()).items();
        int index = proto.getVariantIndex();
        if (index < 0 || index >= choices.size()) {
            throw bad(
                    "has variant index "
                            + Integer.toUnsignedString(index)
                            + " of "
                            + choices.size());
        }
        Value chosen = readInner(type, index, choices.get(index), proto.getNestedValue());
        return new Value.Choice(index, chosen);
    }

    private Value readPrimitive(Primitive type, ValueProtos.Value proto) {
        return switch (type.carrier()) {
            case BOOL -> {
                expect(type, proto, ValueCase.BOOL_VALUE);
                yield Value.bool(proto.getBoolValue());
            }
            case INT32 -> {
                expect(type, proto, ValueCase.INT32_VALUE);
                yield legal(type, Value.of((long) proto.getInt32Value()));
            }
            case UINT32 -> {
                expect(type, proto, ValueCase.UINT32_VALUE);
                yield legal(type, Value.of(Integer.toUnsignedLong(proto.getUint32Value())));
            }
            case INT64 -> {
                expect(type, proto, ValueCase.INT64_VALUE);
                yield legal(type, Value.of(proto.getInt64Value()));
            }
            case UINT64 -> {
                expect(type, proto, ValueCase.UINT64_VALUE);
                yield legal(type, Value.of(proto.getUint64Value()));
            }
            case FLOAT -> {
                expect(type, proto, ValueCase.FLOAT_VALUE);
                yield Value.of((double) proto.getFloatValue());
            }
            case DOUBLE -> {
                expect(type, proto, ValueCase.DOUBLE_VALUE);
                yield Value.of(proto.getDoubleValue());
            }
            case BYTES -> {
                expect(type, proto, ValueCase.BYTES_VALUE);
                bytesAtMost += proto.getBytesValue().size();
                yield legal(type, Value.binary(Bytes.wrap(proto.getBytesValue().toByteArray())));
            }
            case TEXT -> {
                expect(type, proto, ValueCase.TEXT_VALUE);
                String text = proto.getTextValue();
                bytesAtMost += (long) MAX_UTF8_BYTES_A_CHAR * text.length();
                yield type == Primitive.UTF8
                        ? Value.text(text)
                        : ValueParser.parse(type, text).orElseThrow(() -> invalid(type));
            }
            case INT128 -> readInt128(type, proto);
        };
    }

    private Value readInt128(Type type, ValueProtos.Value proto) {
        expect(type, proto, ValueCase.LOW_128);
        return new Value.Int128(proto.getHigh128(), proto.getLow128());
    }

    private Value legal(Type type, Value value) {
        Optional<String> problem = Legal.check(type, value);
        if (problem.isPresent()) {
            throw bad(problem.get());
        }
        return value;
    }

    private void checkCount(Type type, ValueProtos.Value proto, int count) {
        noScalar(type, proto);
        if (proto.getItemsCount() != count) {
            throw bad("has " + proto.getItemsCount() + " items, but its type is " + type.text());
        }
    }

    private void noScalar(Type type, ValueProtos.Value proto) {
        if (proto.getValueCase() != ValueCase.VALUE_NOT_SET) {
            throw mismatch(type, proto);
        }
    }

    private void expect(Type type, ValueProtos.Value proto, ValueCase field) {
        if (proto.getValueCase() != field) {
            throw mismatch(type, proto);
        }
    }

    private StatusException mismatch(Type type, ValueProtos.Value proto) {
        String field =
                switch (proto.getValueCase()) {
                    case BOOL_VALUE -> "bool_value";
                    case INT32_VALUE -> "int32_value";
                    case UINT32_VALUE -> "uint32_value";
                    case INT64_VALUE -> "int64_value";
                    case UINT64_VALUE -> "uint64_value";
                    case FLOAT_VALUE -> "float_value";
                    case DOUBLE_VALUE -> "double_value";
                    case BYTES_VALUE -> "bytes_value";
                    case TEXT_VALUE -> "text_value";
                    case NULL_FLAG_VALUE -> "null_flag_value";
                    case NESTED_VALUE -> "nested_value";
                    case LOW_128 -> "low_128";
                    case VALUE_NOT_SET -> "no value";
                };
        return bad("has " + field + ", but its type is " + type.text());
    }

    /// The words after the place are YDB's: programs search for them.
    private StatusException invalid(Type type) {
        return new StatusException(
                Status.BAD_REQUEST, place() + ": Invalid " + type.text() + " value");
    }

    private StatusException bad(String problem) {
        return new StatusException(Status.BAD_REQUEST, place() + " " + problem);
    }

    private String place() {
        var place = new StringBuilder(what);
        for (int level = 0; level < depth; level++) {
            int position = positions[level];
            switch (containers[level]) {
                case Type.ListOf _ -> place.append('[').append(position).append(']');
                case Type.Tuple _, Type.Variant(Type.Tuple _) -> place.append('.').append(position);
                case Type.Struct(List<Type.Member> members) ->
                        place.append('.').append(members.get(position).name());
                case Type.Variant(Type.Struct(List<Type.Member> members)) ->
                        place.append('.').append(members.get(position).name());
                case Type.Dict _ -> place.append('{').append(position).append('}');
                default -> {}
            }
        }
        return place.toString();
    }
}
