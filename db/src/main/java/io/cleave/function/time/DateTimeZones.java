package io.cleave.function.time;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;

import java.util.List;

/// The functions of the module `DateTime` on time zones. A value without a time zone is in GMT.
final class DateTimeZones {
    private DateTimeZones() {}

    static void register(Registry registry) {
        make(registry, "MakeTzDate", Primitive.TZ_DATE);
        make(registry, "MakeTzDatetime", Primitive.TZ_DATETIME);
        make(registry, "MakeTzTimestamp", Primitive.TZ_TIMESTAMP);
        make(registry, "MakeTzDate32", Primitive.TZ_DATE32);
        make(registry, "MakeTzDatetime64", Primitive.TZ_DATETIME64);
        make(registry, "MakeTzTimestamp64", Primitive.TZ_TIMESTAMP64);
        registry.add(DateTimeModule.MODULE, "GetTimezoneName", DateTimeZones::name);
        registry.add(DateTimeModule.MODULE, "GetTimezoneId", DateTimeZones::id);
    }

    private static void make(Registry registry, String name, Primitive type) {
        registry.add(
                DateTimeModule.MODULE,
                name,
                call -> {
                    call.expect(1);
                    Moments.Argument moment = Moments.argument(call, 0);
                    boolean narrows = moment.wide() && !TzText.isWide(type);
                    return call.strict(
                            narrows ? type.optional() : type,
                            List.of(moment.value()),
                            a ->
                                    TzText.of(type, moment.time(a[0]), moment.zone(a[0]))
                                            .map(Value::text)
                                            .orElse(Value.Null.NULL));
                });
    }

    private static Typed name(FunctionCall call) {
        call.expect(1);
        Moments.Argument moment = Moments.argument(call, 0);
        return call.strict(
                Primitive.STRING,
                List.of(moment.value()),
                a -> Value.binary(Bytes.utf8(moment.zone(a[0]))));
    }

    /// YDB numbers time zones by its own list. Only the first one, GMT, is known here.
    private static Typed id(FunctionCall call) {
        call.expect(1);
        Moments.Argument moment = Moments.argument(call, 0);
        if (moment.zoned()) {
            throw Errors.unsupported(call.at(), "DateTime::GetTimezoneId of a Tz type");
        }
        return call.strict(Primitive.UINT16, List.of(moment.value()), _ -> Value.of(0));
    }
}
