package io.cleave.function.yt;

import io.cleave.typed.Typed;
import io.cleave.value.Value;

import java.util.EnumSet;
import java.util.Set;

/// A literal of a query, or a part of it that was computed from literals. `type` is the type as
/// written; an integer literal may take other types of numbers.
public record YtLiteral(YtType type, Value value) {
    static final YtLiteral NULL = new YtLiteral(YtType.NULL, Value.Null.NULL);

    private static final double TWO_63 = 0x1p63;
    private static final double TWO_64 = 0x1p64;

    static YtLiteral bool(boolean value) {
        return new YtLiteral(YtType.BOOLEAN, Value.bool(value));
    }

    /// The types that the literal may take.
    public Set<YtType> types() {
        return switch (type) {
            case NULL -> EnumSet.allOf(YtType.class);
            case INT64 -> EnumSet.of(YtType.INT64, YtType.UINT64, YtType.DOUBLE);
            case UINT64 -> EnumSet.of(YtType.UINT64, YtType.DOUBLE);
            default -> EnumSet.of(type);
        };
    }

    public Typed typed(YtType target) {
        return value.isNull()
                ? new Typed.Constant(target.type().optional(), value)
                : new Typed.Constant(target.type(), as(target));
    }

    /// The value as another type of number. Refuses a number that does not fit into the type. A
    /// negative number becomes the unsigned number with the same bits.
    public Value as(YtType target) {
        if (type == target || value.isNull()) {
            return value;
        }
        if (!type.isNumber() || !target.isNumber()) {
            throw YtQueryErrors.error("Type mismatch in literal")
                    .with("actual_type", type.text())
                    .with("expected_type", target.text())
                    .exception();
        }
        return switch (value) {
            case Value.Int(long bits) when target == YtType.DOUBLE -> real(bits);
            case Value.Int(long bits) -> {
                if (type == YtType.UINT64 && bits < 0) {
                    throw YtQueryErrors.error(
                                    "Failed to cast %su to int64: value is greater than maximum"
                                            .formatted(Long.toUnsignedString(bits)))
                            .exception();
                }
                yield value;
            }
            case Value.Real(double real) -> integer(real, target);
            default -> throw new IllegalStateException("a number is " + value);
        };
    }

    private Value real(long bits) {
        boolean unsigned = type == YtType.UINT64;
        double real = unsigned ? unsignedToDouble(bits) : (double) bits;
        boolean exact =
                real < (unsigned ? TWO_64 : TWO_63)
                        && (unsigned ? doubleToUnsigned(real) : (long) real) == bits;
        if (!exact) {
            throw YtQueryErrors.error(
                            "Failed to cast %s to double: inaccurate conversion"
                                    .formatted(unsigned ? Long.toUnsignedString(bits) + "u" : bits))
                    .exception();
        }
        return Value.of(real);
    }

    private static Value integer(double real, YtType target) {
        boolean unsigned = target == YtType.UINT64;
        boolean inRange = unsigned ? real >= 0 && real < TWO_64 : real >= -TWO_63 && real < TWO_63;
        if (!inRange || real != Math.rint(real)) {
            throw YtQueryErrors.error(
                            "Failed to cast %s to %s: inaccurate conversion"
                                    .formatted(YtNumbers.text(real), target.text()))
                    .exception();
        }
        return Value.of(unsigned ? doubleToUnsigned(real) : (long) real);
    }

    static double unsignedToDouble(long bits) {
        if (bits >= 0) {
            return (double) bits;
        }
        // Half of the number is converted and then doubled. The half is rounded to odd, so that the
        // doubled value is rounded only once.
        return (double) ((bits >>> 1) | (bits & 1)) * 2;
    }

    /// For numbers from 0 up to 2^64; the fraction is cut off.
    static long doubleToUnsigned(double real) {
        return real < TWO_63 ? (long) real : (long) (real - TWO_63) ^ Long.MIN_VALUE;
    }
}
