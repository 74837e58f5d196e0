package io.cleave.value;

import io.cleave.value.Type.Primitive;

import java.math.BigInteger;

/// Properties of the types whose values are [Value.Int]: their stored width, their signedness, and
/// their legal range.
public final class Ints {
    /// 2106-01-01, the first day after the range of Date, Datetime and Timestamp.
    static final long DATE_END_DAYS = 49_673;

    /// 144169-01-01 BC and 148107-12-31, the first and last day of the wide date types.
    static final long DATE32_MIN_DAYS = -53_375_809;

    static final long DATE32_MAX_DAYS = 53_375_807;

    static final long DAY_SECONDS = 86_400;
    static final long SECOND_MICROS = 1_000_000;
    static final long DAY_MICROS = DAY_SECONDS * SECOND_MICROS;

    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    private Ints() {}

    /// The stored width of a value in bytes; 0 if values of the type are not integers.
    public static int bytes(Primitive type) {
        return switch (type) {
            case INT8, UINT8 -> 1;
            case INT16, UINT16, DATE -> 2;
            case INT32, UINT32, DATETIME, DATE32 -> 4;
            case INT64, UINT64, TIMESTAMP, INTERVAL, DATETIME64, TIMESTAMP64, INTERVAL64 -> 8;
            case BOOL, FLOAT, DOUBLE, TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> 0;
            case TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 -> 0;
            case STRING, UTF8, YSON, JSON, UUID, JSON_DOCUMENT, DY_NUMBER -> 0;
        };
    }

    /// The bytes of a value of the type, if all its values have the same size; otherwise 0.
    public static int fixedBytes(Primitive type) {
        return switch (type) {
            case BOOL -> 1;
            case FLOAT -> Float.BYTES;
            case DOUBLE -> Double.BYTES;
            case UUID -> 2 * Long.BYTES;
            default -> bytes(type);
        };
    }

    /// Whether the type is one of the eight integer types; dates are not.
    public static boolean isInteger(Type type) {
        return type instanceof Primitive primitive
                && switch (primitive) {
                    case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> true;
                    default -> false;
                };
    }

    /// The unit of a date or timestamp type in microseconds; 0 for any other type.
    public static long unitMicros(Type type) {
        return switch (type) {
            case Primitive.DATE, Primitive.DATE32 -> DAY_MICROS;
            case Primitive.DATETIME, Primitive.DATETIME64 -> SECOND_MICROS;
            case Primitive.TIMESTAMP, Primitive.TIMESTAMP64 -> 1;
            default -> 0;
        };
    }

    /// Whether the type is a date or timestamp without a time zone.
    public static boolean isDate(Type type) {
        return unitMicros(type) > 0;
    }

    public static boolean isInterval(Type type) {
        return type == Primitive.INTERVAL || type == Primitive.INTERVAL64;
    }

    public static boolean isSigned(Primitive type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64 -> true;
            case INTERVAL, DATE32, DATETIME64, TIMESTAMP64, INTERVAL64 -> true;
            default -> false;
        };
    }

    /// The least legal value.
    public static long min(Primitive type) {
        return switch (type) {
            case INT8 -> Byte.MIN_VALUE;
            case INT16 -> Short.MIN_VALUE;
            case INT32 -> Integer.MIN_VALUE;
            case INT64 -> Long.MIN_VALUE;
            case INTERVAL -> 1 - DATE_END_DAYS * DAY_MICROS;
            case DATE32 -> DATE32_MIN_DAYS;
            case DATETIME64 -> DATE32_MIN_DAYS * DAY_SECONDS;
            case TIMESTAMP64 -> DATE32_MIN_DAYS * DAY_MICROS;
            case INTERVAL64 -> -max(Primitive.INTERVAL64);
            default -> 0;
        };
    }

    /// The greatest legal value; for Uint64 that is -1, all 64 bits set.
    public static long max(Primitive type) {
        return switch (type) {
            case INT8 -> Byte.MAX_VALUE;
            case UINT8 -> 0xFF;
            case INT16 -> Short.MAX_VALUE;
            case UINT16 -> 0xFFFF;
            case INT32 -> Integer.MAX_VALUE;
            case UINT32 -> 0xFFFF_FFFFL;
            case INT64 -> Long.MAX_VALUE;
            case UINT64 -> -1L;
            case DATE -> DATE_END_DAYS - 1;
            case DATETIME -> DATE_END_DAYS * DAY_SECONDS - 1;
            case TIMESTAMP, INTERVAL -> DATE_END_DAYS * DAY_MICROS - 1;
            case DATE32 -> DATE32_MAX_DAYS;
            case DATETIME64 -> (DATE32_MAX_DAYS + 1) * DAY_SECONDS - 1;
            case TIMESTAMP64 -> (DATE32_MAX_DAYS + 1) * DAY_MICROS - 1;
            case INTERVAL64 -> max(Primitive.TIMESTAMP64) - min(Primitive.TIMESTAMP64);
            default -> 0;
        };
    }

    /// Whether a value, as the 64 bits of a [Value.Int], is legal for the type.
    public static boolean fits(Primitive type, long value) {
        return type == Primitive.UINT64 || (value >= min(type) && value <= max(type));
    }

    /// Whether the number that `bits` represent in type `from` is legal for `type` too.
    public static boolean holds(Primitive type, Primitive from, long bits) {
        BigInteger number = number(!isSigned(from), bits);
        return number.compareTo(number(!isSigned(type), min(type))) >= 0
                && number.compareTo(number(!isSigned(type), max(type))) <= 0;
    }

    /// The number that the 64 bits represent.
    public static BigInteger number(boolean unsigned, long bits) {
        BigInteger number = BigInteger.valueOf(bits);
        return unsigned && bits < 0 ? number.add(TWO_64) : number;
    }
}
