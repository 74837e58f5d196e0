package io.cleave.ytql;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.function.text.Regex;
import io.cleave.function.text.Wildcards;
import io.cleave.function.yt.UntypedExpression;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// LIKE, ILIKE and REGEXP. The result is NULL if an operand is NULL.
final class YtMatching {
    private static final Position NOWHERE = new Position(0, 0);

    private YtMatching() {}

    @FunctionalInterface
    private interface Test {
        boolean holds(String text, ScalarFunction.Run run);
    }

    static UntypedExpression of(
            YtExpression.Match match, Typed text, Typed pattern, Optional<Typed> escape) {
        List<Typed> operands = new ArrayList<>(List.of(text));
        boolean known = isKnown(pattern) && escape.stream().allMatch(YtMatching::isKnown);
        if (!known) {
            operands.add(pattern);
            escape.ifPresent(operands::add);
        }
        boolean optional = operands.stream().anyMatch(operand -> operand.type().isOptional());
        Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
        if (known) {
            Test test = test(match, value(pattern), escape.map(YtMatching::value));
            return UntypedExpression.of(
                    new Typed.Apply(
                            type,
                            ScalarFunction.strictLong(
                                    match.words,
                                    (a, run) -> Value.bool(test.holds(text(a[0]), run))),
                            operands));
        }
        ScalarFunction function =
                ScalarFunction.strictLong(
                        match.words,
                        (a, run) -> {
                            Optional<String> given =
                                    a.length > 2 ? Optional.of(text(a[2])) : Optional.empty();
                            return Value.bool(
                                    test(match, text(a[1]), given).holds(text(a[0]), run));
                        });
        return UntypedExpression.of(
                new Typed.Apply(type, new ScalarFunction.Refusing(function), operands));
    }

    private static boolean isKnown(Typed operand) {
        return operand instanceof Typed.Constant(_, Value value) && !value.isNull();
    }

    private static String value(Typed constant) {
        return text(((Typed.Constant) constant).value());
    }

    private static String text(Value value) {
        return value instanceof Value.Binary(Bytes bytes) ? bytes.utf8() : "";
    }

    private static Test test(
            YtExpression.Match match, String pattern, Optional<String> escape) {
        Optional<Character> escapeChar = escape.flatMap(YtMatching::escapeChar);
        try {
            return switch (match) {
                case LIKE -> Wildcards.like(pattern, orBackslash(escape, escapeChar))::matches;
                case ILIKE -> {
                    Wildcards folded =
                            Wildcards.like(
                                    Wildcards.fold(pattern), orBackslash(escape, escapeChar));
                    yield (text, run) -> folded.matches(Wildcards.fold(text), run);
                }
                case REGEXP -> Regex.compile(NOWHERE, pattern)::found;
            };
        } catch (IllegalArgumentException e) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Incomplete escape sequence at the end of LIKE pattern \"%s\""
                            .formatted(pattern));
        } catch (StatusException e) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Error parsing regular expression \"%s\"".formatted(pattern));
        }
    }

    /// A backslash escapes unless the query says otherwise.
    private static Optional<Character> orBackslash(
            Optional<String> escape, Optional<Character> escapeChar) {
        return escape.isPresent() ? escapeChar : Optional.of('\\');
    }

    /// Empty if nothing escapes.
    private static Optional<Character> escapeChar(String escape) {
        if (escape.length() > 1) {
            throw new YtException(
                    YtCodes.GENERIC, "Escape string must be empty or one character long");
        }
        return escape.isEmpty() ? Optional.empty() : Optional.of(escape.charAt(0));
    }
}
