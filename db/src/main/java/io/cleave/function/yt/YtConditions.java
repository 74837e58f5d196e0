package io.cleave.function.yt;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.function.text.Wildcards;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// CASE, CAST and the LIKE family.
public final class YtConditions {
    /// LIKE and ILIKE have wildcards; REGEXP and RLIKE are both a regular expression that must
    /// match the whole text.
    public enum MatchKind {
        LIKE,
        ILIKE,
        REGEXP
    }

    /// `WHEN condition THEN result`. With an operand, the condition is a value to compare it with.
    public record When(UntypedExpression condition, UntypedExpression result) {}

    @FunctionalInterface
    private interface Test {
        boolean matches(Bytes text, ScalarFunction.Run run);
    }

    private YtConditions() {}

    /// `CASE [operand] WHEN … THEN … [ELSE otherwise] END`.
    public static UntypedExpression choice(
            YtOperators operators,
            @Nullable UntypedExpression operand,
            List<When> branches,
            @Nullable UntypedExpression otherwise,
            String source) {
        Set<YtType> conditions =
                operand == null ? EnumSet.of(YtType.BOOLEAN) : EnumSet.copyOf(operand.types());
        Set<YtType> results = EnumSet.allOf(YtType.class);
        for (When when : branches) {
            unify("CASE WHEN", conditions, when.condition(), source);
        }
        for (When when : branches) {
            unify("CASE THEN/ELSE", results, when.result(), source);
        }
        if (otherwise != null) {
            unify("CASE THEN/ELSE", results, otherwise, source);
        }
        YtType conditionType = conditions.iterator().next();
        YtType resultType = results.iterator().next();
        Type type = resultType.type().optional();
        var typed = new ArrayList<Typed.Branch>();
        for (When when : branches) {
            Typed condition = when.condition().as(conditionType);
            if (operand != null) {
                Typed compared = operand.as(conditionType);
                YtTypes.requireSmall(compared);
                condition = operators.compared(Comparison.EQUAL, compared, condition);
            }
            typed.add(new Typed.Branch(condition, when.result().as(resultType)));
        }
        Typed last =
                otherwise == null
                        ? new Typed.Constant(type, Value.Null.NULL)
                        : otherwise.as(resultType);
        Typed choice = new Typed.Choose(type, typed, last);
        return UntypedExpression.of(EnumSet.of(resultType), _ -> choice);
    }

    private static void unify(
            String where, Set<YtType> types, UntypedExpression expression, String source) {
        if (!Signature.unify(types, expression.types())) {
            throw YtQueryErrors.error("Types mismatch in " + where + " expression")
                    .with("source", source)
                    .with("actual_type", YtType.text(expression.types()))
                    .with("expected_type", YtType.text(types))
                    .exception();
        }
    }

    /// `CAST(operand AS type)`.
    public static UntypedExpression cast(UntypedExpression operand, YtType type) {
        Typed cast =
                operand.types().contains(type)
                        ? operand.as(type)
                        : YtCasts.cast(operand.typed(), type);
        return UntypedExpression.of(EnumSet.of(type), _ -> cast);
    }

    /// `operand IS NULL`.
    public static UntypedExpression isNull(UntypedExpression operand) {
        return YtFunctions.call("is_null", List.of(operand), "");
    }

    /// `text LIKE pattern [ESCAPE escape]`. NULL if an operand is NULL.
    public static UntypedExpression match(
            MatchKind kind,
            UntypedExpression text,
            UntypedExpression pattern,
            @Nullable UntypedExpression escape,
            String source) {
        if (kind == MatchKind.REGEXP && escape != null) {
            throw YtQueryErrors.error("ESCAPE should not be used together with REGEXP (RLIKE)")
                    .with("source", source)
                    .exception();
        }
        Typed typedText = string(text, "LIKE matched value", source);
        Typed typedPattern = string(pattern, "LIKE pattern", source);
        @Nullable Typed typedEscape =
                escape == null ? null : string(escape, "escape character", source);
        boolean optional =
                YtComparison.mayBeNull(typedText)
                        || YtComparison.mayBeNull(typedPattern)
                        || (typedEscape != null && YtComparison.mayBeNull(typedEscape));
        Type type = optional ? Primitive.BOOL.optional() : Primitive.BOOL;
        Typed node = node(kind, type, typedText, typedPattern, typedEscape);
        return UntypedExpression.of(EnumSet.of(YtType.BOOLEAN), _ -> node);
    }

