package io.cleave.yql;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.value.Legal;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Type.Unit;
import io.cleave.value.Value;
import io.cleave.yql.Expression.Literal;

import org.antlr.v4.runtime.Token;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/// Reads literals. The way a literal is written decides its type.
final class Literals {
    private Literals() {}

    /// With `unicode`, a string without a type suffix is Utf8.
    static Literal of(Yql.LiteralContext literal, boolean unicode) {
        Token token = literal.start;
        boolean bare = token.getType() == Yql.STRING && !hasSuffix(token.getText());
        return unicode && bare ? string(Places.at(token), token.getText() + "u") : of(token);
    }

    static Literal of(Yql.ConstantContext constant) {
        Token first = constant.start;
        if (first.getType() != Yql.MINUS) {
            return of(constant.stop);
        }
        Position at = Places.at(first);
        return negated(at, constant.stop)
                .orElseThrow(
                        () ->
                                Places.error(
                                        at, "Number is out of range: -" + constant.stop.getText()));
    }

    private static Literal of(Token token) {
        Position at = Places.at(token);
        return switch (token.getType()) {
            case Yql.INTEGER -> integer(at, token.getText());
            case Yql.REAL -> real(at, token.getText(), 1);
            case Yql.STRING -> string(at, token.getText());
            case Yql.TRUE -> new Literal(at, Primitive.BOOL, Value.Bool.TRUE);
            case Yql.FALSE -> new Literal(at, Primitive.BOOL, Value.Bool.FALSE);
            case Yql.NULL -> new Literal(at, Unit.NULL, Value.Null.NULL);
            default -> throw new IllegalStateException("not a literal: " + token);
        };
    }

    /// The number with a minus, read as one number: `-2147483648` is an Int32 although `2147483648`
    /// is not. Empty for unsigned numbers, and for numbers that are out of range.
    static Optional<Literal> negated(Position at, Token token) {
        if (token.getType() == Yql.REAL) {
            return Optional.of(real(at, token.getText(), -1));
        }
        var number = WrittenInteger.of(token.getText());
        if (number.suffix.startsWith("u")) {
            return Optional.empty();
        }
        Optional<Long> digits = number.bits();
        if (digits.isEmpty()
                || Long.compareUnsigned(digits.get(), 1L << 63) > 0
                || !fits(number.type(-digits.get()), -digits.get())) {
            return Optional.empty();
        }
        long value = -digits.get();
        return Optional.of(new Literal(at, number.type(value), Value.of(value)));
    }

    static Literal integer(Position at, String text) {
        var number = WrittenInteger.of(text);
        long bits =
                number.bits()
                        .orElseThrow(
                                () ->
                                        Places.error(
                                                at,
                                                "Failed to parse number from string: %s, number"
                                                                .formatted(text)
                                                        + " limit overflow"));
        if (bits < 0 && number.suffix.isEmpty()) {
            return new Literal(at, Primitive.UINT64, Value.of(bits));
        }
        Primitive type = number.type(bits);
        boolean pastInt64 = bits < 0 && type != Primitive.UINT64;
        if (pastInt64 || !fits(type, bits)) {
            throw Places.error(
                    at,
                    "Failed to parse %s as integer literal of %s type: value out of range for %s"
                            .formatted(Long.toUnsignedString(bits), type, type));
        }
        return new Literal(at, type, Value.of(bits));
    }

    /// The digits of an integer, their base, and the suffix.
    private record WrittenInteger(String digits, int radix, String suffix) {
        static WrittenInteger of(String text) {
            String lower = text.toLowerCase(Locale.ROOT);
            int to = lower.length();
            while ("ulst".indexOf(lower.charAt(to - 1)) >= 0) {
                to--;
            }
            String suffix = lower.substring(to);
            if (lower.startsWith("0x")) {
                return new WrittenInteger(lower.substring(2, to), 16, suffix);
            } else if (lower.startsWith("0o")) {
                return new WrittenInteger(lower.substring(2, to), 8, suffix);
            } else if (lower.startsWith("0b")) {
                return new WrittenInteger(lower.substring(2, to), 2, suffix);
            }
            return new WrittenInteger(lower.substring(0, to), 10, suffix);
        }

