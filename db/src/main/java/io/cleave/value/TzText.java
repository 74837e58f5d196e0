package io.cleave.value;

import io.cleave.value.Type.Primitive;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.Optional;

/// Local dates with the name of their zone, `2017-11-27T13:24:00,Europe/Moscow`. They exist in
/// expressions only; no column holds one.
public final class TzText {
    private static final int MICRO_NANOS = 1000;

    private TzText() {}

    /// The text as it is printed, if it is a legal value of the type.
    static Optional<String> normalize(Primitive type, String text) {
        int comma = text.indexOf(',');
        if (comma < 0) {
            return Optional.empty();
        }
        String zone = text.substring(comma + 1);
        String local = text.substring(0, comma);
        if (!isZone(zone)) {
            return Optional.empty();
        }
        Primitive moment = moment(type);
        boolean isDay = Order.unitMicros(moment) == Ints.DAY_MICROS;
        return DateText.parse(moment, isDay ? local : local + "Z")
                .flatMap(number -> of(type, number, zone));
    }

    public static boolean isZone(String name) {
        try {
            return !ZoneId.of(name).getId().isEmpty() && Character.isLetter(name.charAt(0));
        } catch (DateTimeException _) {
            return false;
        }
    }

    public static boolean isTz(Type type) {
        return type instanceof Primitive primitive
                && switch (primitive) {
                    case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> true;
                    case TZ_DATE32, TZ_DATETIME64, TZ_TIMESTAMP64 -> true;
                    default -> false;
                };
    }

    /// The type without its zone.
    public static Primitive moment(Primitive type) {
        return switch (type) {
            case TZ_DATE -> Primitive.DATE;
            case TZ_DATETIME -> Primitive.DATETIME;
            case TZ_TIMESTAMP -> Primitive.TIMESTAMP;
            case TZ_DATE32 -> Primitive.DATE32;
            case TZ_DATETIME64 -> Primitive.DATETIME64;
            case TZ_TIMESTAMP64 -> Primitive.TIMESTAMP64;
            default -> throw new IllegalArgumentException(type.text());
        };
    }

    /// The type of such moments with a zone.
    public static Primitive withZone(Primitive moment) {
        return switch (moment) {
            case DATE -> Primitive.TZ_DATE;
            case DATETIME -> Primitive.TZ_DATETIME;
            case TIMESTAMP -> Primitive.TZ_TIMESTAMP;
            case DATE32 -> Primitive.TZ_DATE32;
            case DATETIME64 -> Primitive.TZ_DATETIME64;
            case TIMESTAMP64 -> Primitive.TZ_TIMESTAMP64;
            default -> throw new IllegalArgumentException(moment.text());
        };
    }

    public static boolean isWide(Primitive type) {
        return Ints.isSigned(moment(type));
    }

    public static String zone(String text) {
        return text.substring(text.indexOf(',') + 1);
    }

    /// The time that a legal value says, in its zone. A day begins at midnight.
    public static ZonedDateTime time(String text) {
        String local = text.substring(0, text.indexOf(','));
        // The wide types say all that the others can.
        Primitive type = local.indexOf('T') < 0 ? Primitive.DATE32 : Primitive.TIMESTAMP64;
        String utc = type == Primitive.DATE32 ? local : local + "Z";
        long micros =
                DateText.parse(type, utc).orElseThrow(IllegalArgumentException::new)
                        * Order.unitMicros(type);
        return utc(micros).atZone(ZoneId.of(zone(text)));
    }

    private static LocalDateTime utc(long micros) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, Ints.SECOND_MICROS),
                (int) Math.floorMod(micros, Ints.SECOND_MICROS) * MICRO_NANOS,
                ZoneOffset.UTC);
    }

    public static long utcMicros(String text) {
        ZonedDateTime time = time(text);
        return time.toEpochSecond() * Ints.SECOND_MICROS + time.get(ChronoField.MICRO_OF_SECOND);
    }

    /// Without the zone, in units of [#moment]. Of the days, seconds or microseconds that the type
    /// without a zone does not have, the nearest it has.
    public static long units(Primitive type, String text) {
        Primitive moment = moment(type);
        long number = Math.floorDiv(utcMicros(text), Order.unitMicros(moment));
        return Math.clamp(number, Ints.min(moment), Ints.max(moment));
    }

    /// The value of a Tz type at a moment; nothing if its local time is out of range.
    public static Optional<String> at(Primitive type, long utcMicros, String zone) {
        long seconds = Math.floorDiv(utcMicros, Ints.SECOND_MICROS);
        long nanos = Math.floorMod(utcMicros, Ints.SECOND_MICROS) * MICRO_NANOS;
        LocalDateTime local =
                Instant.ofEpochSecond(seconds, nanos).atZone(ZoneId.of(zone)).toLocalDateTime();
        return of(type, local, zone);
    }

    /// The value of a Tz type with this local time.
    public static Optional<String> of(Primitive type, LocalDateTime local, String zone) {
        Primitive moment = moment(type);
        long micros =
                local.toEpochSecond(ZoneOffset.UTC) * Ints.SECOND_MICROS
                        + local.get(ChronoField.MICRO_OF_SECOND);
        return of(type, Math.floorDiv(micros, Order.unitMicros(moment)), zone);
    }

    /// The value with this local time, in units of [#moment].
    private static Optional<String> of(Primitive type, long local, String zone) {
        Primitive moment = moment(type);
        return Ints.fits(moment, local)
                ? Optional.of(DateText.print(moment, local).replace("Z", "") + "," + zone)
                : Optional.empty();
    }

    /// CAST from or to a Tz type. What has no zone is taken to be in GMT.
    static Optional<Caster> cast(Primitive from, Primitive to) {
        if (isTz(from) && isTz(to)) {
            return Optional.of(
                    Caster.failing(
                            v -> {
                                String text = ((Value.Text) v).value();
                                return of(to, time(text).toLocalDateTime(), zone(text))
                                        .map(Value::text)
                                        .orElse(Value.Null.NULL);
                            }));
        }
        if (isTz(from) && PrimitiveCast.isMoment(to)) {
            return Optional.of(
                    Caster.failing(
                            v -> {
                                long micros = utcMicros(((Value.Text) v).value());
                                long number = Math.floorDiv(micros, Order.unitMicros(to));
                                return Ints.fits(to, number) ? Value.of(number) : Value.Null.NULL;
                            }));
        }
        if (isTz(to) && PrimitiveCast.isMoment(from)) {
            return Optional.of(
                    Caster.failing(
                            v ->
                                    at(to, ((Value.Int) v).value() * Order.unitMicros(from), "GMT")
                                            .map(Value::text)
                                            .orElse(Value.Null.NULL)));
        }
        return Optional.empty();
    }
}
