package io.cleave.plan;

import io.cleave.base.Bytes;
import io.cleave.value.DecimalMath;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// The position of a value of another type among the values that a key column can have. For
/// example, a column of Uint8 may be compared with -1, 1.5 or 300.
sealed interface KeyBound {
    /// The column can have exactly this value.
    record Exact(Value value) implements KeyBound {
        /// Whether the value has the column's type, and not only a position among its values.
        boolean isOf(Type columnType) {
            return columnType != Primitive.UTF8 || value instanceof Value.Text;
        }
    }

    /// Between `lower` and the column's next value.
    record JustAbove(Value lower) implements KeyBound {}

    /// Below all values that the column can have.
    record Below() implements KeyBound {}

    record Above() implements KeyBound {}

    /// Neither less than, equal to, nor greater than any value of the column: a nan.
    record Nowhere() implements KeyBound {}

    /// The types cannot be compared here, or the value has no position.
    record Unknown() implements KeyBound {}

    BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    static KeyBound of(Type columnType, Type valueType, Value value) {
        Type from = valueType.unwrapped();
        if (from instanceof Type.Decimal && value.equals(DecimalMath.NAN)) {
            return new Nowhere();
        }
        if (from.equals(columnType)) {
            return new Exact(value);
        }
        if (isString(from) && isString(columnType)) {
            return new Exact(string(columnType, value));
        }
        if (from instanceof Type.Decimal(_, int scale)
                && columnType instanceof Type.Decimal(_, int columnScale)
                && scale == columnScale) {
            return new Exact(value);
        }
        if (!(columnType instanceof Primitive column) || Ints.bytes(column) == 0) {
            return new Unknown();
        }
        BigDecimal number = number(from, value);
        if (number == null) {
            return value instanceof Value.Real(double real) && Double.isInfinite(real)
                    ? real > 0 ? new Above() : new Below()
                    : new Unknown();
        }
        BigDecimal inUnits =
                number.divide(BigDecimal.valueOf(unit(column)), 40, RoundingMode.FLOOR);
        BigInteger floor = inUnits.setScale(0, RoundingMode.FLOOR).toBigInteger();
        if (floor.compareTo(signed(column, Ints.min(column))) < 0) {
            return new Below();
        }
        BigInteger max = signed(column, Ints.max(column));
        boolean whole = new BigDecimal(floor).compareTo(inUnits) == 0;
        if (floor.compareTo(max) > 0 || (floor.equals(max) && !whole)) {
            return new Above();
        }
        Value lower = Value.of(floor.longValue());
        return whole ? new Exact(lower) : new JustAbove(lower);
    }

    /// Whether no value of the type is [Unknown]. Then `=` with such a value selects exactly one
    /// key or none.
    static boolean isExact(Type columnType, Type valueType) {
        Type from = valueType.unwrapped();
        return from.equals(columnType)
                || (isString(from) && isString(columnType))
                || (isWhole(from) && isWhole(columnType));
    }

    /// Whether every comparison with a value of the type, including `<` and `>`, selects exactly
    /// the keys for which it is true.
    static boolean isOrdered(Type columnType, Type valueType) {
        Type from = valueType.unwrapped();
        return (isString(from) && isString(columnType)) || (isWhole(from) && isWhole(columnType));
    }

    private static boolean isWhole(Type type) {
        return type instanceof Primitive primitive && Ints.bytes(primitive) > 0;
    }

    private static boolean isString(Type type) {
        return type == Primitive.STRING || type == Primitive.UTF8;
    }

    /// The String or Utf8 as a value of the column's type. Bytes that are not valid UTF-8 stay
    /// bytes: no Utf8 is equal to them, but they have a position among the values of Utf8.
    private static Value string(Type columnType, Value value) {
        return switch (value) {
            case Value.Binary(Bytes bytes) when columnType == Primitive.UTF8 ->
                    ValueParser.utf8(bytes).<Value>map(Value::text).orElse(value);
            case Value.Text(String text) when columnType == Primitive.STRING ->
                    Value.binary(Bytes.utf8(text));
            default -> value;
        };
    }

    /// The value as a number, dates in microseconds; null if it has no such number.
    private static @Nullable BigDecimal number(Type type, Value value) {
        return switch (value) {
            case Value.Int(long bits) when type instanceof Primitive primitive ->
                    new BigDecimal(signed(primitive, bits))
                            .multiply(BigDecimal.valueOf(unit(primitive)));
            case Value.Real(double real) when Double.isFinite(real) -> new BigDecimal(real);
            default -> null;
        };
    }

    private static BigInteger signed(Primitive type, long bits) {
        BigInteger number = BigInteger.valueOf(bits);
        return bits < 0 && !Ints.isSigned(type) ? number.add(TWO_64) : number;
    }

    private static long unit(Primitive type) {
        return switch (type) {
            case DATE, DATE32 -> 86_400_000_000L;
            case DATETIME, DATETIME64 -> 1_000_000L;
            default -> 1;
        };
    }
}
