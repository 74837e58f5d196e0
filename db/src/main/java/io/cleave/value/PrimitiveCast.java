package io.cleave.value;

import io.cleave.base.Bytes;
import io.cleave.value.Type.Primitive;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/// CAST between primitive and Decimal types. A value that does not fit becomes NULL, and fractions
/// are cut off. A date is cast to an integer as its raw units, and to another date type by the
/// moment it begins.
final class PrimitiveCast {
    private PrimitiveCast() {}

    static Optional<Caster> find(Type from, Type to) {
        if (from.equals(to)) {
            return Optional.of(Caster.IDENTITY);
        }
        if (to == Primitive.STRING) {
            return toBytes(from);
        }
        if (to == Primitive.UTF8) {
            return toText(from);
        }
        if (from == Primitive.STRING || from == Primitive.UTF8) {
            return Optional.of(fromText(from, to));
        }
        if (from instanceof Type.Decimal decimal) {
            return fromDecimal(decimal, to);
        }
        if (to instanceof Type.Decimal decimal) {
            return Ints.isInteger(from)
                    ? Optional.of(integerToDecimal((Primitive) from, decimal))
                    : Optional.empty();
        }
        return from instanceof Primitive f && to instanceof Primitive t
                ? betweenPrimitives(f, t)
                : Optional.empty();
    }

    private static Optional<Caster> betweenPrimitives(Primitive from, Primitive to) {
        if (TzText.isTz(from) || TzText.isTz(to)) {
            return TzText.cast(from, to);
        }
        boolean fromReal = isReal(from);
        boolean toReal = isReal(to);
        boolean fromNumber = fromReal || Ints.isInteger(from);
        boolean toNumber = toReal || Ints.isInteger(to);
        if (from == Primitive.BOOL && toNumber) {
            return Optional.of(boolTo(toReal));
        }
        if (fromNumber && to == Primitive.BOOL) {
            return Optional.of(Caster.total(PrimitiveCast::isNonZero));
        }
        if (fromReal && toReal) {
            return Optional.of(Caster.total(v -> real(to, ((Value.Real) v).value())));
        }
        if (fromReal && Ints.isInteger(to)) {
            return Optional.of(Caster.failing(v -> truncate(to, ((Value.Real) v).value())));
        }
        if (Ints.isInteger(from) && toReal) {
            return Optional.of(Caster.total(v -> integerToReal(from, to, v)));
        }
        if (from == Primitive.JSON && to == Primitive.JSON_DOCUMENT) {
            return Optional.of(Caster.total(v -> parsed(to, ((Value.Text) v).value())));
        }
        if (from == Primitive.JSON_DOCUMENT && to == Primitive.JSON) {
            return Optional.of(Caster.IDENTITY);
        }
        return betweenIntegers(from, to);
    }

    /// Integers, dates and intervals, all of which are [Value.Int].
    private static Optional<Caster> betweenIntegers(Primitive from, Primitive to) {
        if (Ints.bytes(from) == 0 || Ints.bytes(to) == 0) {
            return Optional.empty();
        }
        boolean bothMoments = isMoment(from) && isMoment(to);
        boolean bothIntervals = isInterval(from) && isInterval(to);
        boolean raw = Ints.isInteger(from) || Ints.isInteger(to) || bothIntervals;
        if (!raw && !bothMoments) {
            return Optional.empty();
        }
        long numerator = bothMoments ? Order.unitMicros(from) : 1;
        long denominator = bothMoments ? Order.unitMicros(to) : 1;
        boolean always =
                fits(from, to, Ints.min(from), numerator, denominator)
                        && fits(from, to, Ints.max(from), numerator, denominator);
        return Optional.of(
                Caster.of(
                        value -> {
                            long number = ((Value.Int) value).value();
                            return fits(from, to, number, numerator, denominator)
                                    ? Value.of(Math.floorDiv(number * numerator, denominator))
                                    : Value.Null.NULL;
                        },
                        !always));
    }

    private static boolean fits(
            Primitive from, Primitive to, long number, long numerator, long denominator) {
        boolean beyondLong = from == Primitive.UINT64 && number < 0;
        if (beyondLong) {
            return to == Primitive.UINT64;
        }
        return to == Primitive.UINT64
                ? number >= 0
                : Ints.fits(to, Math.floorDiv(number * numerator, denominator));
    }

    private static Caster boolTo(boolean real) {
        Value one = real ? Value.of(1.0) : Value.of(1L);
        Value zero = real ? Value.of(0.0) : Value.of(0L);
        return Caster.total(value -> ((Value.Bool) value).value() ? one : zero);
    }

