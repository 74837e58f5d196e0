package io.cleave.function.time;

import io.cleave.function.call.FunctionCall;
import io.cleave.typed.Typed;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;
import io.cleave.value.Value;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.Optional;

/// Times as values of the module `DateTime`. YDB has a resource TM; Cleave uses a tagged Timestamp,
/// or a tagged TzTimestamp if there is a time zone. For TM64 it uses the 64-bit types. Every date
/// type is accepted as a TM.
final class Moments {
    static final Type SPLIT = new Type.Tagged("DateTime2.TM", Primitive.TIMESTAMP);
    static final Type WIDE_SPLIT = new Type.Tagged("DateTime2.TM64", Primitive.TIMESTAMP64);
    static final Type ZONED_SPLIT = new Type.Tagged("DateTime2.TM", Primitive.TZ_TIMESTAMP);
    static final Type WIDE_ZONED_SPLIT =
            new Type.Tagged("DateTime2.TM64", Primitive.TZ_TIMESTAMP64);

    private static final String NO_ZONE = "GMT";
    private static final long SECOND_MICROS = 1_000_000;
    private static final int MICRO_NANOS = 1000;

    /// Out of the range of every type, but small enough that its microseconds fit into a long.
    private static final int FAR_YEAR = 200_000;

    private Moments() {}

    enum Kind {
        PLAIN,
        WIDE,
        ZONED,
        WIDE_ZONED
    }

    /// A time argument: its expression, and the length of one unit of its type.
    record Argument(Typed value, long unitMicros, Kind kind) {
        boolean wide() {
            return kind == Kind.WIDE || kind == Kind.WIDE_ZONED;
        }

        boolean zoned() {
            return kind == Kind.ZONED || kind == Kind.WIDE_ZONED;
        }

        /// Microseconds since the epoch in UTC, whatever the time zone.
        long micros(Value moment) {
            return moment instanceof Value.Text(String text)
                    ? TzText.utcMicros(text)
                    : ((Value.Int) moment).value() * unitMicros;
        }

        /// The local time in the time zone of the value.
        LocalDateTime time(Value moment) {
            return zoned(moment).toLocalDateTime();
        }

        ZonedDateTime zoned(Value moment) {
            return moment instanceof Value.Text(String text)
                    ? TzText.time(text)
                    : Moments.time(micros(moment)).atZone(ZoneId.of(NO_ZONE));
        }

        String zone(Value moment) {
            return moment instanceof Value.Text(String text) ? TzText.zone(text) : NO_ZONE;
        }

        Type split() {
            return switch (kind) {
                case PLAIN -> SPLIT;
                case WIDE -> WIDE_SPLIT;
                case ZONED -> ZONED_SPLIT;
                case WIDE_ZONED -> WIDE_ZONED_SPLIT;
            };
        }

        /// A local time in the time zone of `original`; empty if it is out of range.
        Optional<Value> value(Value original, LocalDateTime time) {
            if (Math.abs(time.getYear()) > FAR_YEAR) {
                return Optional.empty();
            }
            return switch (kind) {
                case PLAIN -> Moments.value(Primitive.TIMESTAMP, time);
                case WIDE -> Moments.value(Primitive.TIMESTAMP64, time);
                case ZONED ->
                        TzText.of(Primitive.TZ_TIMESTAMP, time, zone(original)).map(Value::text);
                case WIDE_ZONED ->
                        TzText.of(Primitive.TZ_TIMESTAMP64, time, zone(original)).map(Value::text);
            };
        }
    }

    static Argument argument(FunctionCall call, int index) {
        Typed value = call.value(index);
        Type type = value.type().unwrapped();
        if (type.equals(SPLIT) || type.equals(WIDE_SPLIT)) {
            return new Argument(value, 1, type.equals(SPLIT) ? Kind.PLAIN : Kind.WIDE);
        }
        if (type.equals(ZONED_SPLIT) || type.equals(WIDE_ZONED_SPLIT)) {
            return new Argument(value, 1, type.equals(ZONED_SPLIT) ? Kind.ZONED : Kind.WIDE_ZONED);
        }
        if (type instanceof Primitive tz && TzText.isTz(tz)) {
            return new Argument(value, 1, TzText.isWide(tz) ? Kind.WIDE_ZONED : Kind.ZONED);
        }
        if (!Ints.isDate(type)) {
            throw call.error(
                    "Expected a date as argument %d of %s, but got: %s"
                            .formatted(index + 1, call.name(), value.type().text()));
        }
        return new Argument(
                value,
                Ints.unitMicros(type),
                Ints.isSigned((Primitive) type) ? Kind.WIDE : Kind.PLAIN);
    }

    static LocalDateTime time(long micros) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, SECOND_MICROS),
                (int) Math.floorMod(micros, SECOND_MICROS) * MICRO_NANOS,
                ZoneOffset.UTC);
    }

    static long micros(LocalDateTime time) {
        return time.toEpochSecond(ZoneOffset.UTC) * SECOND_MICROS
                + time.get(ChronoField.MICRO_OF_SECOND);
    }

    /// The time as a value of the timestamp type; empty if it is out of range.
    static Optional<Value> value(Primitive timestamp, LocalDateTime time) {
        long micros = micros(time);
        return Ints.fits(timestamp, micros) ? Optional.of(Value.of(micros)) : Optional.empty();
    }
}
