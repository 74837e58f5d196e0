package io.cleave.ytql;

import io.cleave.function.yt.UntypedExpression;
import io.cleave.function.yt.YtBinaryOperator;
import io.cleave.function.yt.YtLiteral;
import io.cleave.function.yt.YtOperators;
import io.cleave.function.yt.YtType;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.error.YtError;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// IN and BETWEEN: search a list of literals for a tuple of values. NULL is an ordinary value here:
/// it is found if the list contains it. Key ranges are derived from the nodes that this class
/// makes.
final class YtMembership {
    private static final Type BOOL = Primitive.BOOL;
    private static final Type MAYBE = new Type.Optional(Primitive.BOOL);

    /// In BETWEEN, NULL is the least value, whatever the options of a query say.
    private static final YtOperators OPERATORS = new YtOperators(YtOperators.NullRelations.LEAST);

    private YtMembership() {}

    static UntypedExpression in(List<Typed> operands, List<List<YtLiteral>> tuples, String source) {
        for (Typed operand : operands) {
            if (YtType.of(operand.type()) == YtType.ANY) {
                throw error("Cannot use expression of type \"any\" with IN operator", source)
                        .exception();
            }
        }
        List<Value> complete = new ArrayList<>();
        List<Typed> found = new ArrayList<>();
        for (List<YtLiteral> tuple : tuples) {
            List<Value> values = values(operands, tuple, source);
            if (values.contains(Value.Null.NULL)) {
                found.add(equals(operands, values));
            } else {
                complete.add(operands.size() == 1 ? values.getFirst() : Value.items(values));
            }
        }
        if (!complete.isEmpty()) {
            found.addFirst(search(operands, complete));
        }
        return switch (found.size()) {
            case 0 -> UntypedExpression.bool(false);
            case 1 -> UntypedExpression.of(found.getFirst());
            default -> UntypedExpression.of(new Typed.Or(BOOL, found));
        };
    }

    /// The values of a tuple: one for each operand, with the type of the operand.
    private static List<Value> values(List<Typed> operands, List<YtLiteral> tuple, String source) {
        if (tuple.size() != operands.size()) {
            throw error("Arguments size mismatch in tuple", source).exception();
        }
        return prefix(operands, tuple, source);
    }

    private static List<Value> prefix(List<Typed> operands, List<YtLiteral> tuple, String source) {
        List<Value> values = new ArrayList<>();
        for (int index = 0; index < tuple.size(); index++) {
            YtLiteral literal = tuple.get(index);
            YtType type = YtType.of(operands.get(index).type());
            boolean numbers = literal.type().isNumber() && type.isNumber();
            if (!literal.value().isNull() && literal.type() != type && !numbers) {
                throw error("Types mismatch in tuple", source)
                        .with("actual_type", literal.type().text())
                        .with("expected_type", type.text())
                        .exception();
            }
            values.add(literal.value().isNull() ? literal.value() : literal.as(type));
        }
        return values;
    }

    private static Typed search(List<Typed> operands, List<Value> values) {
        List<Type> types = operands.stream().map(operand -> operand.type().unwrapped()).toList();
        boolean one = operands.size() == 1;
        Typed operand =
                one
                        ? operands.getFirst()
                        : new Typed.ItemsOf(
                                new Type.Tuple(operands.stream().map(Typed::type).toList()),
                                operands);
        Type itemType = one ? types.getFirst() : new Type.Tuple(types);
        return found(
                operand,
                new Typed.Constant(new Type.ListOf(itemType), Value.items(List.copyOf(values))),
                operands.stream().anyMatch(each -> each.type().isOptional()));
    }

    /// Whether a value is in a list that has no NULL.
    static Typed found(Typed operand, Typed list, boolean optional) {
        Typed in = new Typed.In(optional ? MAYBE : BOOL, operand, list, false);
        return optional ? orFalse(in) : in;
    }

    private static Typed orFalse(Typed predicate) {
        return new Typed.Coalesce(
                BOOL, List.of(predicate, new Typed.Constant(BOOL, Value.bool(false))));
    }

    /// Whether the operands equal these values, some of which are NULL.
    private static Typed equals(List<Typed> operands, List<Value> values) {
        List<Typed> terms = new ArrayList<>();
        for (int index = 0; index < operands.size(); index++) {
            Typed operand = operands.get(index);
            Value value = values.get(index);
            boolean optional = operand.type().isOptional();
            if (value.isNull()) {
                terms.add(
                        optional
                                ? new Typed.IsNull(BOOL, operand)
                                : new Typed.Constant(BOOL, Value.bool(false)));
                continue;
            }
            Typed constant = new Typed.Constant(operand.type().unwrapped(), value);
            Typed equal =
                    new Typed.Compare(optional ? MAYBE : BOOL, Comparison.EQUAL, operand, constant);
            terms.add(optional ? orFalse(equal) : equal);
        }
        return terms.size() == 1 ? terms.getFirst() : new Typed.And(BOOL, terms);
    }

    static UntypedExpression between(
            List<Typed> operands, List<YtExpression.Range> ranges, String source) {
        checkDisjoint(operands, ranges, source);
        List<UntypedExpression> untyped = operands.stream().map(UntypedExpression::of).toList();
        List<Typed> found = new ArrayList<>();
        for (YtExpression.Range range : ranges) {
            Typed above = bound(YtBinaryOperator.GREATER_OR_EQUAL, untyped, range.lower(), source);
            Typed below = bound(YtBinaryOperator.LESS_OR_EQUAL, untyped, range.upper(), source);
            found.add(new Typed.And(BOOL, List.of(above, below)));
        }
        return UntypedExpression.of(
                found.size() == 1 ? found.getFirst() : new Typed.Or(BOOL, found));
    }

    private static Typed bound(
            YtBinaryOperator comparison,
            List<UntypedExpression> operands,
            List<YtLiteral> bound,
            String source) {
        return OPERATORS
                .relation(
                        comparison,
                        operands.subList(0, bound.size()),
                        bound.stream().map(UntypedExpression::of).toList(),
                        source)
                .as(YtType.BOOLEAN);
    }

    private static void checkDisjoint(
            List<Typed> operands, List<YtExpression.Range> ranges, String source) {
        List<List<Value>> lowers = new ArrayList<>();
        List<List<Value>> uppers = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        for (YtExpression.Range range : ranges) {
            int widest = Math.max(range.lower().size(), range.upper().size());
            if (widest > operands.size()) {
                throw error("Arguments size mismatch in tuple", source).exception();
            }
            List<Value> lower = prefix(operands, range.lower(), source);
            List<Value> upper = prefix(operands, range.upper(), source);
            if (compare(operands, lower, upper) > 0) {
                throw error("Lower bound is greater than upper", source).exception();
            }
            order.add(lowers.size());
            lowers.add(lower);
            uppers.add(upper);
        }
        order.sort(
                Comparator.comparing(lowers::get, (left, right) -> compare(operands, left, right)));
        for (int index = 1; index < order.size(); index++) {
            List<Value> before = uppers.get(order.get(index - 1));
            if (compare(operands, before, lowers.get(order.get(index))) >= 0) {
                throw error("Ranges are not disjoint", source).exception();
            }
        }
    }

    /// Compares the items up to the length of the shorter list.
    private static int compare(List<Typed> operands, List<Value> left, List<Value> right) {
        for (int index = 0; index < Math.min(left.size(), right.size()); index++) {
            Type type = operands.get(index).type().unwrapped();
            int order = Order.compare(type, left.get(index), right.get(index));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static YtError error(String message, String source) {
        return YtExpressionTyping.error(message).with("source", source);
    }
}
