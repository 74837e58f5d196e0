package io.cleave.function.number;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Registry.Parameter;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/// The module `Math`. Almost all functions compute in Double.
public final class MathModule {
    private static final String MODULE = "Math";
    private static final double USUAL_EPSILON = 1.0e-13;
    private static final Parameter NUMBER = Parameter.of(Primitive.DOUBLE);
    private static final Parameter INTEGER = Parameter.of(Primitive.INT64);

    /// The rounding modes of NearbyInt; the numbers are the values of its argument.
    private enum RoundingMode {
        TO_NEAREST("RoundToNearest", 0),
        DOWNWARD("RoundDownward", 1),
        UPWARD("RoundUpward", 2),
        TOWARD_ZERO("RoundTowardZero", 3);

        static final Type TYPE = new Type.Tagged("MathRoundingMode", Primitive.UINT32);

        private final String function;
        private final int number;

        RoundingMode(String function, int number) {
            this.function = function;
            this.number = number;
        }

        static RoundingMode of(long number) {
            for (RoundingMode mode : values()) {
                if (mode.number == number) {
                    return mode;
                }
            }
            throw new IllegalArgumentException("no rounding mode: " + number);
        }

        double apply(double x) {
            return switch (this) {
                case TO_NEAREST -> Math.rint(x);
                case DOWNWARD -> Math.floor(x);
                case UPWARD -> Math.ceil(x);
                case TOWARD_ZERO -> x < 0 ? Math.ceil(x) : Math.floor(x);
            };
        }
    }

    private MathModule() {}

    public static void register(Registry registry) {
        constant(registry, "Pi", Math.PI);
        constant(registry, "E", Math.E);
        constant(registry, "Eps", Math.ulp(1.0));
        unary(registry, "Abs", Math::abs);
        unary(registry, "Fabs", Math::abs);
        unary(registry, "Acos", Math::acos);
        unary(registry, "Asin", Math::asin);
        unary(registry, "Atan", Math::atan);
        unary(registry, "Cbrt", Math::cbrt);
        unary(registry, "Ceil", Math::ceil);
        unary(registry, "Cos", Math::cos);
        unary(registry, "Exp", Math::exp);
        unary(registry, "Exp2", x -> Math.pow(2, x));
        unary(registry, "Floor", Math::floor);
        unary(registry, "Log", Math::log);
        unary(registry, "Log2", MathFunctions::log2);
        unary(registry, "Asinh", MathFunctions::asinh);
        unary(registry, "Erf", MathFunctions::erf);
        unary(registry, "ErfInv", MathFunctions::erfInverse);
        unary(registry, "ErfcInv", x -> MathFunctions.erfInverse(1 - x));
        unary(registry, "Tgamma", MathFunctions::gamma);
        unary(registry, "Lgamma", MathFunctions::logGamma);
        unary(registry, "Log10", Math::log10);
        unary(registry, "Rint", Math::rint);
        unary(registry, "Sigmoid", x -> 1 / (1 + Math.exp(-x)));
        unary(registry, "Sin", Math::sin);
        unary(registry, "Sinh", Math::sinh);
        unary(registry, "Cosh", Math::cosh);
        unary(registry, "Sqrt", Math::sqrt);
        unary(registry, "Tan", Math::tan);
        unary(registry, "Tanh", Math::tanh);
        unary(registry, "Trunc", x -> x < 0 ? Math.ceil(x) : Math.floor(x));
        binary(registry, "Atan2", Math::atan2);
        binary(registry, "Fmod", (x, y) -> x % y);
        binary(registry, "Hypot", Math::hypot);
        binary(registry, "Pow", Math::pow);
        binary(registry, "Remainder", Math::IEEEremainder);
        registry.addStrict(
                MODULE,
                "Ldexp",
                Primitive.DOUBLE,
                List.of(NUMBER, Parameter.of(Primitive.INT32)),
                a -> Value.of(Math.scalb(number(a[0]), (int) ((Value.Int) a[1]).value())));
        test(registry, "IsFinite", Double::isFinite);
        test(registry, "IsInf", Double::isInfinite);
        test(registry, "IsNaN", Double::isNaN);
        registry.add(MODULE, "Round", MathModule::round);
        registry.add(MODULE, "FuzzyEquals", MathModule::fuzzyEquals);
        registry.add(MODULE, "NearbyInt", MathModule::nearbyInt);
        for (RoundingMode mode : RoundingMode.values()) {
            registry.add(
                    MODULE,
                    mode.function,
                    call -> {
                        call.expect(0);
                        return new Typed.Constant(RoundingMode.TYPE, Value.of(mode.number));
                    });
        }
        remainder(registry, "Mod", Math::floorMod);
        remainder(registry, "Rem", (number, divisor) -> number % divisor);
    }

