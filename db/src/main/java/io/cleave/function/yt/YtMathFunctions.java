package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.parameter;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.DOUBLE;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.function.number.MathFunctions;
import io.cleave.value.Value;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/// Mathematics. All functions except `greatest` are NULL for NULL.
final class YtMathFunctions {
    /// 20! is the greatest factorial below 2^64.
    private static final int MAX_FACTORIAL = 20;

    private YtMathFunctions() {}

    static void register(YtFunction.Registry registry) {
        real(registry, "acos", Math::acos);
        real(registry, "asin", Math::asin);
        real(registry, "cbrt", Math::cbrt);
        real(registry, "cos", Math::cos);
        real(registry, "cot", x -> 1.0 / Math.tan(x));
        real(registry, "degrees", x -> x * 180.0 / Math.PI);
        real(registry, "exp", Math::exp);
        real(registry, "gamma", MathFunctions::gamma);
        real(registry, "lgamma", MathFunctions::logGamma);
        real(registry, "ln", Math::log);
        real(registry, "log", Math::log10);
        real(registry, "log10", Math::log10);
        real(registry, "log2", MathFunctions::log2);
        real(registry, "radians", x -> x * Math.PI / 180.0);
        real(registry, "sin", Math::sin);
        real(registry, "sqrt", Math::sqrt);
        real(registry, "tan", Math::tan);
        whole(registry, "ceil", x -> YtNumbers.whole(Math.ceil(x)));
        whole(registry, "floor", x -> YtNumbers.whole(Math.floor(x)));
        whole(registry, "trunc", YtNumbers::whole);
        whole(registry, "round", YtMathFunctions::rounded);
        whole(registry, "even", YtMathFunctions::even);
        whole(registry, "sign", x -> x < 0 ? -1 : x > 0 ? 1 : 0);
        test(registry, "is_inf", Double::isInfinite);
        test(registry, "is_finite", Double::isFinite);
        test(registry, "signbit", x -> Double.doubleToRawLongBits(x) < 0);
        pair(registry, "atan2", Math::atan2);
        pair(registry, "pow", Math::pow);
        integers(registry, "gcd", YtMathFunctions::gcd);
        integers(registry, "lcm", YtMathFunctions::lcm);
        integers(registry, "xor", (x, y) -> x ^ y);
        registry.accept(
                YtFunction.strict(
                        "bit_count",
                        Signature.of(one(INT64), one(UINT64)),
                        a -> Value.of(Long.bitCount(YtArithmetic.integer(a[0])))));
        registry.accept(
                YtFunction.strict(
                        "factorial",
                        Signature.of(one(UINT64), one(UINT64)),
                        a -> Value.of(factorial(YtArithmetic.integer(a[0])))));
        Set<YtType> numbers = EnumSet.of(INT64, UINT64, DOUBLE);
        registry.accept(
                new YtFunction(
                        "abs",
                        Signature.of(parameter(1, numbers), parameter(1, numbers)),
                        (arguments, type) ->
                                YtFunction.strict(
                                                "abs",
                                                Signature.of(one(type)),
                                                a -> abs(type, a[0]))
                                        .maker()
                                        .make(arguments, type)));
        registry.accept(
                new YtFunction(
                        "greatest",
                        new Signature(
                                parameter(1, YtAggregates.COMPARABLE),
                                List.of(parameter(1, YtAggregates.COMPARABLE)),
                                parameter(1, YtAggregates.COMPARABLE)),
                        (arguments, type) ->
                                YtFunction.total(
                                                "greatest",
                                                Signature.of(one(type)),
                                                a -> greatest(type, a))
                                        .maker()
                                        .make(arguments, type)));
    }

    private static void real(YtFunction.Registry registry, String name, DoubleUnaryOperator f) {
        registry.accept(
                YtFunction.strict(
                        name,
                        Signature.of(one(DOUBLE), one(DOUBLE)),
                        a -> Value.of(f.applyAsDouble(YtArithmetic.real(a[0])))));
    }

    private static void whole(YtFunction.Registry registry, String name, DoubleToLongFunction f) {
        registry.accept(
                YtFunction.strict(
                        name,
                        Signature.of(one(INT64), one(DOUBLE)),
                        a -> Value.of(f.applyAsLong(YtArithmetic.real(a[0])))));
    }

    private static void test(YtFunction.Registry registry, String name, DoublePredicate f) {
        registry.accept(
                YtFunction.strict(
                        name,
                        Signature.of(one(BOOLEAN), one(DOUBLE)),
                        a -> Value.bool(f.test(YtArithmetic.real(a[0])))));
    }

    private static void pair(YtFunction.Registry registry, String name, DoubleBinaryOperator f) {
        registry.accept(
                YtFunction.strict(
                        name,
                        Signature.of(one(DOUBLE), one(DOUBLE), one(DOUBLE)),
                        a ->
                                Value.of(
                                        f.applyAsDouble(
                                                YtArithmetic.real(a[0]),
                                                YtArithmetic.real(a[1])))));
    }

    private static void integers(YtFunction.Registry registry, String name, LongBinaryOperator f) {
        registry.accept(
                YtFunction.strict(
                        name,
                        Signature.of(one(UINT64), one(UINT64), one(UINT64)),
                        a ->
                                Value.of(
                                        f.applyAsLong(
                                                YtArithmetic.integer(a[0]),
                                                YtArithmetic.integer(a[1])))));
    }

    /// The nearest integer. A number in the middle of two integers is rounded away from zero.
    private static long rounded(double x) {
        double floor = Math.floor(Math.abs(x));
        double nearest = Math.abs(x) - floor >= 0.5 ? floor + 1 : floor;
        return YtNumbers.whole(Math.copySign(nearest, x));
    }

    /// The next even number away from zero.
    private static long even(double x) {
        long away = YtNumbers.whole(Math.copySign(Math.ceil(Math.abs(x)), x));
        return away % 2 == 0 ? away : x >= 0 ? away + 1 : away - 1;
    }

    private static long factorial(long x) {
        if (Long.compareUnsigned(x, MAX_FACTORIAL) > 0) {
            throw YtQueryErrors.failure("Factorial argument is too big");
        }
        long product = 1;
        for (int factor = 2; factor <= x; factor++) {
            product *= factor;
        }
        return product;
    }

    private static long gcd(long x, long y) {
        long a = x;
        long b = y;
        while (b != 0) {
            long rest = Long.remainderUnsigned(a, b);
            a = b;
            b = rest;
        }
        return a;
    }

    private static long lcm(long x, long y) {
        return x == 0 || y == 0 ? 0 : Long.divideUnsigned(x, gcd(x, y)) * y;
    }

    private static Value abs(YtType type, Value value) {
        return switch (type) {
            case INT64 -> Value.of(Math.abs(YtArithmetic.integer(value)));
            case DOUBLE -> Value.of(Math.abs(YtArithmetic.real(value)));
            default -> value;
        };
    }

    private static Value greatest(YtType type, Value[] values) {
        Value greatest = values[0];
        for (Value value : values) {
            if (value.isNull()) {
                throw YtQueryErrors.failure("Found null argument");
            }
            boolean greater =
                    type == DOUBLE
                            ? YtArithmetic.real(greatest) < YtArithmetic.real(value)
                            : YtComparison.order(type, greatest, type, value) < 0;
            if (greater) {
                greatest = value;
            }
        }
        return greatest;
    }
}
