package io.cleave.function.time;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;

import java.util.List;

/// AddTimezone, RemoveTimezone and the current time in a time zone.
public final class TzFunctions {
    private TzFunctions() {}

    public static void register(Registry registry) {
        registry.add("AddTimezone", TzFunctions::add);
        registry.add("RemoveTimezone", TzFunctions::remove);
        registry.add("CurrentTzDate", c -> now(c, Primitive.TZ_DATE));
        registry.add("CurrentTzDatetime", c -> now(c, Primitive.TZ_DATETIME));
        registry.add("CurrentTzTimestamp", c -> now(c, Primitive.TZ_TIMESTAMP));
    }

    /// The same point in time in the given time zone; NULL if there is no such time zone.
    private static Value at(Primitive type, long utcMicros, String zone) {
        return TzText.isZone(zone)
                ? TzText.at(type, utcMicros, zone).map(Value::text).orElse(Value.Null.NULL)
                : Value.Null.NULL;
    }

    private static Typed add(FunctionCall call) {
        call.expect(2);
        Type from = call.bare(0);
        if (!Ints.isDate(from)) {
            throw call.error(
                    "Expected Date, Datetime or Timestamp, but got: " + call.type(0).text());
        }
        Primitive type = TzText.withZone((Primitive) from);
        long unitMicros = Ints.unitMicros(from);
        return call.strict(
                type.optional(),
                List.of(call.value(0), call.string(1)),
                a -> at(type, ((Value.Int) a[0]).value() * unitMicros, Texts.of(a[1])));
    }

    private static Typed remove(FunctionCall call) {
        call.expect(1);
        if (!(call.bare(0) instanceof Primitive type) || !TzText.isTz(type)) {
            throw call.error(
                    "Expected TzDate, TzDatetime or TzTimestamp, but got: " + call.type(0).text());
        }
        return call.strict(
                TzText.moment(type),
                List.of(call.value(0)),
                a -> Value.of(TzText.units(type, ((Value.Text) a[0]).value())));
    }

    /// The values of arguments after the time zone are not used. They only make calls distinct.
    private static Typed now(FunctionCall call, Primitive type) {
        call.expect(1, Integer.MAX_VALUE);
        call.string(0);
        return new Typed.Apply(
                type.optional(),
                ScalarFunction.ofRun(
                        call.name(),
                        (a, run) ->
                                a[0].isNull() ? a[0] : at(type, run.nowMicros(), Texts.of(a[0]))),
                call.all());
    }
}
