package io.cleave.function.number;

import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.operator.Arithmetic;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.DecimalMath;
import io.cleave.value.Ints;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;

/// The built-in functions on numbers: Abs, MIN_OF and MAX_OF, and functions on single bits.
public final class NumberFunctions {
    @FunctionalInterface
    private interface BitStep {
        long apply(long number, long mask);
    }

    private NumberFunctions() {}

    public static void register(Registry registry) {
        // These are hints for YDB's optimizer and do not change the result.
        for (String name : List.of("Likely", "AssumeStrict", "AssumeNonStrict")) {
            registry.add(
                    name,
                    call -> {
                        call.expect(1);
                        return call.value(0);
                    });
        }
        registry.add("Abs", NumberFunctions::abs);
        registry.add("MIN_OF", c -> extreme(c, -1));
        registry.add("LEAST", c -> extreme(c, -1));
        registry.add("MAX_OF", c -> extreme(c, 1));
        registry.add("GREATEST", c -> extreme(c, 1));
        registry.add("TestBit", NumberFunctions::testBit);
        registry.add("SetBit", c -> bit(c, (number, mask) -> number | mask));
        registry.add("ClearBit", c -> bit(c, (number, mask) -> number & ~mask));
        registry.add("FlipBit", c -> bit(c, (number, mask) -> number ^ mask));
    }

    private static Typed abs(FunctionCall call) {
        call.expect(1);
        Type type = call.bare(0);
        ScalarFunction.Body body =
                switch (type) {
                    case Type.Decimal _ ->
                            a ->
                                    DecimalMath.compare((Value.Int128) a[0], DecimalMath.ZERO) < 0
                                            ? DecimalMath.negate((Value.Int128) a[0])
                                            : a[0];
                    case Primitive.FLOAT, Primitive.DOUBLE ->
                            a -> Value.of(Math.abs(((Value.Real) a[0]).value()));
                    case Primitive p
                            when Ints.isInteger(p)
                                    || p == Primitive.INTERVAL
                                    || p == Primitive.INTERVAL64 ->
                            a -> {
                                long number = ((Value.Int) a[0]).value();
                                return Ints.isSigned(p) && number < 0
                                        ? Value.of(Arithmetic.wrap(p, -number))
                                        : a[0];
                            };
                    case Type.Unit.NULL -> a -> a[0];
                    default -> throw call.error("Cannot take Abs of " + call.type(0).text());
                };
        return call.strict(type, List.of(call.value(0)), body);
    }

    private static Typed extreme(FunctionCall call, int sign) {
        call.expect(1, Integer.MAX_VALUE);
        Type type = Conversions.common(call.at(), call.all());
        if (!Order.isOrdered(type)) {
            throw call.error("Can't compare %s with %s".formatted(type.text(), type.text()));
        }
        List<Typed> arguments =
                call.all().stream().map(a -> Conversions.to(call.at(), a, type)).toList();
        return call.strict(
                type.unwrapped(),
                arguments,
                a -> {
                    Value best = a[0];
                    for (Value value : a) {
                        if (Order.compare(type, value, best) * sign > 0) {
                            best = value;
                        }
                    }
                    return best;
                });
    }

    private static Typed testBit(FunctionCall call) {
        call.expect(2);
        int width = width(call);
        return call.strict(
                Primitive.BOOL,
                List.of(call.value(0), index(call)),
                a -> Value.bool((((Value.Int) a[0]).value() & mask(a[1], width)) != 0));
    }

    private static Typed bit(FunctionCall call, BitStep step) {
        call.expect(2);
        int width = width(call);
        var type = (Primitive) call.bare(0);
        return call.strict(
                type,
                List.of(call.value(0), index(call)),
                a ->
                        Value.of(
                                Arithmetic.wrap(
                                        type,
                                        step.apply(
                                                ((Value.Int) a[0]).value(), mask(a[1], width)))));
    }

    private static int width(FunctionCall call) {
        if (!(call.bare(0) instanceof Primitive type) || !Ints.isInteger(type)) {
            throw call.error("Expected integer, but got: " + call.type(0).text());
        }
        return Ints.bytes(type) * Byte.SIZE;
    }

    private static Typed index(FunctionCall call) {
        return Conversions.literal(call.value(1), Primitive.UINT8)
                .orElseGet(() -> call.as(1, Primitive.UINT8));
    }

    private static long mask(Value index, int width) {
        long bit = ((Value.Int) index).value();
        return bit < width ? 1L << bit : 0;
    }
}