        /// The value as 64 unsigned bits; empty if it does not fit.
        Optional<Long> bits() {
            try {
                return Optional.of(Long.parseUnsignedLong(digits, radix));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        Primitive type(long value) {
            return switch (suffix) {
                case "" -> fits(Primitive.INT32, value) ? Primitive.INT32 : Primitive.INT64;
                case "u" -> Primitive.UINT32;
                case "l" -> Primitive.INT64;
                case "ul" -> Primitive.UINT64;
                case "s" -> Primitive.INT16;
                case "us" -> Primitive.UINT16;
                case "t" -> Primitive.INT8;
                case "ut" -> Primitive.UINT8;
                default -> throw new IllegalStateException("suffix " + suffix);
            };
        }
    }

    /// For unsigned types, `value` must have no sign.
    private static boolean fits(Primitive type, long value) {
        return switch (type) {
            case INT8 -> value == (byte) value;
            case INT16 -> value == (short) value;
            case INT32 -> value == (int) value;
            case UINT8 -> value == (value & 0xFF);
            case UINT16 -> value == (value & 0xFFFF);
            case UINT32 -> value == (value & 0xFFFF_FFFFL);
            default -> true;
        };
    }

    private static Literal real(Position at, String text, int sign) {
        boolean isFloat = text.endsWith("f") || text.endsWith("F");
        double value =
                isFloat
                        ? Float.parseFloat(text.substring(0, text.length() - 1))
                        : Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw Places.error(at, "Number is out of range: " + text);
        }
        return new Literal(
                at, isFloat ? Primitive.FLOAT : Primitive.DOUBLE, Value.of(sign * value));
    }

    /// Whether a letter after the quotes gives the type of the string.
    static boolean hasSuffix(String text) {
        return Character.isLetter(text.charAt(text.length() - 1));
    }

    static Literal string(Position at, String text) {
        char last = Character.toLowerCase(text.charAt(text.length() - 1));
        boolean hasSuffix = hasSuffix(text);
        String quoted = hasSuffix ? text.substring(0, text.length() - 1) : text;
        byte[] bytes = decode(quoted);
        return switch (hasSuffix ? last : 's') {
            case 's' -> binary(at, Primitive.STRING, bytes);
            case 'y' -> legal(quoted, binary(at, Primitive.YSON, bytes));
            case 'u' -> text(at, Primitive.UTF8, bytes);
            case 'j' -> legal(quoted, text(at, Primitive.JSON, bytes));
            default -> throw Places.unsupported(at, "A PostgreSQL literal");
        };
    }

    private static Literal legal(String quoted, Literal literal) {
        if (Legal.check(literal.type(), literal.value()).isPresent()) {
            String type = literal.type().text();
            throw Places.error(
                    literal.at(), "Invalid value %s for type %s".formatted(quoted, type));
        }
        return literal;
    }

    /// The text of a string without a suffix; for names of members and tags.
    static String name(Position at, String text) {
        if (hasSuffix(text)) {
            throw Places.error(at, "A name in quotes has no suffix: " + text);
        }
        return utf8(at, Primitive.UTF8, decode(text));
    }

    private static byte[] decode(String quoted) {
        return quoted.startsWith("@@")
                ? quoted.substring(2, quoted.length() - 2)
                        .replace("@@@@", "@@")
                        .getBytes(StandardCharsets.UTF_8)
                : Escapes.decode(quoted.substring(1, quoted.length() - 1));
    }

    private static Literal binary(Position at, Type type, byte[] bytes) {
        return new Literal(at, type, Value.binary(Bytes.wrap(bytes)));
    }

    private static Literal text(Position at, Type type, byte[] bytes) {
        return new Literal(at, type, Value.text(utf8(at, type, bytes)));
    }

    private static String utf8(Position at, Type type, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw Places.error(at, "Invalid value for type " + type.text() + ": not UTF-8");
        }
    }
}
