package io.cleave.balance.yt.settings;

import io.cleave.balance.yt.formula.Formula;
import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads options from a map. A value of a wrong type, or outside of its range, is refused with the
/// path of the option. `#` leaves an option without a default unset.
public final class OptionReader {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");

    private static final long MOST_MILLIS = Duration.ofDays(36_500).toMillis();

    private final String path;
    private final YsonNode.Members members;
    private final Set<Bytes> read = new HashSet<>();

    /// @param path of the map, such as `/groups/x`; empty for the root
    OptionReader(String path, YsonNode.Members members) {
        this.path = path;
        this.members = members;
    }

    public static OptionReader root(YsonNode given) {
        if (given.bare() instanceof YsonNode.Members members) {
            return new OptionReader("", members);
        }
        throw mismatch("map", given).exception();
    }

    /// The names that were asked for.
    Set<String> asked() {
        Set<String> names = new TreeSet<>();
        read.forEach(name -> names.add(name.utf8()));
        return names;
    }

    /// The members that were not asked for.
    public YsonNode.Members others() {
        var others = new LinkedHashMap<>(members.members());
        others.keySet().removeAll(read);
        return new YsonNode.Members(others);
    }

    public boolean flag(String name, boolean byDefault, String... aliases) {
        return value(name, OptionReader::flag, aliases).orElse(byDefault);
    }

    public Optional<Boolean> flag(String name) {
        return unlessUnset(name, OptionReader::flag);
    }

    /// A number of bytes, at least 0.
    public long size(String name, long byDefault) {
        return atLeast(0, name, value(name, OptionReader::int64)).orElse(byDefault);
    }

