package io.cleave.function.yt;

import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.error.YtError;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// TRANSFORM, which looks up one or several expressions in a table of literals. NULL equals NULL,
/// whatever the query says about comparisons.
public final class YtTuples {
    private static final Type BOOL = Primitive.BOOL;

    private YtTuples() {}

    /// `TRANSFORM(operands, from, to, otherwise)`: the value of `to` at the position where `from`
    /// has the operands. If `from` does not have them, the result is the last argument, which is
    /// optional.
    public static UntypedExpression transform(
            List<UntypedExpression> operands,
            List<List<YtLiteral>> from,
            List<YtLiteral> to,
            @Nullable UntypedExpression otherwise,
            String source) {
        List<Typed> typed = typed(operands);
        List<YtType> types = types(typed);
        if (from.size() != to.size()) {
            throw YtQueryErrors.error(
                            "Size mismatch for source and result arrays in TRANSFORM operator")
                    .with("source", source)
                    .exception();
        }
        Set<YtType> results = EnumSet.allOf(YtType.class);
        for (YtLiteral literal : to) {
            if (!Signature.unify(results, literal.types())) {
                throw mismatch(literal.types(), results, source).exception();
            }
        }
        if (otherwise != null && !Signature.unify(results, otherwise.types())) {
            throw YtQueryErrors.error(
                            "Type mismatch in default expression: expected \"%s\", got \"%s\""
                                    .formatted(
                                            YtType.text(results), YtType.text(otherwise.types())))
                    .with("source", source)
                    .exception();
        }
        YtType result = results.iterator().next();
        Map<List<Value>, Value> table = new HashMap<>();
        for (int index = 0; index < from.size(); index++) {
            requireWidth(from.get(index).size() == types.size(), source);
            Value value = to.get(index).as(result);
            table.putIfAbsent(normalized(row(from.get(index), types, source)), value);
        }
        Type type = result.type().optional();
        Typed found =
                new Typed.Apply(
                        type,
                        ScalarFunction.of(
                                "TRANSFORM",
                                a ->
                                        table.getOrDefault(
                                                normalized(Arrays.asList(a)), Value.Null.NULL)),
                        typed);
        if (otherwise == null) {
            return UntypedExpression.of(EnumSet.of(result), _ -> found);
        }
        Typed isKnown =
                new Typed.Apply(
                        BOOL,
                        ScalarFunction.of(
                                "IN",
                                a -> Value.bool(table.containsKey(normalized(Arrays.asList(a))))),
                        typed);
        typed.forEach(YtTypes::requireSmall);
        // The default is evaluated only where it is needed, because it may fail.
        Typed choice =
                new Typed.Choose(
                        type, List.of(new Typed.Branch(isKnown, found)), otherwise.as(result));
        return UntypedExpression.of(EnumSet.of(result), _ -> choice);
    }

    private static List<Typed> typed(List<UntypedExpression> operands) {
        return operands.stream().map(UntypedExpression::typed).toList();
    }

    private static List<YtType> types(List<Typed> operands) {
        return operands.stream().map(operand -> YtType.of(operand.type())).toList();
    }

    /// The literals as the types of the operands.
    private static List<Value> row(List<YtLiteral> literals, List<YtType> types, String source) {
        var row = new ArrayList<Value>();
        for (int index = 0; index < literals.size(); index++) {
            YtLiteral literal = literals.get(index);
            YtType type = types.get(index);
            boolean fits =
                    literal.value().isNull()
                            || literal.type() == type
                            || (literal.type().isNumber() && type.isNumber());
            if (!fits) {
                throw mismatch(EnumSet.of(literal.type()), EnumSet.of(type), source).exception();
            }
            row.add(literal.as(type));
        }
        return row;
    }

    private static YtError mismatch(Set<YtType> actual, Set<YtType> expected, String source) {
        return YtQueryErrors.error("Types mismatch in tuple")
                .with("source", source)
                .with("actual_type", YtType.text(actual))
                .with("expected_type", YtType.text(expected));
    }

    private static void requireWidth(boolean fits, String source) {
        if (!fits) {
            throw YtQueryErrors.error("Arguments size mismatch in tuple")
                    .with("source", source)
                    .exception();
        }
    }

    /// Makes both zeros of doubles equal.
    private static List<Value> normalized(List<Value> row) {
        var normalized = new ArrayList<Value>(row.size());
        for (Value value : row) {
            normalized.add(value instanceof Value.Real(double real) ? Value.of(real + 0.0) : value);
        }
        return normalized;
    }
}
