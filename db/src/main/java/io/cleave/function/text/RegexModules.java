package io.cleave.function.text;

import com.google.re2j.Matcher;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.Registry;
import io.cleave.function.call.StringArguments;
import io.cleave.function.call.Texts;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// The modules `Re2` and `Re2posix`, and the functions that `Pire` and `Hyperscan` share with them.
/// One engine implements all.
public final class RegexModules {
    private static final Type TEXT = Primitive.STRING.optional();

    @FunctionalInterface
    private interface Test {
        boolean holds(Regex regex, String text, ScalarFunction.Run run);
    }

    private RegexModules() {}

    public static void register(Registry registry) {
        for (String module : List.of("Re2", RegexCall.POSIX, "Pire", "Hyperscan")) {
            registry.add(module, "Grep", c -> test(c, Regex::found));
            registry.add(module, "Match", c -> test(c, Regex::matches));
        }
        for (String module : List.of("Re2", RegexCall.POSIX, "Hyperscan")) {
            registry.add(module, "Replace", RegexModules::replace);
        }
        for (String module : List.of("Pire", "Hyperscan")) {
            registry.add(module, "MultiGrep", c -> multi(c, Regex::found));
            registry.add(module, "MultiMatch", c -> multi(c, Regex::matches));
        }
        registry.add("Pire", "Capture", RegexModules::captureOne);
        registry.add("Pire", "Replace", RegexModules::replaceOne);
        registry.add("Hyperscan", "Capture", RegexModules::captureShortest);
        registry.add("Hyperscan", "BacktrackingGrep", c -> test(c, Regex::found));
        registry.add("Hyperscan", "BacktrackingMatch", c -> test(c, Regex::matches));
        for (String module : List.of("Re2", RegexCall.POSIX)) {
            registry.add(module, "Capture", RegexModules::capture);
            registry.add(module, "FindAndConsume", RegexModules::findAndConsume);
            registry.add(module, "Count", RegexModules::count);
            registry.add(module, "Options", RegexOptions::resolve);
            registry.add(module, "Escape", RegexModules::escape);
            registry.add(module, "IsValidRegexp", RegexModules::isValid);
            registry.add(module, "PatternFromLike", RegexModules::fromLike);
        }
    }

    /// The result for NULL is false.
    private static Typed test(FunctionCall call, Test test) {
        RegexCall regex = RegexCall.of(call, 1);
        return regex.apply(
                Primitive.BOOL,
                List.of(regex.argument()),
                (pattern, a, run) ->
                        Value.bool(!a[0].isNull() && test.holds(pattern, regex.text(a[0]), run)));
    }

    /// Each line of the argument is a pattern; the results are returned as a tuple.
    private static Typed multi(FunctionCall call, Test test) {
        if (call.count() != 2) {
            throw call.error(
                    "%s must be called immediately: %s(\"patterns\")(value)"
                            .formatted(call.name(), call.name()));
        }
        List<Regex> all = call.text(0).lines().map(line -> Regex.compile(call.at(), line)).toList();
        List<Type> types = all.stream().<Type>map(_ -> Primitive.BOOL).toList();
        return call.applyLong(
                new Type.Tuple(types),
                List.of(call.as(1, Primitive.STRING)),
                (a, run) -> {
                    boolean isNull = a[0].isNull();
                    String text = isNull ? "" : Texts.of(a[0]);
                    return Value.items(
                            all.stream()
                                    .map(
                                            regex ->
                                                    Value.bool(
                                                            !isNull
                                                                    && test.holds(
                                                                            regex, text, run)))
                                    .toList());
                });
    }

    /// A struct with a member for each group; all members are NULL if nothing matches.
    private static Typed capture(FunctionCall call) {
        RegexCall regex = RegexCall.of(call, 1);
        List<String> names = regex.literal().groupNames();
        var members = new ArrayList<Type.Member>();
        names.forEach(name -> members.add(new Type.Member(name, TEXT)));
        // The members of a struct are sorted by name.
        var order = new ArrayList<Integer>();
        for (int group = 0; group < names.size(); group++) {
            order.add(group);
        }
        order.sort((left, right) -> names.get(left).compareTo(names.get(right)));
        return regex.apply(
                new Type.Struct(order.stream().map(members::get).toList()),
                List.of(regex.argument()),
                (pattern, a, run) -> {
                    Matcher matcher = a[0].isNull() ? null : pattern.matcher(regex.text(a[0]), run);
                    boolean found = matcher != null && matcher.find();
                    var groups = new ArrayList<Value>();
                    for (int group : order) {
                        String text = found && matcher != null ? matcher.group(group) : null;
                        groups.add(text == null ? Value.Null.NULL : regex.value(text));
                    }
                    return Value.items(groups);
                });
    }

    /// The first group of the first match, or the match if there are no groups.
    private static Typed captureOne(FunctionCall call) {
        RegexCall regex = RegexCall.of(call, 1);
        return regex.apply(
                TEXT,
                List.of(regex.argument()),
                (pattern, a, run) -> {
                    if (a[0].isNull()) {
                        return a[0];
                    }
                    Matcher matcher = pattern.matcher(regex.text(a[0]), run);
                    return matcher.find() ? consumed(regex, matcher) : Value.Null.NULL;
                });
    }

    /// The match that ends first, and of those the longest; groups are ignored.
    private static Typed captureShortest(FunctionCall call) {
        RegexCall regex = RegexCall.of(call, 1);
        return regex.apply(
                TEXT,
                List.of(regex.argument()),
                (pattern, a, run) ->
                        a[0].isNull()
                                ? a[0]
                                : pattern.firstEnding(regex.text(a[0]), run)
                                        .<Value>map(regex::value)
                                        .orElse(Value.Null.NULL));
    }

