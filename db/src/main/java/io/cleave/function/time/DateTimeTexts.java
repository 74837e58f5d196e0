package io.cleave.function.time;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.call.StringArguments;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;

import java.time.DateTimeException;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The functions of the module `DateTime` that parse and format times by a pattern such as
/// `%Y-%m-%d %H:%M:%S`. In YDB `Format` and `Parse` return functions. Here the pattern is the first
/// argument, and the argument of the returned function is the last one.
final class DateTimeTexts {
    private static final int MICRO_NANOS = 1000;

    /// The letters that are allowed after a percent sign.
    private static final String FIELDS = "%YmdHMSzZbB";

    private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("xx", Locale.ROOT);

    /// `+03:00`; UTC is `+00:00`.
    private static final DateTimeFormatter COLON_OFFSET =
            DateTimeFormatter.ofPattern("xxx", Locale.ROOT);

    private static final Map<String, String> ZONES =
            Map.ofEntries(
                    Map.entry("GMT", "+0000"),
                    Map.entry("UT", "+0000"),
                    Map.entry("UTC", "+0000"),
                    Map.entry("Z", "+0000"),
                    Map.entry("EST", "-0500"),
                    Map.entry("EDT", "-0400"),
                    Map.entry("CST", "-0600"),
                    Map.entry("CDT", "-0500"),
                    Map.entry("MST", "-0700"),
                    Map.entry("MDT", "-0600"),
                    Map.entry("PST", "-0800"),
                    Map.entry("PDT", "-0700"));

