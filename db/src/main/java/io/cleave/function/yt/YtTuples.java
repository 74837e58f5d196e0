package io.cleave.function.yt;

import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.error.YtError;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// IN, BETWEEN and TRANSFORM, which compare one or several expressions with literals. NULL equals
/// NULL and is less than any value, whatever the query says about comparisons.
public final class YtTuples {
    private static final Type BOOL = Primitive.BOOL;

    /// A BETWEEN with at most this many ranges becomes comparisons.
    private static final int MAX_COMPARED_RANGES = 16;

    private YtTuples() {}

    /// A range of tuples. A bound that is shorter than the tuple includes everything that begins
    /// with it.
    public record LiteralRange(List<YtLiteral> from, List<YtLiteral> to) {
        public LiteralRange {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }
    }

    private record Bounds(List<Value> from, List<Value> to) {}

    /// `operands IN rows`; each row has one literal for each operand.
    public static UntypedExpression in(
            List<UntypedExpression> operands, List<List<YtLiteral>> rows, String source) {
        List<Typed> typed = typed(operands);
        List<YtType> types = types(typed);
        for (YtType type : types) {
            if (type == YtType.ANY) {
                throw YtQueryErrors.error("Cannot use expression of type \"any\" with IN operator")
                        .with("source", source)
                        .exception();
            }
        }
        var values = new ArrayList<List<Value>>();
        for (List<YtLiteral> row : rows) {
            requireWidth(row.size() == types.size(), source);
            values.add(row(row, types, source));
        }
        return bool(in(typed, types, values));
    }

    private static Typed in(List<Typed> operands, List<YtType> types, List<List<Value>> rows) {
        if (rows.isEmpty()) {
            return constant(false);
        }
        boolean indexed =
                types.stream().allMatch(YtTuples::isPlain)
                        && (operands.size() == 1
                                || operands.stream().noneMatch(YtComparison::mayBeNull));
        if (!indexed) {
            Set<List<Value>> set = new HashSet<>();
            rows.forEach(row -> set.add(normalized(row)));
            return new Typed.Apply(
                    BOOL,
                    ScalarFunction.of(
                            "IN", a -> Value.bool(set.contains(normalized(Arrays.asList(a))))),
                    operands);
        }
        List<List<Value>> known =
                rows.stream().filter(row -> row.stream().noneMatch(Value::isNull)).toList();
        boolean hasNull = known.size() < rows.size();
        Typed operand =
                operands.size() == 1
                        ? operands.getFirst()
                        : new Typed.ItemsOf(tuple(types), operands);
        boolean mayBeNull = operands.size() == 1 && YtComparison.mayBeNull(operand);
        if (known.isEmpty()) {
            return mayBeNull ? YtCoreFunctions.isNull(operand) : constant(false);
        }
        Type itemType = operands.size() == 1 ? types.getFirst().type() : tuple(types);
        List<Value> items =
                known.stream()
                        .map(row -> row.size() == 1 ? row.getFirst() : Value.items(row))
                        .toList();
        Typed collection = new Typed.Constant(new Type.ListOf(itemType), Value.items(items));
        Typed in = new Typed.In(mayBeNull ? BOOL.optional() : BOOL, operand, collection, false);
        return mayBeNull ? new Typed.Coalesce(BOOL, List.of(in, constant(hasNull))) : in;
    }

    private static Type tuple(List<YtType> types) {
        return new Type.Tuple(types.stream().map(YtType::type).toList());
    }

