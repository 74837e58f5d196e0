package io.cleave.function.time;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The functions of the module `DateTime` that compute one time from another: StartOf, EndOf, Shift
/// and Update. The result is NULL if it is not a valid date or is out of range.
final class DateTimeShifts {
    /// The arguments of Update after the time, in order.
    private static final Map<String, TemporalField> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put("Year", ChronoField.YEAR);
        FIELDS.put("Month", ChronoField.MONTH_OF_YEAR);
        FIELDS.put("Day", ChronoField.DAY_OF_MONTH);
        FIELDS.put("Hour", ChronoField.HOUR_OF_DAY);
        FIELDS.put("Minute", ChronoField.MINUTE_OF_HOUR);
        FIELDS.put("Second", ChronoField.SECOND_OF_MINUTE);
        FIELDS.put("Microsecond", ChronoField.MICRO_OF_SECOND);
    }

    private static final String ZONE = "Timezone";

    /// 500,000 years in months: far enough to move any time out of range, even if the count is in
    /// years.
    private static final long FAR_MONTHS = 12 * 500_000;

    private static final long DAY_MICROS = Ints.unitMicros(Primitive.DATE);

    private DateTimeShifts() {}

    @FunctionalInterface
    private interface Shift {
        LocalDateTime apply(LocalDateTime time, long count);
    }

    static void register(Registry registry) {
        period(registry, "Year", t -> startOfDay(t).withDayOfYear(1), t -> t.plusYears(1));
        period(
                registry,
                "Quarter",
                t -> startOfDay(t).withDayOfMonth(1).withMonth((t.getMonthValue() - 1) / 3 * 3 + 1),
                t -> t.plusMonths(3));
        period(registry, "Month", t -> startOfDay(t).withDayOfMonth(1), t -> t.plusMonths(1));
        period(
                registry,
                "Week",
                t -> startOfDay(t).minusDays(t.getDayOfWeek().getValue() - 1L),
                t -> t.plusWeeks(1));
        period(registry, "Day", DateTimeShifts::startOfDay, t -> t.plusDays(1));
        registry.add(DateTimeModule.MODULE, "StartOf", c -> within(c, false));
        registry.add(DateTimeModule.MODULE, "EndOf", c -> within(c, true));
        shift(registry, "ShiftYears", LocalDateTime::plusYears);
        shift(registry, "ShiftQuarters", (time, count) -> time.plusMonths(3 * count));
        shift(registry, "ShiftMonths", LocalDateTime::plusMonths);
        registry.add(DateTimeModule.MODULE, "Update", DateTimeShifts::update);
    }

    private static LocalDateTime startOfDay(LocalDateTime time) {
        return time.truncatedTo(ChronoUnit.DAYS);
    }

    /// The end of a period is the last microsecond before the next period.
    private static void period(
            Registry registry,
            String name,
            UnaryOperator<LocalDateTime> start,
            UnaryOperator<LocalDateTime> next) {
        registry.add(DateTimeModule.MODULE, "StartOf" + name, call -> change(call, start));
        registry.add(
                DateTimeModule.MODULE,
                "EndOf" + name,
                call -> change(call, t -> next.apply(start.apply(t)).minus(1, ChronoUnit.MICROS)));
    }

    private static Typed change(FunctionCall call, UnaryOperator<LocalDateTime> step) {
        call.expect(1);
        Moments.Argument moment = Moments.argument(call, 0);
        return call.strict(
                moment.split().optional(),
                List.of(moment.value()),
                a -> value(moment, a[0], step.apply(moment.time(a[0]))));
    }

    private static Value value(Moments.Argument moment, Value original, LocalDateTime time) {
        return moment.value(original, time).orElse(Value.Null.NULL);
    }

    /// `StartOf(moment, interval)`: the last multiple of the interval since the start of the day.
    /// `EndOf` is the last microsecond before the next multiple or the next day, whichever is
    /// earlier. The sign of the interval is ignored, and an interval of 0 changes nothing.
    private static Typed within(FunctionCall call, boolean end) {
        call.expect(2);
        Moments.Argument moment = Moments.argument(call, 0);
        return call.strict(
                moment.split().optional(),
                List.of(moment.value(), call.as(1, Primitive.INTERVAL64)),
                a -> {
                    long step = Math.min(Math.abs(((Value.Int) a[1]).value()), DAY_MICROS);
                    LocalDateTime time = moment.time(a[0]);
                    if (step == 0) {
                        return value(moment, a[0], time);
                    }
                    long past = time.getLong(ChronoField.MICRO_OF_DAY) % step;
                    LocalDateTime start = time.minus(past, ChronoUnit.MICROS);
                    if (!end) {
                        return value(moment, a[0], start);
                    }
                    LocalDateTime next = start.plus(step, ChronoUnit.MICROS);
                    LocalDateTime midnight = startOfDay(time).plusDays(1);
                    LocalDateTime bound = next.isAfter(midnight) ? midnight : next;
                    return value(moment, a[0], bound.minus(1, ChronoUnit.MICROS));
                });
    }

    private static void shift(Registry registry, String name, Shift shift) {
        registry.add(
                DateTimeModule.MODULE,
                name,
                call -> {
                    call.expect(2);
                    Moments.Argument moment = Moments.argument(call, 0);
                    return call.strict(
                            moment.split().optional(),
                            List.of(moment.value(), call.as(1, Primitive.INT32)),
                            a -> {
                                long count =
                                        Math.clamp(
                                                ((Value.Int) a[1]).value(),
                                                -FAR_MONTHS,
                                                FAR_MONTHS);
                                return value(moment, a[0], shift.apply(moment.time(a[0]), count));
                            });
                });
    }

    /// `Update(moment, 2020 AS Year, …, "Europe/Moscow" AS Timezone)`. Fields that are missing or
    /// NULL are unchanged. A new time zone keeps the local time.
    private static Typed update(FunctionCall call) {
        call.expect(1, 2 + FIELDS.size());
        Moments.Argument moment = Moments.argument(call, 0);
        var names = new ArrayList<>(FIELDS.keySet());
        names.add(ZONE);
        var fields = new ArrayList<TemporalField>();
        var arguments = new ArrayList<Typed>();
        arguments.add(moment.value());
        Optional<Typed> zone = Optional.empty();
        for (int index = 1; index < call.count(); index++) {
            String name = call.label(index).orElse(names.get(index - 1));
            if (name.equals(ZONE)) {
                zone = Optional.of(call.as(index, Primitive.STRING));
                continue;
            }
            TemporalField field = FIELDS.get(name);
            if (field == null) {
                throw call.error("Unknown argument name: " + name);
            }
            fields.add(field);
            arguments.add(call.as(index, Primitive.INT64));
        }
        if (zone.isEmpty()) {
            return call.apply(
                    moment.split().optional(),
                    arguments,
                    a ->
                            update(moment, fields, a)
                                    .flatMap(time -> moment.value(a[0], time))
                                    .orElse(Value.Null.NULL));
        }
        arguments.add(zone.get());
        int last = arguments.size() - 1;
        return call.apply(
                (moment.wide() ? Moments.WIDE_ZONED_SPLIT : Moments.ZONED_SPLIT).optional(),
                arguments,
                a ->
                        update(moment, fields, a)
                                .flatMap(time -> inZone(moment, a[0], time, a[last]))
                                .orElse(Value.Null.NULL));
    }

    /// Empty if the time zone does not exist or the result is out of range.
    private static Optional<Value> inZone(
            Moments.Argument moment, Value original, LocalDateTime time, Value zone) {
        String name = zone.isNull() ? moment.zone(original) : Texts.of(zone);
        Primitive type = moment.wide() ? Primitive.TZ_TIMESTAMP64 : Primitive.TZ_TIMESTAMP;
        return TzText.isZone(name)
                ? TzText.of(type, time, name).map(Value::text)
                : Optional.empty();
    }

    private static Optional<LocalDateTime> update(
            Moments.Argument moment, List<TemporalField> fields, Value[] arguments) {
        if (arguments[0].isNull()) {
            return Optional.empty();
        }
        LocalDateTime time = moment.time(arguments[0]);
        try {
            // The day is set last, because the valid days depend on the month.
            LocalDateTime first = time.withDayOfMonth(1);
            long day = time.getDayOfMonth();
            for (int index = 0; index < fields.size(); index++) {
                if (arguments[index + 1] instanceof Value.Int(long number)) {
                    if (fields.get(index) == ChronoField.DAY_OF_MONTH) {
                        day = number;
                    } else if (fields.get(index) == ChronoField.YEAR) {
                        if (number == 0) {
                            return Optional.empty();
                        }
                        first = first.with(ChronoField.YEAR, number < 0 ? number + 1 : number);
                    } else {
                        first = first.with(fields.get(index), number);
                    }
                }
            }
            return Optional.of(first.with(ChronoField.DAY_OF_MONTH, day));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
