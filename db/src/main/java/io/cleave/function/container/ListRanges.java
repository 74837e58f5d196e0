package io.cleave.function.container;

import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// `ListFromRange(from, to[, step])` for integers, floating-point numbers, and dates. The step for
/// dates is an Interval, by default one day. `to` is excluded. If the step does not lead from
/// `from` towards `to`, the list is empty.
final class ListRanges {
    /// A longer list is probably a mistake: it would not fit into a result.
    static final long MAX_ITEMS = ValueSizes.MAX_ITEMS;

    private static final Value DAY = Value.of(Ints.unitMicros(Primitive.DATE));

    private ListRanges() {}

    static Typed resolve(FunctionCall call) {
        call.expect(2, 3);
        Type ends =
                Conversions.common(call.at(), List.of(call.value(0), call.value(1))).unwrapped();
        if (Ints.isDate(ends)) {
            return dates(call, (Primitive) ends);
        }
        // The common type of all arguments: `ListFromRange(1, 2, 0.5)` has Doubles.
        Type type = Conversions.common(call.at(), call.all()).unwrapped();
        if (Ints.isInteger(type)) {
            return integers(call, type);
        }
        if (type != Primitive.FLOAT && type != Primitive.DOUBLE) {
            throw call.error("Expected numbers or dates, but got: " + type.text());
        }
        var arguments = new ArrayList<Typed>();
        for (int index = 0; index < call.count(); index++) {
            arguments.add(call.as(index, type));
        }
        return call.strictLong(
                new Type.ListOf(type),
                arguments,
                (a, run) -> {
                    double step = a.length == 3 ? real(a[2]) : 1;
                    return Value.items(reals(call, type, real(a[0]), real(a[1]), step, run));
                });
    }

    private static Typed integers(FunctionCall call, Type type) {
        var arguments = new ArrayList<Typed>();
        arguments.add(call.as(0, type));
        arguments.add(call.as(1, type));
        boolean signed = Ints.isSigned((Primitive) type);
        // The step may be negative even if the bounds are unsigned.
        boolean signedStep =
                call.count() < 3
                        || !(call.bare(2) instanceof Primitive step)
                        || Ints.isSigned(step);
        if (call.count() == 3) {
            arguments.add(call.as(2, signedStep ? Primitive.INT64 : Primitive.UINT64));
        }
        return call.strictLong(
                new Type.ListOf(type),
                arguments,
                (a, run) -> {
                    long step = a.length == 3 ? number(a[2]) : 1;
                    boolean down = signedStep && step < 0;
                    return Value.items(
                            walk(call, number(a[0]), number(a[1]), step, down, signed, run));
                });
    }

    /// Compares unsigned if the type is unsigned, and stops before a step could overflow past the
    /// end.
    private static List<Value> walk(
            FunctionCall call,
            long from,
            long to,
            long step,
            boolean down,
            boolean signed,
            ScalarFunction.Run run) {
        var items = new ArrayList<Value>();
        long number = from;
        int order = signed ? Long.compare(from, to) : Long.compareUnsigned(from, to);
        long stride = down ? -step : step;
        boolean ahead = stride != 0 && (down ? order > 0 : order < 0);
        if (ahead) {
            // The items are counted before the first one is created.
            long distance = down ? from - to : to - from;
            long steps = Long.divideUnsigned(distance - 1, stride);
            requireSize(
                    call, Long.compareUnsigned(steps, MAX_ITEMS) < 0 ? steps + 1 : MAX_ITEMS + 1);
            run.keep(steps + 1);
        }
        while (ahead) {
            items.add(Value.of(number));
            run.pass(1);
            // The distance to the end as an unsigned number.
            long left = down ? number - to : to - number;
            ahead = Long.compareUnsigned(left, stride) > 0;
            number += step;
        }
        return items;
    }

    private static List<Value> reals(
            FunctionCall call,
            Type type,
            double from,
            double to,
            double step,
            ScalarFunction.Run run) {
        var items = new ArrayList<Value>();
        double next = from;
        while (step > 0 ? next < to : step < 0 && next > to) {
            items.add(Value.of(type == Primitive.FLOAT ? (float) next : next));
            requireSize(call, items.size());
            run.pass(1);
            run.keep(1);
            next = from + step * items.size();
        }
        return items;
    }

    private static Typed dates(FunctionCall call, Primitive type) {
        Typed step =
                call.count() == 3
                        ? call.as(2, Primitive.INTERVAL64)
                        : new Typed.Constant(Primitive.INTERVAL64, DAY);
        long unitMicros = Ints.unitMicros(type);
        return call.strictLong(
                new Type.ListOf(type),
                List.of(call.as(0, type), call.as(1, type), step),
                (a, run) -> {
                    long from = number(a[0]) * unitMicros;
                    long to = number(a[1]) * unitMicros;
                    long micros = number(a[2]);
                    return Value.items(
                            walk(call, from, to, micros, micros < 0, true, run).stream()
                                    .<Value>map(
                                            item ->
                                                    Value.of(
                                                            Math.floorDiv(
                                                                    number(item), unitMicros)))
                                    .toList());
                });
    }

    static void requireSize(FunctionCall call, long size) {
        if (size > MAX_ITEMS) {
            throw call.error("%s: more than %d items".formatted(call.name(), MAX_ITEMS));
        }
    }

    private static long number(Value value) {
        return ((Value.Int) value).value();
    }

    private static double real(Value value) {
        return ((Value.Real) value).value();
    }
}