    /// `operands BETWEEN` one or several ranges.
    public static UntypedExpression between(
            List<UntypedExpression> operands, List<LiteralRange> ranges, String source) {
        List<Typed> typed = typed(operands);
        List<YtType> types = types(typed);
        var all = new ArrayList<Bounds>();
        for (LiteralRange range : ranges) {
            requireWidth(range.from().size() <= types.size(), source);
            requireWidth(range.to().size() <= types.size(), source);
            var bounds =
                    new Bounds(row(range.from(), types, source), row(range.to(), types, source));
            if (compare(types, bounds.from(), bounds.to()) > 0) {
                throw YtQueryErrors.error("Lower bound is greater than upper").exception();
            }
            all.add(bounds);
        }
        all.sort((l, r) -> compareWhole(types, l.from(), r.from()));
        for (int index = 1; index < all.size(); index++) {
            if (compare(types, all.get(index - 1).to(), all.get(index).from()) >= 0) {
                throw YtQueryErrors.error("Ranges are not disjoint").exception();
            }
        }
        return bool(between(typed, types, all));
    }

    private static Typed between(List<Typed> operands, List<YtType> types, List<Bounds> ranges) {
        boolean simple =
                operands.size() == 1
                        && isPlain(types.getFirst())
                        && ranges.size() <= MAX_COMPARED_RANGES
                        && ranges.stream()
                                .allMatch(r -> r.from().size() == 1 && r.to().size() == 1);
        if (!simple) {
            return new Typed.Apply(
                    BOOL,
                    ScalarFunction.refusing(
                            "BETWEEN", a -> Value.bool(isInside(types, Arrays.asList(a), ranges))),
                    operands);
        }
        Typed operand = operands.getFirst();
        YtType type = types.getFirst();
        var terms = new ArrayList<Typed>();
        for (Bounds range : ranges) {
            YtTypes.requireSmall(operand);
            Typed from = literal(type, range.from().getFirst());
            Typed to = literal(type, range.to().getFirst());
            terms.add(
                    new Typed.And(
                            BOOL,
                            List.of(
                                    YtComparison.of(Comparison.GREATER_OR_EQUAL, operand, from),
                                    YtComparison.of(Comparison.LESS_OR_EQUAL, operand, to))));
        }
        if (terms.isEmpty()) {
            return constant(false);
        }
        return terms.size() == 1 ? terms.getFirst() : new Typed.Or(BOOL, terms);
    }

    /// The ranges are sorted and disjoint.
    private static boolean isInside(List<YtType> types, List<Value> row, List<Bounds> ranges) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(types, ranges.get(middle).to(), row) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < ranges.size() && compare(types, ranges.get(low).from(), row) <= 0;
    }

    /// `TRANSFORM(operands, from, to, otherwise)`: the value of `to` at the place where the
    /// operands are in `from`; otherwise the last argument, which may be missing.
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

    /// Compares the values that both rows have.
    private static int compare(List<YtType> types, List<Value> left, List<Value> right) {
        for (int index = 0; index < Math.min(left.size(), right.size()); index++) {
            YtType type = types.get(index);
            int order = YtComparison.order(type, left.get(index), type, right.get(index));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int compareWhole(List<YtType> types, List<Value> left, List<Value> right) {
        int order = compare(types, left, right);
        return order != 0 ? order : Integer.compare(left.size(), right.size());
    }

    /// Both zeros of doubles are equal.
    private static List<Value> normalized(List<Value> row) {
        var normalized = new ArrayList<Value>(row.size());
        for (Value value : row) {
            normalized.add(value instanceof Value.Real(double real) ? Value.of(real + 0.0) : value);
        }
        return normalized;
    }

    private static boolean isPlain(YtType type) {
        return switch (type) {
            case INT64, UINT64, BOOLEAN, STRING -> true;
            case NULL, DOUBLE, ANY -> false;
        };
    }

    private static Typed literal(YtType type, Value value) {
        return new YtLiteral(value.isNull() ? YtType.NULL : type, value).typed(type);
    }

    private static Typed constant(boolean value) {
        return new Typed.Constant(BOOL, Value.bool(value));
    }

    private static UntypedExpression bool(Typed expression) {
        return UntypedExpression.of(EnumSet.of(YtType.BOOLEAN), _ -> expression);
    }
}