    private static void constant(Registry registry, String name, double value) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(0);
                    return new Typed.Constant(Primitive.DOUBLE, Value.of(value));
                });
    }

    private static void unary(Registry registry, String name, DoubleUnaryOperator step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.DOUBLE,
                List.of(NUMBER),
                a -> Value.of(step.applyAsDouble(number(a[0]))));
    }

    private static void binary(Registry registry, String name, DoubleBinaryOperator step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.DOUBLE,
                List.of(NUMBER, NUMBER),
                a -> Value.of(step.applyAsDouble(number(a[0]), number(a[1]))));
    }

    private static void test(Registry registry, String name, DoublePredicate test) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.BOOL,
                List.of(NUMBER),
                a -> Value.bool(test.test(number(a[0]))));
    }

    private static double number(Value value) {
        return ((Value.Real) value).value();
    }

    /// `FuzzyEquals(x, y[, 1e-13 AS Epsilon])`: compares the difference relative to the smaller
    /// absolute value.
    private static Typed fuzzyEquals(FunctionCall call) {
        call.expect(2, 3);
        var arguments = new ArrayList<Typed>();
        for (int index = 0; index < call.count(); index++) {
            arguments.add(call.as(index, Primitive.DOUBLE));
        }
        return call.strict(
                Primitive.BOOL,
                arguments,
                a -> {
                    double x = number(a[0]);
                    double y = number(a[1]);
                    double epsilon = a.length == 3 ? number(a[2]) : USUAL_EPSILON;
                    double smaller = Math.min(Math.abs(x), Math.abs(y));
                    return Value.bool(Math.abs(x - y) <= epsilon * smaller);
                });
    }

    /// NULL if the result does not fit into an Int64.
    private static Typed nearbyInt(FunctionCall call) {
        call.expect(2);
        if (!call.bare(1).equals(RoundingMode.TYPE)) {
            throw call.error(
                    "Expected a rounding mode such as Math::RoundToNearest(), but got: "
                            + call.type(1).text());
        }
        return call.strict(
                Primitive.INT64.optional(),
                List.of(call.as(0, Primitive.DOUBLE), call.value(1)),
                a -> {
                    RoundingMode mode = RoundingMode.of(((Value.Int) a[1]).value());
                    double near = mode.apply(number(a[0]));
                    boolean fits = near >= -0x1p63 && near < 0x1p63;
                    return fits ? Value.of((long) near) : Value.Null.NULL;
                });
    }

    /// `Round(x[, power])`: to the nearest multiple of 10^power, halves away from zero.
    private static Typed round(FunctionCall call) {
        call.expect(1, 2);
        var arguments = new ArrayList<Typed>();
        arguments.add(call.as(0, Primitive.DOUBLE));
        if (call.count() == 2) {
            arguments.add(Numbers.or(call, 1, Primitive.INT64, 0));
        }
        return call.strict(
                Primitive.DOUBLE,
                arguments,
                a -> {
                    long power = a.length == 2 ? ((Value.Int) a[1]).value() : 0;
                    double number = number(a[0]);
                    double unit = Math.pow(10, (double) Math.abs(power));
                    return Value.of(
                            power < 0
                                    ? nearest(number * unit) / unit
                                    : nearest(number / unit) * unit);
                });
    }

    private static double nearest(double number) {
        double size = Math.abs(number);
        double whole = Math.floor(size);
        // Adding 0.5 could itself round up, for a fraction just below one half.
        return Math.copySign(size - whole >= 0.5 ? whole + 1 : whole, number);
    }

    /// Mod has the sign of the divisor, Rem the sign of the dividend. Both are NULL for division by
    /// zero.
    private static void remainder(Registry registry, String name, LongBinaryOperator step) {
        registry.addStrict(
                MODULE,
                name,
                Primitive.INT64.optional(),
                List.of(INTEGER, INTEGER),
                a -> {
                    long number = ((Value.Int) a[0]).value();
                    long divisor = ((Value.Int) a[1]).value();
                    return divisor == 0
                            ? Value.Null.NULL
                            : Value.of(step.applyAsLong(number, divisor));
                });
    }
}