    public OptionalLong size(String name) {
        return atLeast(0, name, unlessUnset(name, OptionReader::int64))
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    OptionalInt count(String name, int least) {
        return atLeast(least, name, unlessUnset(name, OptionReader::int32).map(Long::valueOf))
                .map(count -> OptionalInt.of(count.intValue()))
                .orElse(OptionalInt.empty());
    }

    public int count(String name, int least, int byDefault) {
        return atLeast(least, name, value(name, OptionReader::int32).map(Long::valueOf))
                .map(Long::intValue)
                .orElse(byDefault);
    }

    /// A time of a millisecond or more: a number of milliseconds, or a text like `90s` with one of
    /// the units `ms`, `s`, `m`, `h` and `d`.
    public Duration duration(String name, Duration byDefault) {
        Duration found = value(name, OptionReader::duration).orElse(byDefault);
        if (found.toMillis() < 1) {
            throw invalid(name, "Expected > 0, found " + found.toMillis());
        }
        return found;
    }

    /// A number with bounds on both sides, which are included.
    public int between(String name, int least, int most, int byDefault) {
        int number = value(name, OptionReader::int32).orElse(byDefault);
        if (number < least || number > most) {
            throw invalid(
                    name, "Expected in range [%d,%d], found %d".formatted(least, most, number));
        }
        return number;
    }

    /// A text that is not empty.
    public String name(String name, String byDefault) {
        String text = text(name, byDefault);
        if (text.isEmpty()) {
            throw invalid(name, "Value must not be empty");
        }
        return text;
    }

    public double real(String name, double byDefault, String... aliases) {
        return value(name, OptionReader::real, aliases).orElse(byDefault);
    }

    OptionalDouble real(String name) {
        return unlessUnset(name, OptionReader::real)
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }

    OptionalDouble realAtLeastZero(String name) {
        OptionalDouble number = real(name);
        if (number.isPresent() && number.getAsDouble() < 0) {
            throw invalid(name, "Expected >= 0, found " + shown(number.getAsDouble()));
        }
        return number;
    }

    public String text(String name, String byDefault) {
        return value(name, OptionReader::text).orElse(byDefault);
    }

    Optional<String> text(String name) {
        return unlessUnset(name, OptionReader::text);
    }

    Formula formula(String name) {
        return formula(name, Formula.EMPTY, Formula::parse);
    }

    /// A formula that `parse` reads. It throws if the option must not have the formula.
    public Formula formula(String name, Formula byDefault, Function<String, Formula> parse) {
        return value(name, node -> parse.apply(text(node))).orElse(byDefault);
    }

    List<String> texts(String name) {
        return value(name, OptionReader::texts).orElse(List.of());
    }

    /// An option of a few words, given in lower case.
    <E extends Enum<E>> E choice(String name, E byDefault, String typeName) {
        return value(name, node -> choice(node, byDefault, typeName)).orElse(byDefault);
    }

    /// The options in a map; empty if it is not given.
    OptionReader map(String name) {
        return new OptionReader(
                path + "/" + name,
                value(name, OptionReader::members).orElse(YsonNode.Members.EMPTY));
    }

    /// The names of this map, in their order.
    List<String> names() {
        return members.members().keySet().stream().map(Bytes::utf8).toList();
    }

    /// The refusal of an option's value.
    public YtException invalid(String name, String problem) {
        return YtError.of(YtCodes.GENERIC, "Validation failed at %s/%s".formatted(path, name))
                .with(YtError.of(YtCodes.GENERIC, problem))
                .exception();
    }

    /// The refusal of options that do not fit together.
    public YtException inconsistent(String problem) {
        return YtError.of(
                        YtCodes.GENERIC,
                        "Postprocess failed at %s".formatted(path.isEmpty() ? "root" : path))
                .with(YtError.of(YtCodes.GENERIC, problem))
                .exception();
    }

    void checkOrder(String less, long low, String more, long high) {
        if (low > high) {
            throw inconsistent("\"%s\" must be less than or equal to \"%s\"".formatted(less, more));
        }
    }

    private <T> Optional<T> unlessUnset(String name, Function<YsonNode, T> convert) {
        boolean isUnset = members.member(name).filter(YsonNode.entity()::equals).isPresent();
        if (isUnset) {
            read.add(Bytes.utf8(name));
            return Optional.empty();
        }
        return value(name, convert);
    }

    private <T> Optional<T> value(String name, Function<YsonNode, T> convert, String... aliases) {
        String given = name;
        Optional<YsonNode> node = find(name);
        for (String alias : aliases) {
            Optional<YsonNode> other = find(alias);
            if (node.isPresent() && other.isPresent() && !node.equals(other)) {
                throw YtError.of(
                                YtCodes.GENERIC,
                                "Different values for aliased parameters \"%s\" and \"%s\""
                                        .formatted(name, alias))
                        .with("main_value", node.get())
                        .with("aliased_value", other.get())
                        .exception();
            }
            if (node.isEmpty() && other.isPresent()) {
                given = alias;
                node = other;
            }
        }
        try {
            return node.map(convert);
        } catch (YtException e) {
            throw YtError.of(
                            YtCodes.GENERIC, "Error reading parameter %s/%s".formatted(path, given))
                    .with(e.error())
                    .exception();
        }
    }

    private Optional<YsonNode> find(String name) {
        read.add(Bytes.utf8(name));
        return members.member(name).map(YsonNode::bare);
    }

    private Optional<Long> atLeast(long least, String name, Optional<Long> number) {
        if (number.isPresent() && number.get() < least) {
            String bound = least == 0 ? ">= 0" : "> " + (least - 1);
            throw invalid(name, "Expected %s, found %d".formatted(bound, number.get()));
        }
        return number;
    }

    private static boolean flag(YsonNode node) {
        return switch (node) {
            case YsonNode.Bool(boolean flag) -> flag;
            case YsonNode.Text(Bytes text) when text.utf8().equals("true") -> true;
            case YsonNode.Text(Bytes text) when text.utf8().equals("false") -> false;
            case YsonNode.Int64(long number) when number == 0 || number == 1 -> number == 1;
            case YsonNode.Uint64(long number) when number == 0 || number == 1 -> number == 1;
            case YsonNode.Int64 _, YsonNode.Uint64 _ ->
                    throw problem("Expected 0 or 1 but found " + node.print());
            default -> throw mismatch("boolean", node).exception();
        };
    }

    private static long int64(YsonNode node) {
        return switch (node) {
            case YsonNode.Int64(long number) -> number;
            case YsonNode.Uint64(long number) when number >= 0 -> number;
            case YsonNode.Uint64 _ ->
                    throw problem(
                            "Number %s is greater than the greatest int64 number"
                                    .formatted(node.print()));
            default -> throw mismatch("long", node).exception();
        };
    }

    private static int int32(YsonNode node) {
        if (!(node instanceof YsonNode.Int64 || node instanceof YsonNode.Uint64)) {
            throw mismatch("int", node).exception();
        }
        long number = int64(node);
        if (number != (int) number) {
            throw problem("Number %d is outside of the range of int32 numbers".formatted(number));
        }
        return (int) number;
    }

    private static double real(YsonNode node) {
        double number =
                switch (node) {
                    case YsonNode.Real(double real) -> real;
                    case YsonNode.Int64(long whole) -> whole;
                    case YsonNode.Uint64 _ -> int64(node);
                    default -> throw mismatch("double", node).exception();
                };
        if (Double.isNaN(number)) {
            throw problem("Expected a number, found nan");
        }
        return number;
    }

    private static Duration duration(YsonNode node) {
        if (!(node instanceof YsonNode.Text(Bytes text))) {
            return millis(1, int64(node));
        }
        Matcher matcher = DURATION.matcher(text.utf8());
        if (!matcher.matches()) {
            throw problem("Error parsing duration \"%s\"".formatted(text.utf8()));
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> millis(1, count);
            case "s" -> millis(1_000, count);
            case "m" -> millis(60_000, count);
            case "h" -> millis(3_600_000, count);
            default -> millis(86_400_000, count);
        };
    }

    /// A time that is too long to be counted in nanoseconds is refused.
    private static Duration millis(long unit, long count) {
        if (count > MOST_MILLIS / unit) {
            throw problem("The duration is longer than 100 years");
        }
        return Duration.ofMillis(unit * count);
    }

    private static String text(YsonNode node) {
        return node.string().orElseThrow(() -> mismatch("string", node).exception());
    }

    private static List<String> texts(YsonNode node) {
        if (!(node instanceof YsonNode.Items(List<YsonNode> items))) {
            throw mismatch("list", node).exception();
        }
        List<String> texts = new ArrayList<>();
        items.forEach(item -> texts.add(text(item)));
        return texts;
    }

    private static YsonNode.Members members(YsonNode node) {
        if (node instanceof YsonNode.Members members) {
            return members;
        }
        throw mismatch("map", node).exception();
    }

    private static <E extends Enum<E>> E choice(YsonNode node, E any, String typeName) {
        String text = text(node);
        for (E choice : any.getDeclaringClass().getEnumConstants()) {
            if (choice.name().toLowerCase(Locale.ROOT).equals(text)) {
                return choice;
            }
        }
        throw problem("Error parsing %s value \"%s\"".formatted(typeName, text));
    }

    static String shown(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    private static YtError mismatch(String expected, YsonNode node) {
        return YtError.of(
                YtCodes.GENERIC,
                "Cannot parse \"%s\" value from \"%s\"".formatted(expected, node.typeName()));
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }
}