    /// Years of two digits count from 1970.
    private static final DateTimeFormatter RFC_850 =
            new DateTimeFormatterBuilder()
                    .appendPattern("EEEE, dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
                    .appendPattern(" HH:mm:ss xx")
                    .toFormatter(Locale.ENGLISH);

    /// `Fri, 4 Mar 2005 19:34:45 -0500`; the day of the week, the seconds and the century are
    /// optional.
    private static final DateTimeFormatter RFC_822 =
            new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .appendPattern("[EEE, ]d MMM ")
                    .appendOptional(
                            new DateTimeFormatterBuilder()
                                    .appendValue(ChronoField.YEAR, 4)
                                    .toFormatter(Locale.ENGLISH))
                    .appendOptional(
                            new DateTimeFormatterBuilder()
                                    .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
                                    .toFormatter(Locale.ENGLISH))
                    .appendPattern(" HH:mm[:ss] xx")
                    .toFormatter(Locale.ENGLISH);

    /// The format of `asctime` in C, in GMT.
    private static final DateTimeFormatter ASCTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy xx", Locale.ENGLISH);

    private DateTimeTexts() {}

    static void register(Registry registry) {
        registry.add(DateTimeModule.MODULE, "Format", DateTimeTexts::format);
        registry.add(DateTimeModule.MODULE, "Parse", c -> parse(c, false));
        registry.add(DateTimeModule.MODULE, "Parse64", c -> parse(c, true));
        registry.add(DateTimeModule.MODULE, "ParseIso8601", DateTimeTexts::parseIso);
        registry.add(DateTimeModule.MODULE, "ParseRfc822", c -> parseRfc(c, false));
        registry.add(DateTimeModule.MODULE, "ParseHttp", c -> parseRfc(c, true));
        registry.add(DateTimeModule.MODULE, "ParseX509", DateTimeTexts::parseX509);
    }

    /// A literal is checked at compile time, anything else when it is evaluated ([#checked]).
    private static Typed pattern(FunctionCall call) {
        if (call.count() < 2 || call.count() > 4) {
            throw call.error(
                    "%s must be called immediately: %s(\"pattern\")(value)"
                            .formatted(call.name(), call.name()));
        }
        Typed pattern = StringArguments.required(call, 0);
        if (pattern instanceof Typed.Constant(_, Value value)) {
            checked(call.at(), value);
        }
        return pattern;
    }

    private static String checked(Position position, Value value) {
        String pattern = Texts.of(value);
        int at = pattern.indexOf('%');
        while (at >= 0) {
            boolean known =
                    at + 1 < pattern.length() && FIELDS.indexOf(pattern.charAt(at + 1)) >= 0;
            if (!known) {
                throw Errors.type(position, "invalid format string: " + pattern);
            }
            at = pattern.indexOf('%', at + 2);
        }
        return pattern;
    }

    private static Typed format(FunctionCall call) {
        Typed pattern = pattern(call);
        int last = call.count() - 1;
        Moments.Argument moment = Moments.argument(call, last);
        boolean fraction = flag(call, 1, "AlwaysWriteFractionalSeconds");
        DateTimeFormatter offset = flag(call, 2, "WriteOffsetWithColon") ? COLON_OFFSET : OFFSET;
        var at = call.at();
        return call.strict(
                Primitive.STRING,
                List.of(moment.value(), pattern),
                a -> {
                    String text = format(checked(at, a[1]), moment.zoned(a[0]), fraction, offset);
                    return Value.binary(Bytes.utf8(text));
                });
    }

    /// A flag, as in `Format("%S", true AS AlwaysWriteFractionalSeconds)(x)`. `place` is its
    /// position if it has no name.
    private static boolean flag(FunctionCall call, int place, String name) {
        boolean on = false;
        for (int index = 1; index < call.count() - 1; index++) {
            String label = call.label(index).orElse("");
            boolean meant = label.isEmpty() ? index == place : label.equalsIgnoreCase(name);
            boolean known =
                    label.isEmpty()
                            || label.equalsIgnoreCase("AlwaysWriteFractionalSeconds")
                            || label.equalsIgnoreCase("WriteOffsetWithColon");
            boolean isFlag =
                    call.bare(index) == Primitive.BOOL || call.type(index) == Type.Unit.NULL;
            if (!known
                    || !isFlag
                    || !(call.value(index) instanceof Typed.Constant(_, Value value))) {
                throw call.error(
                        "Expected AlwaysWriteFractionalSeconds or WriteOffsetWithColon as argument"
                                + " %d of %s".formatted(index + 1, call.name()));
            }
            on |= meant && value.equals(Value.Bool.TRUE);
        }
        return on;
    }

    private static String format(
            String pattern, ZonedDateTime time, boolean fraction, DateTimeFormatter offset) {
        var out = new StringBuilder();
        int index = 0;
        while (index < pattern.length()) {
            char c = pattern.charAt(index++);
            if (c != '%') {
                out.append(c);
                continue;
            }
            switch (pattern.charAt(index++)) {
                case 'Y' -> out.append(DateTimeModule.year(time.toLocalDateTime()));
                case 'm' -> out.append("%02d".formatted(time.getMonthValue()));
                case 'd' -> out.append("%02d".formatted(time.getDayOfMonth()));
                case 'H' -> out.append("%02d".formatted(time.getHour()));
                case 'M' -> out.append("%02d".formatted(time.getMinute()));
                case 'S' -> {
                    out.append("%02d".formatted(time.getSecond()));
                    int micros = time.getNano() / MICRO_NANOS;
                    if (fraction) {
                        out.append(".%06d".formatted(micros));
                    } else if (micros > 0) {
                        // `.05`, not `.050000`.
                        out.append(".%06d".formatted(micros).replaceFirst("0+$", ""));
                    }
                }
                case 'z' -> out.append(offset.format(time));
                case 'Z' -> out.append(time.getZone().getId());
                case 'b' -> out.append(monthName(time.getMonth(), TextStyle.SHORT));
                case 'B' -> out.append(monthName(time.getMonth(), TextStyle.FULL));
                default -> out.append('%');
            }
        }
        return out.toString();
    }

    private static String monthName(Month month, TextStyle style) {
        return month.getDisplayName(style, Locale.ENGLISH);
    }

    private static Typed parse(FunctionCall call, boolean wide) {
        Typed pattern = pattern(call);
        if (call.count() != 2) {
            throw call.error("Too many arguments of " + call.name());
        }
        var at = call.at();
        Primitive timestamp = wide ? Primitive.TIMESTAMP64 : Primitive.TIMESTAMP;
        List<Typed> arguments = List.of(call.as(1, Primitive.STRING), pattern);
        boolean zoned =
                pattern instanceof Typed.Constant(_, Value known)
                        && Texts.of(known).replace("%%", "").contains("%Z");
        if (zoned) {
            return call.strict(
                    (wide ? Moments.WIDE_ZONED_SPLIT : Moments.ZONED_SPLIT).optional(),
                    arguments,
                    a ->
                            new MomentReader(timestamp, checked(at, a[1]), Texts.of(a[0]))
                                    .readZoned()
                                    .map(Value::text)
                                    .orElse(Value.Null.NULL));
        }
        return call.strict(
                (wide ? Moments.WIDE_SPLIT : Moments.SPLIT).optional(),
                arguments,
                a ->
                        new MomentReader(timestamp, checked(at, a[1]), Texts.of(a[0]))
                                .read()
                                .flatMap(time -> Moments.value(timestamp, time))
                                .orElse(Value.Null.NULL));
    }

    private static Typed parseIso(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Moments.SPLIT.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    // Converts `+0300` to `+03:00`.
                    String text =
                            Texts.of(a[0])
                                    .replaceFirst("([+-][0-9]{2})([0-9]{2})$", "$1:$2")
                                    .replaceFirst("^([0-9-]{8,10}) ", "$1T");
                    return ValueParser.parse(Primitive.TIMESTAMP, text)
                            .or(() -> ValueParser.parse(Primitive.TIMESTAMP, text + "Z"))
                            .or(() -> ValueParser.parse(Primitive.TIMESTAMP, text + "T00:00:00Z"))
                            .orElse(Value.Null.NULL);
                });
    }

    /// Parses `Fri, 4 Mar 2005 19:34:45 EST` and, with `http`, also `Sunday, 06-Nov-94 08:49:37
    /// GMT`.
    private static Typed parseRfc(FunctionCall call, boolean http) {
        call.expect(1);
        return call.strict(
                Moments.SPLIT.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    String text = withOffset(Texts.of(a[0]));
                    DateTimeFormatter form = RFC_822;
                    if (http && text.matches("[A-Za-z]+, [0-9]{2}-.*")) {
                        form = RFC_850;
                    } else if (http && text.matches("[A-Za-z]{3} [A-Za-z]{3} .*")) {
                        form = ASCTIME;
                        text += " +0000";
                    }
                    try {
                        return Moments.value(
                                        Primitive.TIMESTAMP,
                                        OffsetDateTime.parse(text, form)
                                                .withOffsetSameInstant(ZoneOffset.UTC)
                                                .toLocalDateTime())
                                .orElse(Value.Null.NULL);
                    } catch (DateTimeException _) {
                        return Value.Null.NULL;
                    }
                });
    }

    /// Replaces the name of a zone at the end by its offset in RFC 822.
    private static String withOffset(String text) {
        int space = text.lastIndexOf(' ');
        String offset = ZONES.get(text.substring(space + 1));
        return offset == null ? text : text.substring(0, space + 1) + offset;
    }

    /// Parses `20200102030405Z`, also with a year of two digits.
    private static Typed parseX509(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Moments.SPLIT.optional(),
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    String text = Texts.of(a[0]);
                    if (!text.matches("([0-9]{2})?[0-9]{12}Z")) {
                        return Value.Null.NULL;
                    }
                    String digits = text.length() == 13 ? century(text) + text : text;
                    return new MomentReader(Primitive.TIMESTAMP, "%Y%m%d%H%M%SZ", digits)
                            .read()
                            .flatMap(time -> Moments.value(Primitive.TIMESTAMP, time))
                            .orElse(Value.Null.NULL);
                });
    }

    /// Years of two digits are those from 1950 to 2049 (RFC 5280).
    private static String century(String text) {
        return text.compareTo("50") < 0 ? "20" : "19";
    }
}
