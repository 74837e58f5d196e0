package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.schema.Column;
import io.cleave.value.Ints;
import io.cleave.value.Legal;
import io.cleave.value.TextForm;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.RowInput;
import io.cleave.yt.format.RowOutput;
import io.cleave.yt.format.WireType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One column of a table. It converts values between the types on the wire and the type of the
/// column. An integer that does not fit into a narrower type is refused.
///
/// Threads: any.
final class WireColumn {
    /// The maximum length of a value that is a string.
    static final int MAX_STRING_BYTES = 16 << 20;

    /// The character that a decoder puts in place of bytes that are not UTF-8.
    private static final char REPLACEMENT = '\uFFFD';

    /// How the values of a column look on the wire.
    private enum Form {
        SIGNED,
        UNSIGNED,
        REAL,
        BOOLEAN,
        BYTES,
        TEXT,
        UUID,
        YSON,
        /// A type that YTsaurus does not have. Its values can be read as text.
        FOREIGN
    }

    private final Column column;
    private final Type type;
    private final Form form;
    private final boolean isKey;

    WireColumn(Column column, boolean isKey) {
        this.column = column;
        this.isKey = isKey;
        type = column.type();
        form = type instanceof Primitive primitive ? form(primitive) : Form.FOREIGN;
    }

    private static Form form(Primitive type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64 -> Form.SIGNED;
            case INTERVAL, DATE32, DATETIME64, TIMESTAMP64, INTERVAL64 -> Form.SIGNED;
            case UINT8, UINT16, UINT32, UINT64 -> Form.UNSIGNED;
            case DATE, DATETIME, TIMESTAMP -> Form.UNSIGNED;
            case FLOAT, DOUBLE -> Form.REAL;
            case BOOL -> Form.BOOLEAN;
            case STRING -> Form.BYTES;
            case UTF8, JSON -> Form.TEXT;
            case UUID -> Form.UUID;
            case YSON -> Form.YSON;
            case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> Form.FOREIGN;
            case TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 -> Form.FOREIGN;
            case JSON_DOCUMENT, DY_NUMBER -> Form.FOREIGN;
        };
    }

    String name() {
        return column.name();
    }

    /// The value of a field. Throws if it is not of the column's type, or is NULL in a column that
    /// must have a value.
    Value read(RowInput in, int field) {
        WireType sent = in.type(field);
        if (sent == WireType.NULL) {
            return absent();
        }
        return switch (form) {
            case SIGNED, UNSIGNED -> integer(sent, in, field);
            case REAL -> real(sent, in, field);
            case BOOLEAN -> {
                if (sent != WireType.BOOLEAN) {
                    throw mismatch(sent);
                }
                yield Value.bool(in.bits(field) != 0);
            }
            case BYTES -> Value.binary(string(sent, in, field));
            case TEXT -> text(string(sent, in, field));
            case UUID -> uuid(string(sent, in, field));
            case YSON -> yson(sent, in, field);
            case FOREIGN ->
                    throw invalid(
                            "Columns of type %s cannot be written through this API"
                                    .formatted(type.text()));
        };
    }

    /// The value of the column in a row that does not give it.
    Value absent() {
        if (column.refusesNull()) {
            throw new YtException(
                    YtCodes.SCHEMA_VIOLATION,
                    "Required column \"%s\" cannot have \"null\" value".formatted(name()));
        }
        return Value.Null.NULL;
    }

    private Value integer(WireType sent, RowInput in, int field) {
        if (sent != WireType.INT64 && sent != WireType.UINT64) {
            throw mismatch(sent);
        }
        long bits = in.bits(field);
        boolean isSigned = form == Form.SIGNED;
        // With the other sign, the same bits would be another number.
        boolean otherSign = bits < 0 && (sent == WireType.INT64) != isSigned;
        if (otherSign || !Ints.fits((Primitive) type, bits)) {
            String shown =
                    sent == WireType.INT64 ? Long.toString(bits) : Long.toUnsignedString(bits);
            throw invalid("Value %s is out of range for type \"%s\"".formatted(shown, typeName()));
        }
        return Value.of(bits);
    }

    private Value real(WireType sent, RowInput in, int field) {
        if (sent != WireType.DOUBLE) {
            throw mismatch(sent);
        }
        double real = Double.longBitsToDouble(in.bits(field));
        if (isKey && Double.isNaN(real)) {
            throw new YtException(
                    YtCodes.KEY_CANNOT_BE_NAN, "Key column \"%s\" cannot be NaN".formatted(name()));
        }
        if (type == Primitive.FLOAT && Double.isFinite(real) && Float.isInfinite((float) real)) {
            throw invalid("Value %s is out of range for type \"float\"".formatted(real));
        }
        return Value.of(type == Primitive.FLOAT ? (float) real : real);
    }

    private Bytes string(WireType sent, RowInput in, int field) {
        if (sent != WireType.STRING) {
            throw mismatch(sent);
        }
        return checkLength(sent, in.bytes(field));
    }

    private static Bytes checkLength(WireType sent, Bytes bytes) {
        if (bytes.length() > MAX_STRING_BYTES) {
            throw new YtException(
                    YtCodes.STRING_LIKE_VALUE_LENGTH_LIMIT,
                    "Value of type \"%s\" is too long for dynamic data: length %d, limit %d"
                            .formatted(wireName(sent), bytes.length(), MAX_STRING_BYTES));
        }
        return bytes;
    }

    private Value text(Bytes bytes) {
        String text = bytes.utf8();
        // Only a text with this character can come from bytes that are not UTF-8.
        if (text.indexOf(REPLACEMENT) >= 0 && !isUtf8(bytes)) {
            throw invalid("Value is not a valid utf8 string");
        }
        Value value = Value.text(text);
        if (type == Primitive.JSON && Legal.check(type, value).isPresent()) {
            throw invalid("Value is not a valid json");
        }
        return value;
    }

    private static boolean isUtf8(Bytes bytes) {
        try {
            var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.array()));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private Value uuid(Bytes bytes) {
        if (bytes.length() != 2 * Long.BYTES) {
            throw invalid(
                    "Value of type \"uuid\" must have 16 bytes, got %d".formatted(bytes.length()));
        }
        ByteBuffer halves = ByteBuffer.wrap(bytes.array()).order(ByteOrder.LITTLE_ENDIAN);
        long low = halves.getLong();
        return new Value.Int128(halves.getLong(), low);
    }

    private static Value yson(WireType sent, RowInput in, int field) {
        YsonNode scalar =
                switch (sent) {
                    case NULL -> new YsonNode.Entity();
                    case INT64 -> new YsonNode.Int64(in.bits(field));
                    case UINT64 -> new YsonNode.Uint64(in.bits(field));
                    case DOUBLE -> new YsonNode.Real(Double.longBitsToDouble(in.bits(field)));
                    case BOOLEAN -> new YsonNode.Bool(in.bits(field) != 0);
                    case STRING -> new YsonNode.Text(checkLength(sent, in.bytes(field)));
                    case ANY -> null;
                };
        if (scalar != null) {
            return Value.binary(YsonWriter.write(scalar, YsonWriter.Format.BINARY));
        }
        Bytes yson = checkLength(sent, in.bytes(field));
        if (!yson.isEmpty() && yson.at(0) == '<') {
            throw new YtException(YtCodes.GENERIC, "Table values cannot have top-level attributes");
        }
        return Value.binary(yson);
    }

    private YtException mismatch(WireType sent) {
        return invalid(
                "Cannot write value of type \"%s\" into column of type \"%s\""
                        .formatted(wireName(sent), typeName()));
    }

    private YtException invalid(String why) {
        return YtError.of(
                        YtCodes.SCHEMA_VIOLATION,
                        "Error validating column \"%s\"".formatted(name()))
                .with(YtError.of(YtCodes.SCHEMA_VIOLATION, why))
                .exception();
    }

    /// YTsaurus' name for the type.
    private String typeName() {
        return switch (type) {
            case Primitive.BOOL -> "boolean";
            case Primitive.YSON -> "any";
            case Type other -> other.text().toLowerCase(Locale.ROOT);
        };
    }

    static String wireName(WireType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /// Writes the value as the field at `place`.
    void write(RowOutput out, int place, Value value) {
        switch (value) {
            case Value.Null _ -> out.nullField(place);
            case Value.Int(long number) -> {
                if (form == Form.SIGNED) {
                    out.intField(place, number);
                } else {
                    out.uintField(place, number);
                }
            }
            case Value.Bool(boolean flag) -> out.booleanField(place, flag);
            case Value.Real(double real) -> out.doubleField(place, real);
            case Value.Binary(Bytes bytes) -> {
                if (form == Form.YSON) {
                    out.anyField(place, bytes);
                } else {
                    out.stringField(place, bytes);
                }
            }
            case Value.Text(String text) -> out.stringField(place, Bytes.utf8(text));
            case Value.Int128(long high, long low) ->
                    out.stringField(place, wide(value, high, low));
            case Value.Items _, Value.Pairs _, Value.Choice _, Value.Just _ ->
                    throw new IllegalStateException("a column of type " + type.text());
        }
    }

    private Bytes wide(Value value, long high, long low) {
        if (form != Form.UUID) {
            return Bytes.utf8(TextForm.print(type, value));
        }
        return Bytes.wrap(
                ByteBuffer.allocate(2 * Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(low)
                        .putLong(high)
                        .array());
    }

    /// The value as YSON, for messages and versions.
    YsonNode node(Value value) {
        return switch (value) {
            case Value.Null _ -> new YsonNode.Entity();
            case Value.Int(long number) ->
                    form == Form.SIGNED ? new YsonNode.Int64(number) : new YsonNode.Uint64(number);
            case Value.Bool(boolean flag) -> new YsonNode.Bool(flag);
            case Value.Real(double real) -> new YsonNode.Real(real);
            case Value.Binary(Bytes bytes) ->
                    form == Form.YSON
                            ? YsonNode.parse(bytes).orElseGet(() -> new YsonNode.Text(bytes))
                            : new YsonNode.Text(bytes);
            case Value.Text(String text) -> new YsonNode.Text(Bytes.utf8(text));
            case Value.Int128(long high, long low) -> new YsonNode.Text(wide(value, high, low));
            case Value.Items _, Value.Pairs _, Value.Choice _, Value.Just _ ->
                    throw new IllegalStateException("a column of type " + type.text());
        };
    }
}
