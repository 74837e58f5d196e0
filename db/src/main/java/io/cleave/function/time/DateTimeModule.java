package io.cleave.function.time;

import io.cleave.base.Bytes;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.time.LocalDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalField;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The module `DateTime`: fields of dates and times, and their conversion from and to numbers, and
/// that of intervals. Fields are in the time zone of the value, or UTC if it has none.
public final class DateTimeModule {
    static final String MODULE = "DateTime";
    private static final long MILLI_MICROS = 1000;
    private static final long SECOND_MICROS = 1000 * MILLI_MICROS;
    private static final long MINUTE_MICROS = 60 * SECOND_MICROS;
    private static final long HOUR_MICROS = 60 * MINUTE_MICROS;
    private static final long DAY_MICROS = 24 * HOUR_MICROS;

    private DateTimeModule() {}

    public static void register(Registry registry) {
        registry.add(MODULE, "Split", DateTimeModule::split);
        make(registry, "MakeDate", Primitive.DATE);
        make(registry, "MakeDatetime", Primitive.DATETIME);
        make(registry, "MakeTimestamp", Primitive.TIMESTAMP);
        make(registry, "MakeDate32", Primitive.DATE32);
        make(registry, "MakeDatetime64", Primitive.DATETIME64);
        make(registry, "MakeTimestamp64", Primitive.TIMESTAMP64);
        registry.add(MODULE, "GetYear", DateTimeModule::year);
        part(registry, "GetMonth", Primitive.UINT8, ChronoField.MONTH_OF_YEAR);
        part(registry, "GetDayOfMonth", Primitive.UINT8, ChronoField.DAY_OF_MONTH);
        part(registry, "GetDayOfYear", Primitive.UINT16, ChronoField.DAY_OF_YEAR);
        part(registry, "GetDayOfWeek", Primitive.UINT8, ChronoField.DAY_OF_WEEK);
        part(registry, "GetWeekOfYearIso8601", Primitive.UINT8, IsoFields.WEEK_OF_WEEK_BASED_YEAR);
        part(registry, "GetHour", Primitive.UINT8, ChronoField.HOUR_OF_DAY);
        part(registry, "GetMinute", Primitive.UINT8, ChronoField.MINUTE_OF_HOUR);
        part(registry, "GetSecond", Primitive.UINT8, ChronoField.SECOND_OF_MINUTE);
        part(registry, "GetMillisecondOfSecond", Primitive.UINT32, ChronoField.MILLI_OF_SECOND);
        part(registry, "GetMicrosecondOfSecond", Primitive.UINT32, ChronoField.MICRO_OF_SECOND);
        get(registry, "GetWeekOfYear", Primitive.UINT8, t -> Value.of(weekOfYear(t)));
        get(
                registry,
                "GetMonthName",
                Primitive.STRING,
                t -> name(t.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH)));
        get(
                registry,
                "GetDayOfWeekName",
                Primitive.STRING,
                t -> name(t.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH)));
        registry.add(MODULE, "TimeOfDay", DateTimeModule::timeOfDay);
        from(registry, "FromSeconds", Primitive.UINT32, SECOND_MICROS);
        from(registry, "FromMilliseconds", Primitive.UINT64, MILLI_MICROS);
        from(registry, "FromMicroseconds", Primitive.UINT64, 1);
        to(registry, "ToSeconds", Primitive.UINT32, SECOND_MICROS);
        to(registry, "ToMilliseconds", Primitive.UINT64, MILLI_MICROS);
        to(registry, "ToMicroseconds", Primitive.UINT64, 1);
        fromInterval(registry, "ToDays", DAY_MICROS);
        fromInterval(registry, "ToHours", HOUR_MICROS);
        fromInterval(registry, "ToMinutes", MINUTE_MICROS);
        interval(registry, "IntervalFromDays", Primitive.INT32, DAY_MICROS);
        interval(registry, "IntervalFromHours", Primitive.INT32, HOUR_MICROS);
        interval(registry, "IntervalFromMinutes", Primitive.INT32, MINUTE_MICROS);
        interval(registry, "IntervalFromSeconds", Primitive.INT64, SECOND_MICROS);
        interval(registry, "IntervalFromMilliseconds", Primitive.INT64, MILLI_MICROS);
        interval(registry, "IntervalFromMicroseconds", Primitive.INT64, 1);
        DateTimeShifts.register(registry);
        DateTimeZones.register(registry);
        DateTimeTexts.register(registry);
    }

    private static Value name(String text) {
        return Value.binary(Bytes.utf8(text));
    }

    private static Typed split(FunctionCall call) {
        call.expect(1);
        Moments.Argument moment = Moments.argument(call, 0);
        return call.strict(
                moment.split(),
                List.of(moment.value()),
                a -> moment.value(a[0], moment.time(a[0])).orElse(Value.Null.NULL));
    }

    /// A date of a wide type may be out of the range of the narrow type; the result is then NULL.
    private static void make(Registry registry, String name, Primitive type) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    Moments.Argument moment = Moments.argument(call, 0);
                    long unitMicros = Ints.unitMicros(type);
                    boolean narrows = moment.wide() && !Ints.isSigned(type);
                    return call.strict(
                            narrows ? type.optional() : type,
                            List.of(moment.value()),
                            a -> {
                                long units = Math.floorDiv(moment.micros(a[0]), unitMicros);
                                return Ints.fits(type, units) ? Value.of(units) : Value.Null.NULL;
                            });
                });
    }

    private static void get(
            Registry registry, String name, Type type, Function<LocalDateTime, Value> step) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    Moments.Argument moment = Moments.argument(call, 0);
                    return call.strict(
                            type, List.of(moment.value()), a -> step.apply(moment.time(a[0])));
                });
    }

    private static void part(Registry registry, String name, Type type, TemporalField field) {
        get(registry, name, type, time -> Value.of(time.get(field)));
    }

    /// The wide types (Date32, Datetime64, Timestamp64) have negative years.
    private static Typed year(FunctionCall call) {
        call.expect(1);
        Moments.Argument moment = Moments.argument(call, 0);
        return call.strict(
                moment.wide() ? Primitive.INT32 : Primitive.UINT16,
                List.of(moment.value()),
                a -> Value.of(year(moment.time(a[0]))));
    }

    /// YQL has no year 0: the year before 1 is -1.
    static int year(LocalDateTime time) {
        return time.getYear() > 0 ? time.getYear() : time.getYear() - 1;
    }

    private static Typed timeOfDay(FunctionCall call) {
        call.expect(1);
        Moments.Argument moment = Moments.argument(call, 0);
        return call.strict(
                moment.wide() ? Primitive.INTERVAL64 : Primitive.INTERVAL,
                List.of(moment.value()),
                a -> Value.of(moment.time(a[0]).getLong(ChronoField.MICRO_OF_DAY)));
    }

    /// Weeks start on Monday. The first week contains January 1.
    private static int weekOfYear(LocalDateTime time) {
        int firstWeekday = time.withDayOfYear(1).getDayOfWeek().getValue();
        return (time.getDayOfYear() + firstWeekday - 2) / 7 + 1;
    }

    private static void from(Registry registry, String name, Primitive number, long unitMicros) {
        registry.add(MODULE, name, call -> from(call, number, Primitive.TIMESTAMP, unitMicros));
        registry.add(
                MODULE,
                name + "64",
                call -> from(call, Primitive.INT64, Primitive.TIMESTAMP64, unitMicros));
    }

    /// Returns NULL if the result is out of the range of the type.
    private static Typed from(
            FunctionCall call, Primitive number, Primitive type, long unitMicros) {
        call.expect(1);
        return call.strict(
                type.optional(),
                List.of(integer(call, number)),
                a -> {
                    long units = ((Value.Int) a[0]).value();
                    long high = Math.multiplyHigh(units, unitMicros);
                    long micros = units * unitMicros;
                    boolean fits = high == micros >> 63 && Ints.fits(type, micros);
                    return fits ? Value.of(micros) : Value.Null.NULL;
                });
    }

    private static Typed integer(FunctionCall call, Primitive type) {
        return Conversions.literal(call.value(0), type).orElseGet(() -> call.as(0, type));
    }

    /// Converts a date or an interval to a number.
    private static void to(Registry registry, String name, Primitive ofMoment, long unitMicros) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    if (isInterval(call.bare(0))) {
                        return fromInterval(call, unitMicros);
                    }
                    Moments.Argument moment = Moments.argument(call, 0);
                    return call.strict(
                            moment.wide() ? Primitive.INT64 : ofMoment,
                            List.of(moment.value()),
                            a -> Value.of(Math.floorDiv(moment.micros(a[0]), unitMicros)));
                });
    }

    private static boolean isInterval(Type type) {
        return type == Primitive.INTERVAL || type == Primitive.INTERVAL64;
    }

    private static void fromInterval(Registry registry, String name, long unitMicros) {
        registry.add(
                MODULE,
                name,
                call -> {
                    call.expect(1);
                    if (!isInterval(call.bare(0))) {
                        throw call.error("Expected Interval, but got: " + call.type(0).text());
                    }
                    return fromInterval(call, unitMicros);
                });
    }

    private static Typed fromInterval(FunctionCall call, long unitMicros) {
        // 32 bits if every interval of the type fits.
        boolean wide = call.bare(0) == Primitive.INTERVAL64;
        boolean narrow = unitMicros >= (wide ? DAY_MICROS : MINUTE_MICROS);
        return call.strict(
                narrow ? Primitive.INT32 : Primitive.INT64,
                List.of(call.value(0)),
                a -> Value.of(((Value.Int) a[0]).value() / unitMicros));
    }

    private static void interval(
            Registry registry, String name, Primitive number, long unitMicros) {
        Primitive wide = unitMicros == DAY_MICROS ? Primitive.INT32 : Primitive.INT64;
        registry.add(MODULE, name, call -> from(call, number, Primitive.INTERVAL, unitMicros));
        registry.add(
                MODULE,
                name.replace("Interval", "Interval64"),
                call -> from(call, wide, Primitive.INTERVAL64, unitMicros));
    }
}
