package io.cleave.value;

import io.cleave.value.Value.Int128;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/// Arithmetic on [Type.Decimal] values. Such a value is an integer: the number times 10^scale.
///
/// In addition to numbers there are -inf, inf and nan. On disk and on the wire they are -10^35,
/// 10^35 and 10^35+1, whatever the precision. A result that exceeds the precision becomes an
/// infinity; there is no overflow. Results are rounded to the nearest number, ties to even.
public final class DecimalMath {
    private static final BigInteger INF_NUMBER = BigInteger.TEN.pow(Type.Decimal.MAX_PRECISION);
    private static final BigInteger LOW_MASK =
            BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final BigInteger[] POWERS = new BigInteger[Type.Decimal.MAX_PRECISION + 1];

    /// 10^precision for each precision: the first number that does not fit.
    private static final Int128[] BOUNDS = new Int128[POWERS.length];

    static {
        for (int power = 0; power < POWERS.length; power++) {
            POWERS[power] = BigInteger.TEN.pow(power);
            BOUNDS[power] = int128(POWERS[power]);
        }
    }

    public static final Int128 INF = int128(INF_NUMBER);
    public static final Int128 NEGATIVE_INF = int128(INF_NUMBER.negate());
    public static final Int128 NAN = int128(INF_NUMBER.add(BigInteger.ONE));
    public static final Int128 ZERO = new Int128(0, 0);

    private DecimalMath() {}

    public static Int128 int128(BigInteger number) {
        return new Int128(number.shiftRight(64).longValue(), number.longValue());
    }

    public static BigInteger bigInteger(Int128 value) {
        if (value.high() == value.low() >> 63) {
            return BigInteger.valueOf(value.low());
        }
        BigInteger low = BigInteger.valueOf(value.low()).and(LOW_MASK);
        return BigInteger.valueOf(value.high()).shiftLeft(64).or(low);
    }

    /// Compares values as 128-bit integers, in the order -inf, the numbers, inf, nan.
    public static int compare(Int128 left, Int128 right) {
        return left.high() != right.high()
                ? Long.compare(left.high(), right.high())
                : Long.compareUnsigned(left.low(), right.low());
    }

    public static boolean isNan(Int128 value) {
        return value.equals(NAN);
    }

    public static boolean isInfinite(Int128 value) {
        return value.equals(INF) || value.equals(NEGATIVE_INF);
    }

    /// Whether the value is a number with at most `precision` digits.
    public static boolean isNumber(Int128 value, int precision) {
        Int128 bound = BOUNDS[precision];
        return compare(value, bound) < 0 && compare(negateBits(value), bound) < 0;
    }

    /// Whether the value is legal in a column of the type.
    public static boolean isLegal(Type.Decimal type, Int128 value) {
        return isNumber(value, type.precision()) || isInfinite(value) || isNan(value);
    }

    /// The number nearest to the text, with or without an exponent; `inf` and `nan` are not
    /// case-sensitive. A number that is too large becomes an infinity. Empty if the text is not a
    /// number.
    public static Optional<Int128> parse(Type.Decimal type, String text) {
        String bare = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        boolean negative = text.startsWith("-");
        if (bare.equalsIgnoreCase("inf")) {
            return Optional.of(negative ? NEGATIVE_INF : INF);
        }
        if (bare.equalsIgnoreCase("nan")) {
            return Optional.of(NAN);
        }
        if (!NumberSyntax.isReal(text)) {
            return Optional.empty();
        }
        int mark = Math.max(bare.indexOf('e'), bare.indexOf('E'));
        String mantissa = mark < 0 ? bare : bare.substring(0, mark);
        Optional<Integer> power =
                mark < 0 ? Optional.of(0) : NumberSyntax.smallInt(bare.substring(mark + 1));
        if (power.isEmpty()) {
            return Optional.empty();
        }
        var number = new BigDecimal(negative ? "-" + mantissa : mantissa);
        return Optional.of(scaled(type, number, power.get()));
    }

    private static Int128 scaled(Type.Decimal type, BigDecimal mantissa, int power) {
        if (mantissa.signum() == 0) {
            return ZERO;
        }
        // The position of the first digit decides very large and very small numbers, without
        // building a number of a million digits.
        long magnitude = (long) mantissa.precision() - mantissa.scale() + power;
        if (magnitude > type.precision() - type.scale()) {
            return infinity(mantissa.signum());
        }
        if (magnitude < -type.scale()) {
            return ZERO;
        }
        BigDecimal number = mantissa.scaleByPowerOfTen(power);
        return bounded(type, number.setScale(type.scale(), RoundingMode.HALF_EVEN).unscaledValue());
    }

    /// The integer as a Decimal; an infinity if it does not fit.
    public static Int128 ofInteger(Type.Decimal type, BigInteger integer) {
        return bounded(type, integer.multiply(POWERS[type.scale()]));
    }

