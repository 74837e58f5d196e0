package io.cleave.function.time;

import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.List;
import java.util.Optional;

/// Arithmetic on dates with a time zone: `date - date` if at least one has a time zone, and `date ±
/// interval`, which keeps the time zone. A result out of the range of its type is NULL.
public final class TzArithmetic {
    private static final long DAY_MICROS = Ints.unitMicros(Primitive.DATE);

    private TzArithmetic() {}

    public static Optional<Typed> resolve(BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type().unwrapped();
        Type r = right.type().unwrapped();
        boolean plus = operator == BinaryOperator.ADD;
        if (!plus && operator != BinaryOperator.SUBTRACT) {
            return Optional.empty();
        }
        if (TzText.isTz(l) && Ints.isInterval(r)) {
            return Optional.of(shift(operator, left, right));
        }
        if (plus && Ints.isInterval(l) && TzText.isTz(r)) {
            return Optional.of(shift(operator, right, left));
        }
        boolean zoned = TzText.isTz(l) || TzText.isTz(r);
        return !plus && zoned && isDate(l) && isDate(r)
                ? Optional.of(difference(operator, left, right))
                : Optional.empty();
    }

    private static boolean isDate(Type type) {
        return TzText.isTz(type) || Ints.isDate(type);
    }

    private static Primitive moment(Type type) {
        var primitive = (Primitive) type.unwrapped();
        return TzText.isTz(primitive) ? TzText.moment(primitive) : primitive;
    }

    private static long micros(Type type, Value value) {
        var primitive = (Primitive) type.unwrapped();
        long units =
                value instanceof Value.Text(String text)
                        ? TzText.units(primitive, text)
                        : ((Value.Int) value).value();
        return units * Ints.unitMicros(moment(type));
    }

    private static Typed difference(BinaryOperator operator, Typed left, Typed right) {
        Type l = left.type();
        Type r = right.type();
        boolean wide = Ints.isSigned(moment(l)) || Ints.isSigned(moment(r));
        Primitive interval = wide ? Primitive.INTERVAL64 : Primitive.INTERVAL;
        return new Typed.Apply(
                l.isOptional() || r.isOptional() ? interval.optional() : interval,
                ScalarFunction.strict(
                        operator.text(), a -> Value.of(micros(l, a[0]) - micros(r, a[1]))),
                List.of(left, right));
    }

    private static Typed shift(BinaryOperator operator, Typed date, Typed interval) {
        var type = (Primitive) date.type().unwrapped();
        int sign = operator == BinaryOperator.ADD ? 1 : -1;
        return new Typed.Apply(
                type.optional(),
                ScalarFunction.strict(
                        operator.text(),
                        a ->
                                shifted(
                                        type,
                                        ((Value.Text) a[0]).value(),
                                        sign * ((Value.Int) a[1]).value())),
                List.of(date, interval));
    }

    private static Value shifted(Primitive type, String date, long micros) {
        boolean isDay = Ints.unitMicros(TzText.moment(type)) == DAY_MICROS;
        Optional<String> shifted;
        if (isDay) {
            // Days are counted in the calendar of the time zone.
            long days = Math.floorDiv(micros, DAY_MICROS);
            shifted =
                    TzText.of(
                            type,
                            TzText.time(date).toLocalDateTime().plusDays(days),
                            TzText.zone(date));
        } else {
            long moment = TzText.utcMicros(date);
            long sum = moment + micros;
            boolean past = ((moment ^ sum) & (micros ^ sum)) < 0;
            shifted = past ? Optional.empty() : TzText.at(type, sum, TzText.zone(date));
        }
        return shifted.map(Value::text).orElse(Value.Null.NULL);
    }
}