    private static Value isNonZero(Value value) {
        return Value.bool(
                value instanceof Value.Int(long number)
                        ? number != 0
                        : ((Value.Real) value).value() != 0);
    }

    private static Value real(Primitive type, double value) {
        return Value.of(type == Primitive.FLOAT ? (double) (float) value : value);
    }

    private static Value truncate(Primitive type, double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Value.Null.NULL;
        }
        return integer(type, new BigDecimal(value).toBigInteger());
    }

    private static Value integer(Primitive type, BigInteger number) {
        if (type == Primitive.UINT64) {
            boolean fits = number.signum() >= 0 && number.bitLength() <= 64;
            return fits ? Value.of(number.longValue()) : Value.Null.NULL;
        }
        boolean fits = number.bitLength() <= 63 && Ints.fits(type, number.longValue());
        return fits ? Value.of(number.longValue()) : Value.Null.NULL;
    }

    private static Value integerToReal(Primitive from, Primitive to, Value value) {
        long number = ((Value.Int) value).value();
        if (number < 0 && from == Primitive.UINT64) {
            BigInteger unsigned = Ints.number(true, number);
            return Value.of(
                    to == Primitive.FLOAT
                            ? (double) unsigned.floatValue()
                            : unsigned.doubleValue());
        }
        return Value.of(to == Primitive.FLOAT ? (double) (float) number : (double) number);
    }

    private static Caster integerToDecimal(Primitive from, Type.Decimal to) {
        boolean unsigned = !Ints.isSigned(from);
        return Caster.total(
                value -> {
                    long number = ((Value.Int) value).value();
                    return DecimalMath.ofInteger(to, Ints.number(unsigned, number));
                });
    }

    private static Optional<Caster> fromDecimal(Type.Decimal from, Type to) {
        if (to instanceof Type.Decimal other) {
            return Optional.of(
                    Caster.total(v -> DecimalMath.rescale(from, other, (Value.Int128) v)));
        }
        if (!(to instanceof Primitive primitive)) {
            return Optional.empty();
        }
        if (isReal(primitive)) {
            return Optional.of(
                    Caster.total(
                            v -> real(primitive, DecimalMath.toDouble(from, (Value.Int128) v))));
        }
        if (!Ints.isInteger(primitive)) {
            return Optional.empty();
        }
        return Optional.of(
                Caster.failing(
                        v ->
                                DecimalMath.integralPart(from, (Value.Int128) v)
                                        .map(number -> integer(primitive, number))
                                        .orElse(Value.Null.NULL)));
    }

    private static Optional<Caster> toBytes(Type from) {
        if (from == Primitive.YSON) {
            return Optional.of(Caster.IDENTITY);
        }
        return isPrintable(from)
                ? Optional.of(Caster.total(v -> Value.binary(Bytes.utf8(TextForm.print(from, v)))))
                : Optional.empty();
    }

    private static Optional<Caster> toText(Type from) {
        if (from == Primitive.STRING || from == Primitive.YSON) {
            return Optional.of(
                    Caster.failing(
                            v ->
                                    ValueParser.utf8(((Value.Binary) v).value())
                                            .map(Value::text)
                                            .orElse(Value.Null.NULL)));
        }
        return isPrintable(from)
                ? Optional.of(Caster.total(v -> Value.text(TextForm.print(from, v))))
                : Optional.empty();
    }

    private static Caster fromText(Type from, Type to) {
        if (from == Primitive.UTF8) {
            return Caster.failing(v -> parsed(to, ((Value.Text) v).value()));
        }
        if (to == Primitive.YSON) {
            return Caster.failing(
                    v -> YsonReader.isValid(((Value.Binary) v).value()) ? v : Value.Null.NULL);
        }
        return Caster.failing(
                v ->
                        ValueParser.utf8(((Value.Binary) v).value())
                                .map(text -> parsed(to, text))
                                .orElse(Value.Null.NULL));
    }

    private static Value parsed(Type type, String text) {
        return ValueParser.parse(type, text).orElse(Value.Null.NULL);
    }

    private static boolean isPrintable(Type type) {
        return type instanceof Primitive || type instanceof Type.Decimal;
    }

    private static boolean isReal(Primitive type) {
        return type == Primitive.FLOAT || type == Primitive.DOUBLE;
    }

    static boolean isMoment(Primitive type) {
        return switch (type) {
            case DATE, DATETIME, TIMESTAMP, DATE32, DATETIME64, TIMESTAMP64 -> true;
            default -> false;
        };
    }

    static boolean isInterval(Primitive type) {
        return type == Primitive.INTERVAL || type == Primitive.INTERVAL64;
    }
}
