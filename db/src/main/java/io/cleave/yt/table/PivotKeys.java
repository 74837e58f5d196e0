package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.WireType;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The keys at which tablets begin. Each is a list of values of the first key columns. Pure.
final class PivotKeys {
    private static final int UUID_BYTES = 16;

    /// No row has a longer key.
    private static final int MAX_KEY_BYTES = 1 << 20;

    private PivotKeys() {}

    /// The keys in the encoding of the store. The first key of a table is the empty key. Each key
    /// is checked against the key columns.
    static List<Bytes> read(List<SchemaColumn> columns, YsonNode given) {
        if (!(given.bare() instanceof YsonNode.Items(List<YsonNode> keys))) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Cannot parse parameter /pivot_keys: expected \"list\", got \"%s\""
                            .formatted(CommandParameters.typeName(given.bare())));
        }
        return keys.stream().map(key -> readKey(columns, key)).toList();
    }

    private static Bytes readKey(List<SchemaColumn> columns, YsonNode given) {
        if (!(given.bare() instanceof YsonNode.Items(List<YsonNode> items))) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Cannot parse a pivot key: expected \"list\", got \"%s\""
                            .formatted(CommandParameters.typeName(given.bare())));
        }
        if (items.size() > columns.size()) {
            throw violation("Pivot key must form a prefix of key");
        }
        Value[] values = new Value[items.size()];
        List<Type> types = new ArrayList<>();
        for (int index = 0; index < values.length; index++) {
            SchemaColumn column = columns.get(index);
            types.add(column.type().stored());
            values[index] = value(column, items.get(index).bare());
        }
        Bytes key = KeyCodec.encode(types, values);
        int bytes = KeyCodec.valueBytes(types, key);
        if (bytes > MAX_KEY_BYTES) {
            throw violation(
                    "Pivot key is too long: actual %d bytes, limit %d"
                            .formatted(bytes, MAX_KEY_BYTES));
        }
        return key;
    }

    private static Value value(SchemaColumn column, YsonNode given) {
        WireType found = wire(given);
        if (found == WireType.NULL) {
            if (column.isRequired()) {
                throw violation(
                        "Unexpected null for required column \"%s\" in pivot key"
                                .formatted(column.name()));
            }
            return Value.Null.NULL;
        }
        if (found != column.wire()) {
            throw violation(
                    "Mismatched type of column \"%s\" in pivot key: expected \"%s\", found \"%s\""
                            .formatted(column.name(), name(column.wire()), name(found)));
        }
        return value(column.type().stored(), given)
                .orElseThrow(
                        () ->
                                violation(
                                        "Value of column \"%s\" in pivot key is not a valid \"%s\""
                                                .formatted(column.name(), column.type().text())));
    }

    private static Optional<Value> value(Type type, YsonNode given) {
        return switch (given) {
            case YsonNode.Int64(long number) -> number(type, number, false);
            case YsonNode.Uint64(long number) -> number(type, number, true);
            case YsonNode.Bool(boolean flag) -> Optional.of(Value.bool(flag));
            case YsonNode.Text(Bytes bytes) -> text(type, bytes);
            default -> Optional.empty();
        };
    }

    private static Optional<Value> number(Type type, long number, boolean unsigned) {
        Primitive from = unsigned ? Primitive.UINT64 : Primitive.INT64;
        return Ints.holds((Primitive) type, from, number)
                ? Optional.of(Value.of(number))
                : Optional.empty();
    }

    private static Optional<Value> text(Type type, Bytes bytes) {
        return switch (type) {
            case Primitive.STRING -> Optional.of(Value.binary(bytes));
            case Primitive.UTF8 -> ValueParser.utf8(bytes).map(Value::text);
            case Primitive.UUID -> uuid(bytes);
            default -> ValueParser.utf8(bytes).flatMap(text -> ValueParser.parse(type, text));
        };
    }

    private static Optional<Value> uuid(Bytes bytes) {
        if (bytes.length() != UUID_BYTES) {
            return Optional.empty();
        }
        ByteBuffer halves = ByteBuffer.wrap(bytes.array()).order(ByteOrder.LITTLE_ENDIAN);
        long low = halves.getLong();
        return Optional.of(new Value.Int128(halves.getLong(), low));
    }

    /// The first key of each tablet as a list of values.
    static YsonNode node(Table table, Bytes key) {
        List<Type> types = table.key().stream().map(Column::type).toList();
        Value[] values = KeyCodec.decode(types, key);
        List<YsonNode> items = new ArrayList<>();
        for (int index = 0; index < values.length; index++) {
            items.add(node(types.get(index), values[index]));
        }
        return YsonNode.list(items);
    }

    private static YsonNode node(Type type, Value value) {
        return switch (value) {
            case Value.Null.NULL -> YsonNode.entity();
            case Value.Bool(boolean flag) -> YsonNode.bool(flag);
            case Value.Int(long number) ->
                    Ints.isSigned((Primitive) type) ? YsonNode.of(number) : YsonNode.uint(number);
            case Value.Binary(Bytes bytes) -> YsonNode.text(bytes);
            case Value.Text(String text) -> YsonNode.text(text);
            case Value.Int128(long high, long low) when type == Primitive.UUID ->
                    YsonNode.text(
                            Bytes.wrap(
                                    ByteBuffer.allocate(UUID_BYTES)
                                            .order(ByteOrder.LITTLE_ENDIAN)
                                            .putLong(low)
                                            .putLong(high)
                                            .array()));
            default -> YsonNode.text(TextForm.print(type, value));
        };
    }

    /// Keys that divide the range of the first key column into equal parts. The column is an
    /// integer. The first key is the empty key.
    static List<Bytes> uniform(SchemaColumn column, int count) {
        if (!(column.type().stored() instanceof Primitive type) || !Ints.isInteger(type)) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Uniform resharding requires the first key column \"%s\" to be an integer, got \"%s\""
                            .formatted(column.name(), column.type().text()));
        }
        int bits = Ints.bytes(type) * Byte.SIZE;
        BigInteger all = BigInteger.ONE.shiftLeft(bits);
        BigInteger least =
                Ints.isSigned(type) ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
        List<Bytes> keys = new ArrayList<>();
        keys.add(Bytes.EMPTY);
        for (int index = 1; index < count; index++) {
            BigInteger part =
                    all.multiply(BigInteger.valueOf(index)).divide(BigInteger.valueOf(count));
            Bytes key = KeyCodec.encode(List.of(type), Value.of(least.add(part).longValue()));
            // The type of the column may have fewer values than there are tablets.
            if (!key.equals(keys.getLast())) {
                keys.add(key);
            }
        }
        return keys;
    }

    private static WireType wire(YsonNode node) {
        return switch (node) {
            case YsonNode.Entity _ -> WireType.NULL;
            case YsonNode.Bool _ -> WireType.BOOLEAN;
            case YsonNode.Int64 _ -> WireType.INT64;
            case YsonNode.Uint64 _ -> WireType.UINT64;
            case YsonNode.Real _ -> WireType.DOUBLE;
            case YsonNode.Text _ -> WireType.STRING;
            default -> WireType.ANY;
        };
    }

    /// The name of a wire type in messages.
    static String name(WireType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private static YtException violation(String message) {
        return new YtException(YtCodes.SCHEMA_VIOLATION, message);
    }
}
