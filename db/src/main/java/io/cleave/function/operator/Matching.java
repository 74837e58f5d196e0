package io.cleave.function.operator;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Latest;
import io.cleave.function.call.Texts;
import io.cleave.function.text.Regex;
import io.cleave.function.text.Wildcards;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueParser;
import io.cleave.yql.Expression.MatchKind;

import java.util.List;
import java.util.Optional;

/// LIKE, ILIKE, GLOB, REGEXP and MATCH.
///
/// A LIKE with a literal prefix also restricts the range of keys. It becomes `x >= 'ab' AND x <
/// 'ac' AND x LIKE 'ab%c'`; the key range is derived from the first two terms.
public final class Matching {
    @FunctionalInterface
    private interface Test {
        boolean holds(String text, ScalarFunction.Run run);
    }

    private Matching() {}

    public static Typed resolve(
            Position at, MatchKind kind, Typed operand, Typed pattern, Optional<Typed> escape) {
        requireString(at, operand);
        requireString(at, pattern);
        Optional<Character> escapeChar = escape.map(e -> escapeChar(at, e));
        boolean optional = mayBeNull(pattern) || (mayBeNull(operand) && !isRegex(kind));
        Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
        if (!(pattern instanceof Typed.Constant(_, Value value)) || value.isNull()) {
            var latest = new Latest<>(text -> test(at, kind, text, escapeChar));
            return new Typed.Apply(
                    type,
                    function(
                            kind,
                            (a, run) -> {
                                boolean raw = isRaw(a[1]);
                                return Value.bool(
                                        latest.of(letters(a[1], raw))
                                                .holds(letters(a[0], raw), run));
                            }),
                    List.of(operand, pattern));
        }
        // A constant pattern is compiled once.
        boolean raw = isRaw(value);
        String text = letters(value, raw);
        Test test;
        try {
            test = test(at, kind, text, escapeChar);
        } catch (StatusException failure) {
            if (!isRegex(kind)) {
                throw failure;
            }
            // The error is reported only when a row is matched.
            Test failing = (given, run) -> test(at, kind, text, escapeChar).holds(given, run);
            ScalarFunction function =
                    function(kind, (a, run) -> Value.bool(failing.holds(letters(a[0], raw), run)));
            return new Typed.Apply(type, new ScalarFunction.Refusing(function), List.of(operand));
        }
        Typed matches =
                new Typed.Apply(
                        type,
                        function(kind, (a, run) -> Value.bool(test.holds(letters(a[0], raw), run))),
                        List.of(operand));
        return kind == MatchKind.LIKE && operand instanceof Typed.Input
                ? withRange(at, operand, Wildcards.like(text, escapeChar).prefix(), raw, matches)
                : matches;
    }

    /// The result is NULL if an argument is NULL, except that a regular expression, which in YDB is
    /// a module function, does not match a NULL value.
    private static ScalarFunction function(MatchKind kind, ScalarFunction.RunBody body) {
        if (!isRegex(kind)) {
            return ScalarFunction.strictLong(kind.name(), body);
        }
        return ScalarFunction.ofLong(
                kind.name(),
                (a, run) -> {
                    if (a[0].isNull()) {
                        return Value.bool(false);
                    }
                    return a.length > 1 && a[1].isNull() ? Value.Null.NULL : body.apply(a, run);
                });
    }

    private static boolean isRegex(MatchKind kind) {
        return kind == MatchKind.REGEXP || kind == MatchKind.MATCH;
    }

    /// Whether the pattern has bytes that are not valid UTF-8. Each byte is then one character.
    private static boolean isRaw(Value pattern) {
        return pattern instanceof Value.Binary(Bytes bytes) && ValueParser.utf8(bytes).isEmpty();
    }

    private static String letters(Value value, boolean raw) {
        return raw ? Texts.letters(Primitive.STRING, value) : Texts.of(value);
    }

    private static Test test(
            Position at, MatchKind kind, String pattern, Optional<Character> escape) {
        return switch (kind) {
            case LIKE -> like(at, pattern, escape)::matches;
            case ILIKE -> {
                Wildcards folded = like(at, Wildcards.fold(pattern), escape);
                yield (text, run) -> folded.matches(Wildcards.fold(text), run);
            }
            case GLOB -> Wildcards.glob(pattern)::matches;
            case REGEXP -> Regex.compile(at, pattern)::found;
            case MATCH -> Regex.compile(at, pattern)::matches;
        };
    }

    private static Wildcards like(Position at, String pattern, Optional<Character> escape) {
        try {
            return Wildcards.like(pattern, escape);
        } catch (IllegalArgumentException e) {
            throw new StatusException(Status.GENERIC_ERROR, "Invalid LIKE pattern: " + pattern, at);
        }
    }

    private static Typed withRange(
            Position at, Typed operand, String prefix, boolean raw, Typed matches) {
        Type type = operand.type().unwrapped();
        // A Utf8 value cannot contain such bytes, so there is no range.
        if (prefix.isEmpty() || (raw && type == Primitive.UTF8)) {
            return matches;
        }
        Typed from = bound(type, prefix, raw);
        int last = prefix.codePointBefore(prefix.length());
        String head = prefix.substring(0, prefix.length() - Character.charCount(last));
        Typed low = Predicates.compare(at, Comparison.GREATER_OR_EQUAL, operand, from);
        // The upper bound replaces the last letter by the next one, if that one can be written.
        if (last >= (raw ? 0xFF : 0xD7FF)) {
            return Predicates.and(List.of(low, matches));
        }
        Typed to = bound(type, head + Character.toString(last + 1), raw);
        return Predicates.and(
                List.of(low, Predicates.compare(at, Comparison.LESS, operand, to), matches));
    }

    private static Typed bound(Type type, String letters, boolean raw) {
        Value value = raw ? Texts.ofLetters(type, letters) : Texts.value(type, letters);
        return new Typed.Constant(type, value);
    }

    private static char escapeChar(Position at, Typed escape) {
        if (escape instanceof Typed.Constant(_, Value value)
                && (value instanceof Value.Binary || value instanceof Value.Text)
                && Texts.of(value).length() == 1) {
            return Texts.of(value).charAt(0);
        }
        throw Errors.type(at, "ESCAPE clause requires single character argument");
    }

    private static boolean mayBeNull(Typed typed) {
        return typed.type().isOptional() || typed.type() == Type.Unit.NULL;
    }

    private static void requireString(Position at, Typed typed) {
        Type type = typed.type().unwrapped();
        if (type != Primitive.STRING && type != Primitive.UTF8 && type != Type.Unit.NULL) {
            throw Errors.type(
                    at, "Expected String or Utf8 to match, but got: " + typed.type().text());
        }
    }
}
