package io.cleave.analysis;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;

import java.util.List;

/// AddTimezone, RemoveTimezone and the current time in a zone.
final class TzFunctions {
    private TzFunctions() {}

    static void register(Functions.Registry registry) {
        registry.add("AddTimezone", TzFunctions::add);
        registry.add("RemoveTimezone", TzFunctions::remove);
        registry.add("CurrentTzDate", c -> now(c, Primitive.TZ_DATE));
        registry.add("CurrentTzDatetime", c -> now(c, Primitive.TZ_DATETIME));
        registry.add("CurrentTzTimestamp", c -> now(c, Primitive.TZ_TIMESTAMP));
    }

    /// The same moment seen in the zone; NULL if there is no such zone.
    private static Value at(Primitive type, long utcMicros, String zone) {
        return TzText.isZone(zone)
                ? TzText.at(type, utcMicros, zone).map(Value::text).orElse(Value.Null.NULL)
                : Value.Null.NULL;
    }

    private static Typed add(FunctionCall call) {
        call.expect(2);
        Type from = call.bare(0);
        if (!DateArithmetic.isDate(from)) {
            throw call.error(
                    "Expected Date, Datetime or Timestamp, but got: " + call.type(0).text());
        }
        Primitive type = TzText.withZone((Primitive) from);
        long unitMicros = DateArithmetic.unitMicros(from);
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

    /// Arguments after the zone only say that the call is another one.
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