    private static Typed string(UntypedExpression expression, String name, String source) {
        if (!expression.types().contains(YtType.STRING)) {
            throw YtQueryErrors.error("Types mismatch in " + name)
                    .with("source", source)
                    .with("actual_type", YtType.text(expression.types()))
                    .with("expected_type", YtType.STRING.text())
                    .exception();
        }
        return expression.as(YtType.STRING);
    }

    private static Typed node(
            MatchKind kind, Type type, Typed text, Typed pattern, @Nullable Typed escape) {
        boolean fixedEscape = escape == null || escape instanceof Typed.Constant;
        if (pattern instanceof Typed.Constant(_, Value.Binary(Bytes known)) && fixedEscape) {
            Value escapeValue = escape instanceof Typed.Constant(_, Value v) ? v : Value.Null.NULL;
            if (escape != null && escapeValue.isNull()) {
                return new Typed.Constant(Primitive.BOOL.optional(), Value.Null.NULL);
            }
            // A constant pattern is compiled once, and the kernel for LIKE takes one argument.
            Test test = compiled(kind, known, escapeValue);
            return new Typed.Apply(
                    type,
                    ScalarFunction.strictLong(
                            kind.name(),
                            (a, run) -> Value.bool(test.matches(YtArithmetic.bytes(a[0]), run))),
                    List.of(text));
        }
        ScalarFunction.RunBody body =
                (a, run) -> {
                    if (Arrays.stream(a).anyMatch(Value::isNull)) {
                        return Value.Null.NULL;
                    }
                    Value escapeValue = a.length > 2 ? a[2] : Value.Null.NULL;
                    Test test = test(kind, YtArithmetic.bytes(a[1]), escapeValue);
                    return Value.bool(test.matches(YtArithmetic.bytes(a[0]), run));
                };
        return new Typed.Apply(
                type,
                ScalarFunction.refusing(kind.name(), body),
                escape == null ? List.of(text, pattern) : List.of(text, pattern, escape));
    }

    /// A mistake in a constant pattern is a mistake in the query.
    private static Test compiled(MatchKind kind, Bytes pattern, Value escape) {
        try {
            return test(kind, pattern, escape);
        } catch (StatusException failed) {
            throw YtQueryErrors.error(failed.issues().getFirst().message()).exception();
        }
    }

    private static Test test(MatchKind kind, Bytes pattern, Value escape) {
        if (kind == MatchKind.REGEXP) {
            return YtRegex.compile(pattern)::matches;
        }
        char escapeCharacter = escapeCharacter(escape);
        // Bytes that are not UTF-8 are one character each.
        boolean utf8 = Utf8Bytes.firstInvalid(pattern) < 0;
        Wildcards letters = utf8 ? wildcards(kind, pattern.utf8(), escapeCharacter) : null;
        Wildcards bytes = wildcards(kind, latin1(pattern), escapeCharacter);
        return (text, run) -> {
            boolean asLetters = letters != null && Utf8Bytes.firstInvalid(text) < 0;
            String characters = asLetters ? text.utf8() : latin1(text);
            Wildcards wildcards = asLetters && letters != null ? letters : bytes;
            return wildcards.matches(
                    kind == MatchKind.ILIKE ? Wildcards.fold(characters) : characters, run);
        };
    }

    private static char escapeCharacter(Value escape) {
        if (escape.isNull()) {
            return '\\';
        }
        Bytes bytes = YtArithmetic.bytes(escape);
        if (bytes.length() > 1) {
            throw YtQueryErrors.failure("Escape string must be empty or one character");
        }
        return bytes.isEmpty() ? '\0' : (char) (bytes.at(0) & 0xFF);
    }

    private static Wildcards wildcards(MatchKind kind, String pattern, char escape) {
        try {
            return Wildcards.like(
                    kind == MatchKind.ILIKE ? Wildcards.fold(pattern) : pattern,
                    Optional.of(
                            kind == MatchKind.ILIKE
                                    ? Wildcards.fold(Character.toString(escape)).charAt(0)
                                    : escape));
        } catch (IllegalArgumentException _) {
            throw YtQueryErrors.failure("Incomplete escape sequence at the end of LIKE pattern");
        }
    }

    private static String latin1(Bytes bytes) {
        return new String(bytes.array(), StandardCharsets.ISO_8859_1);
    }
}
