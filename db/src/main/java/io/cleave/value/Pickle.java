package io.cleave.value;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Encodes a value of any type, for the functions Pickle and Unpickle. The bytes do not contain the
/// type; the reader must supply it.
///
/// ```
/// u8                        1, the form
/// then the value:
/// strings, Yson, texts      varint length, bytes
/// other primitives, Decimal the bytes of a field, see [FieldCodec]
/// Optional                  u8: 0 NULL, 1 and the item
/// List                      varint count, items
/// Tuple, Struct             items; those of a Struct in the order of its type
/// Dict                      varint count, keys each with its payload
/// Variant                   varint index, the choice
/// Tagged                    the value within
/// Void, Null, EmptyList …   nothing
/// ```
///
/// Users store these bytes: a change of the format above needs a new form number.
public final class Pickle {
    private static final int FORM = 1;
    private static final int MAX_EMPTY_ITEMS = 1_000_000;

    private Pickle() {}

    public static Bytes write(Type type, Value value) {
        var out = new ByteWriter(32);
        out.putByte(FORM);
        write(out, type, value);
        return Bytes.wrap(out.toArray());
    }

    /// Writes equal values as equal bytes: dicts are sorted by key, and -0.0 becomes 0.0.
    public static Bytes writeStable(Type type, Value value) {
        return write(type, HashKey.ofGroup(type, value));
    }

    /// Empty if the bytes are not those of a value of this type.
    public static Optional<Value> read(Type type, Bytes bytes) {
        var in = new ByteReader(bytes.array(), 0, bytes.length());
        try {
            if (in.getByte() != FORM) {
                return Optional.empty();
            }
            Value value = read(in, type);
            return in.hasMore() || Legal.check(type, value).isPresent()
                    ? Optional.empty()
                    : Optional.of(value);
        } catch (IndexOutOfBoundsException | NotPickledException _) {
            return Optional.empty();
        }
    }

    private static void write(ByteWriter out, Type type, Value value) {
        switch (type) {
            case Primitive primitive when Ints.fixedBytes(primitive) == 0 ->
                    out.putBytes(Bytes.wrap(FieldCodec.encode(type, value)));
            case Primitive _, Type.Decimal _ -> {
                byte[] field = FieldCodec.encode(type, value);
                out.put(field, 0, field.length);
            }
            case Type.Optional(Type item) -> {
                out.putByte(value.isNull() ? 0 : 1);
                if (!value.isNull()) {
                    write(out, item, value instanceof Value.Just(Value inner) ? inner : value);
                }
            }
            case Type.ListOf(Type item) -> {
                List<Value> items = ((Value.Items) value).items();
                out.putVarInt(items.size());
                items.forEach(each -> write(out, item, each));
            }
            case Type.Tuple(List<Type> types) -> writeAll(out, types, value);
            case Type.Struct struct -> writeAll(out, types(struct), value);
            case Type.Dict(Type key, Type payload) -> {
                List<Value.Pair> pairs = ((Value.Pairs) value).pairs();
                out.putVarInt(pairs.size());
                for (Value.Pair pair : pairs) {
                    write(out, key, pair.key());
                    write(out, payload, pair.payload());
                }
            }
            case Type.Variant variant -> {
                var choice = (Value.Choice) value;
                out.putVarInt(choice.index());
                write(out, types(variant.choices()).get(choice.index()), choice.value());
            }
            case Type.Tagged(_, Type base) -> write(out, base, value);
            case Type.Unit _ -> {}
        }
    }

    private static void writeAll(ByteWriter out, List<Type> types, Value value) {
        List<Value> items = ((Value.Items) value).items();
        for (int index = 0; index < types.size(); index++) {
            write(out, types.get(index), items.get(index));
        }
    }

    private static Value read(ByteReader in, Type type) {
        return switch (type) {
            case Primitive primitive -> readPrimitive(in, primitive);
            case Type.Decimal _ -> field(in, type, 2 * Long.BYTES);
            case Type.Optional(Type item) -> {
                if (flag(in) == 0) {
                    yield Value.Null.NULL;
                }
                Value inner = read(in, item);
                yield inner.isNull() || inner instanceof Value.Just ? new Value.Just(inner) : inner;
            }
            case Type.ListOf(Type item) -> {
                int count = count(in);
                var items = new ArrayList<Value>();
                for (int index = 0; index < count; index++) {
                    items.add(read(in, item));
                }
                yield Value.items(items);
            }
            case Type.Tuple(List<Type> types) -> readAll(in, types);
            case Type.Struct struct -> readAll(in, types(struct));
            case Type.Dict dict -> readDict(in, dict);
            case Type.Variant variant -> {
                List<Type> types = types(variant.choices());
                long index = in.getVarLong();
                if (index < 0 || index >= types.size()) {
                    throw new NotPickledException();
                }
                yield new Value.Choice((int) index, read(in, types.get((int) index)));
            }
            case Type.Tagged(_, Type base) -> read(in, base);
            case Type.Unit _ -> Value.Null.NULL;
        };
    }

    private static Value readAll(ByteReader in, List<Type> types) {
        var items = new ArrayList<Value>();
        for (Type type : types) {
            items.add(read(in, type));
        }
        return Value.items(items);
    }

    private static Value readDict(ByteReader in, Type.Dict type) {
        int count = count(in);
        var pairs = new ArrayList<Value.Pair>();
        var seen = new HashSet<Value>();
        for (int index = 0; index < count; index++) {
            Value key = read(in, type.key());
            if (!seen.add(HashKey.ofGroup(type.key(), key))) {
                throw new NotPickledException();
            }
            pairs.add(new Value.Pair(key, read(in, type.payload())));
        }
        return new Value.Pairs(pairs);
    }

    private static Value readPrimitive(ByteReader in, Primitive type) {
        int width = Ints.fixedBytes(type);
        if (width > 0) {
            return field(in, type, width);
        }
        Bytes bytes = in.getBytes();
        if (type != Primitive.STRING && type != Primitive.YSON) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.array()));
            } catch (CharacterCodingException _) {
                throw new NotPickledException();
            }
        }
        return FieldCodec.decode(type, bytes.array(), 0, bytes.length());
    }

    private static Value field(ByteReader in, Type type, int width) {
        byte[] data = new byte[width];
        for (int index = 0; index < width; index++) {
            data[index] = in.getByte();
        }
        if (type == Primitive.BOOL && (data[0] & ~1) != 0) {
            throw new NotPickledException();
        }
        return FieldCodec.decode(type, data, 0, width);
    }

    /// The number of items cannot exceed the remaining bytes, unless items take no bytes. Such
    /// items have a limit of their own.
    private static int count(ByteReader in) {
        long count = in.getVarLong();
        if (count < 0 || count > Math.max(MAX_EMPTY_ITEMS, in.remaining())) {
            throw new NotPickledException();
        }
        return (int) count;
    }

    private static byte flag(ByteReader in) {
        byte flag = in.getByte();
        if (flag != 0 && flag != 1) {
            throw new NotPickledException();
        }
        return flag;
    }

    private static List<Type> types(Type choices) {
        return choices instanceof Type.Struct(List<Type.Member> members)
                ? members.stream().map(Type.Member::type).toList()
                : ((Type.Tuple) choices).items();
    }

    /// The bytes are not those of a value of the type.
    private static final class NotPickledException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotPickledException() {
            super(null, null, false, false);
        }
    }
}
