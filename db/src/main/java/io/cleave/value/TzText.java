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

/// Dates in local time with the name of their zone: `2017-11-27T13:24:00,Europe/Moscow`. They exist
/// only in expressions; no column has such a type.
public final class TzText {
    private static final int MICRO_NANOS = 1000;

    private TzText() {}

    /// The normal form of the text; empty if it is not a legal value of the type.
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
        return DateText.parse(wide(type), isDay(type) ? local : local + "Z")
                .map(number -> utc(number * Order.unitMicros(moment(type))))
                .flatMap(time -> of(type, time, zone));
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

    /// The corresponding type with a zone.
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

    private static boolean isDay(Primitive type) {
        return Order.unitMicros(moment(type)) == Ints.DAY_MICROS;
    }

    /// A type that can represent every local time, even one just outside the range of moments.
    private static Primitive wide(Primitive type) {
        return switch (type) {
            case TZ_DATE, TZ_DATE32 -> Primitive.DATE32;
            case TZ_DATETIME, TZ_DATETIME64 -> Primitive.DATETIME64;
            case TZ_TIMESTAMP, TZ_TIMESTAMP64 -> Primitive.TIMESTAMP64;
            default -> throw new IllegalArgumentException(type.text());
        };
    }

    public static String zone(String text) {
        return text.substring(text.indexOf(',') + 1);
    }

    /// The time of a legal value, in its zone. A day begins at midnight.
    public static ZonedDateTime time(String text) {
        String local = text.substring(0, text.indexOf(','));
        // The wide types can represent everything that the others can.
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

    /// The moment of a value. For a day without a time, it is midnight UTC of the UTC day in which
    /// the local day begins.
    public static long utcMicros(String text) {
        long micros = micros(time(text));
        return text.lastIndexOf('T', text.indexOf(',')) < 0
                ? Math.floorDiv(micros, Ints.DAY_MICROS) * Ints.DAY_MICROS
                : micros;
    }

    private static long micros(ZonedDateTime time) {
        return time.toEpochSecond() * Ints.SECOND_MICROS + time.get(ChronoField.MICRO_OF_SECOND);
    }

    /// The moment of a value without its zone, in units of [#moment].
    public static long units(Primitive type, String text) {
        return Math.floorDiv(utcMicros(text), Order.unitMicros(moment(type)));
    }

    /// The value of a Tz type at a moment; empty if the moment is out of range.
    public static Optional<String> at(Primitive type, long utcMicros, String zone) {
        // A UTC day overlaps two local days; this is the one that begins in it.
        long shown =
                isDay(type)
                        ? (Math.floorDiv(utcMicros, Ints.DAY_MICROS) + 1) * Ints.DAY_MICROS - 1
                        : utcMicros;
        long seconds = Math.floorDiv(shown, Ints.SECOND_MICROS);
        long nanos = Math.floorMod(shown, Ints.SECOND_MICROS) * MICRO_NANOS;
        LocalDateTime local =
                Instant.ofEpochSecond(seconds, nanos).atZone(ZoneId.of(zone)).toLocalDateTime();
        return of(type, local, zone);
    }

    /// The value of a Tz type with this local time; empty if its moment is out of range.
    public static Optional<String> of(Primitive type, LocalDateTime local, String zone) {
        LocalDateTime shown = isDay(type) ? local.toLocalDate().atStartOfDay() : local;
        Primitive moment = moment(type);
        long units = Math.floorDiv(micros(shown.atZone(ZoneId.of(zone))), Order.unitMicros(moment));
        return Ints.fits(moment, units) ? print(wide(type), shown, zone) : Optional.empty();
    }

    /// Empty if the type has no such time.
    private static Optional<String> print(Primitive type, LocalDateTime local, String zone) {
        long number = Math.floorDiv(micros(local.atZone(ZoneOffset.UTC)), Order.unitMicros(type));
        return Ints.fits(type, number)
                ? Optional.of(DateText.print(type, number).replace("Z", "") + "," + zone)
                : Optional.empty();
    }

    /// CAST from or to a Tz type. A value without a zone is assumed to be in GMT.
    static Optional<Caster> cast(Primitive from, Primitive to) {
        if (isTz(from) && isTz(to)) {
            return Optional.of(
                    Caster.failing(
                            v -> {
                                String text = ((Value.Text) v).value();
                                return at(to, utcMicros(text), zone(text))
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
