package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Parses values from text, for literals such as `Date('2020-01-01')` and for CAST of a string.
/// Spaces around the text are not accepted.
public final class ValueParser {
    private ValueParser() {}

    /// The value of a primitive or Decimal type; empty if the text is not one.
    public static Optional<Value> parse(Type type, String text) {
        Type bare = type.unwrapped();
        if (bare instanceof Type.Decimal decimal) {
            return DecimalMath.parse(decimal, text).map(value -> value);
        }
        if (!(bare instanceof Primitive primitive)) {
            return Optional.empty();
        }
        return switch (primitive) {
            case BOOL -> parseBool(text);
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 ->
                    parseInteger(primitive, text);
            case FLOAT, DOUBLE -> parseReal(primitive, text);
            case DATE, DATETIME, TIMESTAMP, DATE32, DATETIME64, TIMESTAMP64 ->
                    DateText.parse(primitive, text).map(Value::of);
            case INTERVAL, INTERVAL64 -> IntervalText.parse(primitive, text).map(Value::of);
            case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP, TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 ->
                    TzText.normalize(primitive, text).map(Value::text);
            case STRING -> Optional.of(Value.binary(Bytes.utf8(text)));
            case UTF8 -> Optional.of(Value.text(text));
            case YSON -> {
                Bytes bytes = Bytes.utf8(text);
                yield YsonReader.isValid(bytes)
                        ? Optional.of(Value.binary(bytes))
                        : Optional.empty();
            }
            case JSON -> Json.isValid(text) ? Optional.of(Value.text(text)) : Optional.empty();
            case JSON_DOCUMENT -> Json.normalize(text).map(Value::text);
            case UUID -> UuidText.parse(text).map(value -> value);
            case DY_NUMBER -> DyNumber.normalize(text).map(Value::text);
        };
    }

    /// The text in the bytes; empty if they are not valid UTF-8.
    public static Optional<String> utf8(Bytes bytes) {
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            return Optional.of(decoder.decode(ByteBuffer.wrap(bytes.array())).toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static Optional<Value> parseBool(String text) {
        if (text.equalsIgnoreCase("true")) {
            return Optional.of(Value.Bool.TRUE);
        }
        return text.equalsIgnoreCase("false") ? Optional.of(Value.Bool.FALSE) : Optional.empty();
    }

    private static Optional<Value> parseInteger(Primitive type, String text) {
        boolean negative = text.startsWith("-");
        int from = negative || text.startsWith("+") ? 1 : 0;
        int to = NumberSyntax.skipDigits(text, from);
        if (to == from || to < text.length() || (negative && !Ints.isSigned(type))) {
            return Optional.empty();
        }
        try {
            long number =
                    type == Primitive.UINT64
                            ? Long.parseUnsignedLong(text, from, to, 10)
                            : Long.parseLong(text);
            return Ints.fits(type, number) ? Optional.of(Value.of(number)) : Optional.empty();
        } catch (NumberFormatException _) {
            // The text has only digits, so the number is too large.
            return Optional.empty();
        }
    }

    private static Optional<Value> parseReal(Primitive type, String text) {
        if (!NumberSyntax.isReal(text)) {
            return Optional.empty();
        }
        double number = type == Primitive.FLOAT ? Float.parseFloat(text) : Double.parseDouble(text);
        return Double.isInfinite(number) ? Optional.empty() : Optional.of(Value.of(number));
    }
}