    private static Value consumed(RegexCall regex, Matcher matcher) {
        String text = matcher.group(Math.min(1, matcher.groupCount()));
        return text == null ? Value.Null.NULL : regex.value(text);
    }

    private static Typed findAndConsume(FunctionCall call) {
        RegexCall regex = RegexCall.of(call, 1);
        return regex.apply(
                new Type.ListOf(Primitive.STRING),
                List.of(regex.argument()),
                (pattern, a, run) -> {
                    var found = new ArrayList<Value>();
                    if (!a[0].isNull()) {
                        String text = regex.text(a[0]);
                        Matcher matcher = pattern.matcher(text, run);
                        // At the end of the text nothing more is found, not even an empty match.
                        while (matcher.find() && matcher.start() < text.length()) {
                            Value part = consumed(regex, matcher);
                            found.add(part.isNull() ? Value.binary(Bytes.EMPTY) : part);
                        }
                    }
                    return Value.items(found);
                });
    }

    private static Typed count(FunctionCall call) {
        RegexCall regex = RegexCall.of(call, 1);
        return regex.apply(
                Primitive.UINT32,
                List.of(regex.argument()),
                (pattern, a, run) -> {
                    int count = 0;
                    if (!a[0].isNull()) {
                        Matcher matcher = pattern.matcher(regex.text(a[0]), run);
                        while (matcher.find()) {
                            count++;
                        }
                    }
                    return Value.of(count);
                });
    }

    private static Typed replace(FunctionCall call) {
        RegexCall regex = RegexCall.of(call, 2);
        var at = call.at();
        return regex.apply(
                TEXT,
                List.of(regex.argument(), call.as(regex.subject() + 1, Primitive.STRING)),
                (pattern, a, run) -> {
                    if (a[0].isNull() || a[1].isNull()) {
                        return Value.Null.NULL;
                    }
                    return regex.value(
                            pattern.replaced(at, regex.text(a[0]), regex.text(a[1]), run));
                });
    }

    /// Replaces the part of the text that [#captureOne] returns; the rest of the match is kept.
    private static Typed replaceOne(FunctionCall call) {
        RegexCall regex = RegexCall.of(call, 2);
        return regex.apply(
                TEXT,
                List.of(regex.argument(), call.as(regex.subject() + 1, Primitive.STRING)),
                (pattern, a, run) -> {
                    if (a[0].isNull() || a[1].isNull()) {
                        return Value.Null.NULL;
                    }
                    String text = regex.text(a[0]);
                    Matcher matcher = pattern.matcher(text, run);
                    int group = Math.min(1, matcher.groupCount());
                    if (!matcher.find() || matcher.start(group) < 0) {
                        return a[0];
                    }
                    return regex.value(
                            text.substring(0, matcher.start(group))
                                    + regex.text(a[1])
                                    + text.substring(matcher.end(group)));
                });
    }

    /// Every ASCII character that could have a special meaning gets a backslash.
    private static Typed escape(FunctionCall call) {
        call.expect(1);
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    var out = new StringBuilder();
                    for (char c : Texts.of(a[0]).toCharArray()) {
                        boolean plain = c == '_' || c >= 0x80 || Character.isLetterOrDigit(c);
                        if (c == 0) {
                            out.append("\\x00");
                        } else {
                            out.append(plain ? "" : "\\").append(c);
                        }
                    }
                    return Value.binary(Bytes.utf8(out.toString()));
                });
    }

    private static Typed isValid(FunctionCall call) {
        call.expect(1);
        var at = call.at();
        boolean posix = RegexCall.isPosix(call);
        return call.apply(
                Primitive.BOOL,
                List.of(call.as(0, Primitive.STRING)),
                a -> {
                    if (a[0].isNull()) {
                        return Value.Bool.FALSE;
                    }
                    try {
                        if (posix) {
                            PosixSyntax.check(at, Texts.of(a[0]), false, false);
                        }
                        Regex.compile(at, Texts.of(a[0]));
                        return Value.Bool.TRUE;
                    } catch (StatusException _) {
                        return Value.Bool.FALSE;
                    }
                });
    }

    /// `PatternFromLike(pattern[, escape])`: the regular expression that is equivalent to a LIKE
    /// pattern.
    private static Typed fromLike(FunctionCall call) {
        call.expect(1, 2);
        Typed escape =
                call.count() == 2
                        ? StringArguments.orElse(call, 1, "")
                        : StringArguments.constant("");
        return call.strict(
                Primitive.STRING,
                List.of(call.as(0, Primitive.STRING), escape),
                a -> {
                    String letter = Texts.of(a[1]);
                    if (letter.length() > 1) {
                        throw Errors.failure(call.at(), "Escape should be single character");
                    }
                    return Value.binary(Bytes.utf8(fromLike(Texts.of(a[0]), letter)));
                });
    }

    private static String fromLike(String like, String escape) {
        var out = new StringBuilder("(?s)");
        for (int index = 0; index < like.length(); index++) {
            char c = like.charAt(index);
            boolean escaped = escape.indexOf(c) >= 0 && index + 1 < like.length();
            if (escaped) {
                c = like.charAt(++index);
            }
            if (!escaped && c == '%') {
                out.append(".*");
            } else if (!escaped && c == '_') {
                out.append('.');
            } else {
                boolean plain = c == '_' || c >= 0x80 || Character.isLetterOrDigit(c);
                out.append(plain ? "" : "\\").append(c);
            }
        }
        return out.toString();
    }
}