    /// Prints the value like YDB, without trailing zeros in the fraction.
    public static String print(Type.Decimal type, Int128 value) {
        if (isNan(value)) {
            return "nan";
        }
        if (isInfinite(value)) {
            return value.equals(INF) ? "inf" : "-inf";
        }
        BigDecimal number = new BigDecimal(bigInteger(value), type.scale());
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    /// The nearest double; infinities and nan are converted to those of double.
    public static double toDouble(Type.Decimal type, Int128 value) {
        if (isNan(value)) {
            return Double.NaN;
        }
        if (isInfinite(value)) {
            return value.equals(INF) ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        return new BigDecimal(bigInteger(value), type.scale()).doubleValue();
    }

    /// The integral part; empty for infinities and nan.
    public static Optional<BigInteger> integralPart(Type.Decimal type, Int128 value) {
        return isNumber(value, Type.Decimal.MAX_PRECISION)
                ? Optional.of(bigInteger(value).divide(POWERS[type.scale()]))
                : Optional.empty();
    }

    /// Converts the value to another Decimal type: rounded if the scale decreases, an infinity if
    /// it does not fit.
    public static Int128 rescale(Type.Decimal from, Type.Decimal to, Int128 value) {
        if (isNan(value) || isInfinite(value)) {
            return value;
        }
        if (from.scale() == to.scale()) {
            return to.precision() >= from.precision() ? value : bounded(to, bigInteger(value));
        }
        BigDecimal number = new BigDecimal(bigInteger(value), from.scale());
        return bounded(to, number.setScale(to.scale(), RoundingMode.HALF_EVEN).unscaledValue());
    }

    public static Int128 negate(Int128 value) {
        return isNan(value) ? NAN : negateBits(value);
    }

    /// The operands and the result have this type.
    public static Int128 add(Type.Decimal type, Int128 left, Int128 right) {
        if (isNan(left) || isNan(right)) {
            return NAN;
        }
        if (isInfinite(left)) {
            return isInfinite(right) && !left.equals(right) ? NAN : left;
        }
        return isInfinite(right) ? right : bounded(type, bigInteger(left).add(bigInteger(right)));
    }

    public static Int128 subtract(Type.Decimal type, Int128 left, Int128 right) {
        return add(type, left, negate(right));
    }

    public static Int128 multiply(Type.Decimal type, Int128 left, Int128 right) {
        return times(type, left, right, type.scale());
    }

    /// Multiplies a Decimal by an integer.
    public static Int128 multiply(Type.Decimal type, Int128 left, BigInteger right) {
        return times(type, left, int128(right), 0);
    }

    private static Int128 times(Type.Decimal type, Int128 left, Int128 right, int extraScale) {
        if (isNan(left) || isNan(right)) {
            return NAN;
        }
        BigInteger l = bigInteger(left);
        BigInteger r = bigInteger(right);
        if (isInfinite(left) || isInfinite(right)) {
            int sign = l.signum() * r.signum();
            return sign == 0 ? NAN : infinity(sign);
        }
        return bounded(type, divideRounding(l.multiply(r), POWERS[extraScale]));
    }

    /// A number divided by zero is an infinity; zero divided by zero is nan.
    public static Int128 divide(Type.Decimal type, Int128 left, Int128 right) {
        return over(type, left, right, type.scale());
    }

    /// Divides a Decimal by an integer.
    public static Int128 divide(Type.Decimal type, Int128 left, BigInteger right) {
        return over(type, left, int128(right), 0);
    }

    private static Int128 over(Type.Decimal type, Int128 left, Int128 right, int extraScale) {
        if (isNan(left) || isNan(right)) {
            return NAN;
        }
        BigInteger l = bigInteger(left);
        BigInteger r = bigInteger(right);
        if (r.signum() == 0) {
            return l.signum() == 0 ? NAN : infinity(l.signum());
        }
        if (isInfinite(right)) {
            return isInfinite(left) ? NAN : ZERO;
        }
        if (isInfinite(left)) {
            return infinity(l.signum() * r.signum());
        }
        return bounded(type, divideRounding(l.multiply(POWERS[extraScale]), r));
    }

    /// The remainder of the division, with the sign of `left`; nan if either operand is not a
    /// number or `right` is zero.
    public static Int128 remainder(Int128 left, Int128 right) {
        int precision = Type.Decimal.MAX_PRECISION;
        if (!isNumber(left, precision) || !isNumber(right, precision) || right.equals(ZERO)) {
            return NAN;
        }
        return int128(bigInteger(left).remainder(bigInteger(right)));
    }

    private static BigInteger divideRounding(BigInteger dividend, BigInteger divisor) {
        return new BigDecimal(dividend)
                .divide(new BigDecimal(divisor), 0, RoundingMode.HALF_EVEN)
                .unscaledValue();
    }

    private static Int128 bounded(Type.Decimal type, BigInteger number) {
        return number.abs().compareTo(POWERS[type.precision()]) < 0
                ? int128(number)
                : infinity(number.signum());
    }

    private static Int128 infinity(int sign) {
        return sign < 0 ? NEGATIVE_INF : INF;
    }

    private static Int128 negateBits(Int128 value) {
        long low = -value.low();
        return new Int128(~value.high() + (low == 0 ? 1 : 0), low);
    }
}
