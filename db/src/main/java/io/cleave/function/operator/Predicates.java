package io.cleave.function.operator;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Alignment;
import io.cleave.function.call.Dialect;
import io.cleave.function.call.Texts;
import io.cleave.function.time.UtcMoments;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.typed.TypedTree;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.BinaryOperator;

import java.util.ArrayList;
import java.util.List;

/// Comparisons, logical operators, IN and BETWEEN.
public final class Predicates {
    private static final Primitive BOOL = Primitive.BOOL;
    private static final Type MAYBE = BOOL.optional();

    private Predicates() {}

    public static Typed compare(Position at, BinaryOperator operator, Typed left, Typed right) {
        Comparison comparison =
                switch (operator) {
                    case EQUAL -> Comparison.EQUAL;
                    case NOT_EQUAL -> Comparison.NOT_EQUAL;
                    case LESS -> Comparison.LESS;
                    case LESS_OR_EQUAL -> Comparison.LESS_OR_EQUAL;
                    case GREATER -> Comparison.GREATER;
                    case GREATER_OR_EQUAL -> Comparison.GREATER_OR_EQUAL;
                    default -> throw new IllegalArgumentException(operator.text());
                };
        return compare(at, comparison, left, right);
    }

    public static Typed compare(Position at, Comparison comparison, Typed left, Typed right) {
        if (left.type() == Type.Unit.NULL || right.type() == Type.Unit.NULL) {
            return new Typed.Constant(MAYBE, Value.Null.NULL);
        }
        Typed l = UtcMoments.of(Alignment.align(left, right.type()));
        Typed r = UtcMoments.of(Alignment.align(right, left.type()));
        boolean ordering = comparison != Comparison.EQUAL && comparison != Comparison.NOT_EQUAL;
        if (!Order.isEquatable(l.type(), r.type()) || (ordering && !Order.isOrdered(l.type()))) {
            throw notComparable(at, left.type(), right.type());
        }
        if (l.type() instanceof Type.Unit) {
            boolean orEqual =
                    switch (comparison) {
                        case EQUAL, LESS_OR_EQUAL, GREATER_OR_EQUAL -> true;
                        case NOT_EQUAL, LESS, GREATER -> false;
                    };
            return new Typed.Constant(BOOL, Value.bool(orEqual));
        }
        boolean optional = mayBeNull(l.type()) || mayBeNull(r.type());
        return new Typed.Compare(optional ? MAYBE : BOOL, comparison, l, r);
    }

    public static void requireOrdered(Position at, Type type) {
        if (!Order.isOrdered(type)) {
            throw Errors.type(at, "Expected comparable type, but got: " + type.text());
        }
    }

    public static void requireComparable(Position at, Type left, Type right) {
        if (!Order.isComparable(left, right)) {
            throw notComparable(at, left, right);
        }
    }

    private static StatusException notComparable(Position at, Type left, Type right) {
        return Errors.type(at, "Can't compare %s with %s".formatted(left.text(), right.text()));
    }

    /// Whether a comparison of values of the type can encounter a NULL.
    private static boolean mayBeNull(Type type) {
        return switch (type) {
            case Type.Optional _ -> true;
            case Type.Tuple(List<Type> items) -> items.stream().anyMatch(Predicates::mayBeNull);
            case Type.Struct(List<Type.Member> members) ->
                    members.stream().anyMatch(m -> mayBeNull(m.type()));
            case Type.ListOf(Type item) -> mayBeNull(item);
            case Type.Dict(_, Type payload) -> mayBeNull(payload);
            default -> type == Type.Unit.NULL;
        };
    }

    /// Checks that the term is a Bool or an Optional Bool; a NULL literal becomes an Optional Bool.
    public static Typed condition(Position at, Typed term) {
        if (term.type() == Type.Unit.NULL) {
            return new Typed.Constant(MAYBE, Value.Null.NULL);
        }
        if (term.type().unwrapped() != BOOL) {
            throw Errors.type(
                    at, "Expected bool or optional of bool, but got: " + term.type().text());
        }
        return term;
    }

    public static Typed and(List<Typed> terms) {
        return new Typed.And(logicType(terms), terms);
    }

    public static Typed or(List<Typed> terms) {
        return new Typed.Or(logicType(terms), terms);
    }

    private static Type logicType(List<Typed> terms) {
        return terms.stream().anyMatch(t -> t.type().isOptional()) ? MAYBE : BOOL;
    }

    public static Typed not(Typed term) {
        return new Typed.Not(term.type(), term);
    }

    public static Typed xor(Typed left, Typed right) {
        return new Typed.Apply(
                logicType(List.of(left, right)),
                ScalarFunction.strict("XOR", a -> Value.bool(!a[0].equals(a[1]))),
                List.of(left, right));
    }

    /// `IS DISTINCT FROM`: NULL equals NULL and differs from every other value.
    public static Typed isDistinct(Position at, Typed left, Typed right) {
        requireComparable(at, left.type(), right.type());
        Type l = left.type();
        Type r = right.type();
        return new Typed.Apply(
                BOOL,
                ScalarFunction.of(
                        "IS DISTINCT FROM", a -> Value.bool(Order.compare(l, a[0], r, a[1]) != 0)),
                List.of(left, right));
    }

    public static Typed in(Position at, Typed operand, Typed collection, Dialect dialect) {
        Type type = collection.type().unwrapped();
        List<Type> itemTypes =
                switch (type) {
                    case Type.ListOf(Type item) -> List.of(item);
                    case Type.Dict(Type key, _) -> List.of(key);
                    case Type.Tuple(List<Type> items) -> items;
                    case Type.Unit _ -> List.of();
                    case Primitive string when Texts.isString(string) ->
                            throw new StatusException(
                                    Status.GENERIC_ERROR,
                                    "Unable to use IN predicate with string argument, it won't"
                                            + " search substring - expecting tuple, list, dict or"
                                            + " single column table source",
                                    at);
                    default ->
                            throw Errors.type(
                                    at,
                                    "Expected tuple, list or dict as the right side of IN, but got:"
                                            + " "
                                            + collection.type().text());
                };
        if (type instanceof Type.Tuple(List<Type> items)
                && items.stream().anyMatch(item -> isShapedOtherwise(operand.type(), item))) {
            return inShapes(at, operand, collection, items);
        }
        Typed aligned =
                itemTypes.size() == 1 ? Alignment.align(operand, itemTypes.get(0)) : operand;
        var optional = mayBeNull(aligned.type());
        optional |= collection.type().isOptional() || type == Type.Unit.NULL;
        for (Type item : itemTypes) {
            // The keys of a dict are not aligned.
            Type own = type instanceof Type.Dict ? item : Alignment.type(item, aligned.type());
            if (!Order.isComparable(aligned.type(), own)) {
                throw Errors.type(at, notComparable(type, operand.type().text(), item.text()));
            }
            optional |= mayBeNull(own) && dialect.has(Dialect.Option.ANSI_IN);
        }
        return new Typed.In(
                optional ? MAYBE : BOOL,
                aligned,
                type instanceof Type.ListOf
                        ? Alignment.align(collection, new Type.ListOf(aligned.type()))
                        : collection,
                dialect.has(Dialect.Option.ANSI_IN));
    }

    private static boolean isShapedOtherwise(Type left, Type right) {
        return !Alignment.type(left, right).equals(left)
                || !Alignment.type(right, left).equals(right);
    }

    /// IN with items of different shapes, which are compared one by one: `(1, 2) IN ((1, 2, 3), (1,
    /// 2))`.
    private static Typed inShapes(
            Position at, Typed operand, Typed collection, List<Type> itemTypes) {
        TypedTree.refuseCopyOfLarge(at, operand);
        TypedTree.refuseCopyOfLarge(at, collection);
        boolean optional = collection.type().isOptional();
        var terms = new ArrayList<Typed>();
        for (int index = 0; index < itemTypes.size(); index++) {
            Type type = itemTypes.get(index);
            Typed item = new Typed.ItemOf(optional ? type.optional() : type, collection, index);
            terms.add(compare(at, Comparison.EQUAL, operand, item));
        }
        return or(terms);
    }

    /// The error message. The items of a tuple are compared one by one; a list or a dict is
    /// searched.
    private static String notComparable(Type collection, String operand, String item) {
        return collection instanceof Type.Tuple
                ? "Can't compare " + operand + " with " + item
                : "Can't lookup %s in collection of %s: types %s and %s are not comparable"
                        .formatted(operand, item, operand, item);
    }

    /// `operand BETWEEN low AND high`.
    public static Typed between(
            Position at, Typed operand, Typed low, Typed high, boolean symmetric) {
        TypedTree.refuseCopyOfLarge(at, operand);
        if (symmetric) {
            TypedTree.refuseCopyOfLarge(at, low);
            TypedTree.refuseCopyOfLarge(at, high);
        }
        var straight = new ArrayList<Typed>();
        straight.add(compare(at, Comparison.GREATER_OR_EQUAL, operand, low));
        straight.add(compare(at, Comparison.LESS_OR_EQUAL, operand, high));
        if (!symmetric) {
            return and(straight);
        }
        Typed swapped =
                and(
                        List.of(
                                compare(at, Comparison.GREATER_OR_EQUAL, operand, high),
                                compare(at, Comparison.LESS_OR_EQUAL, operand, low)));
        return or(List.of(and(straight), swapped));
    }

    /// Throws for types that cannot be grouped by or compared for duplicates, such as Json: one
    /// document can have several texts.
    public static void requireHashable(Position at, String column, Type type) {
        if (!isHashable(type)) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "Expected hashable and equatable type for key column: %s, but got: %s"
                            .formatted(column, type.text()),
                    at);
        }
    }

    private static boolean isHashable(Type type) {
        return switch (type) {
            case Type.Primitive primitive ->
                    primitive != Type.Primitive.JSON
                            && primitive != Type.Primitive.JSON_DOCUMENT
                            && primitive != Type.Primitive.YSON;
            case Type.Optional(Type item) -> isHashable(item);
            case Type.ListOf(Type item) -> isHashable(item);
            case Type.Tagged(_, Type base) -> isHashable(base);
            case Type.Tuple(List<Type> items) -> items.stream().allMatch(Predicates::isHashable);
            case Type.Struct(List<Type.Member> members) ->
                    members.stream().map(Type.Member::type).allMatch(Predicates::isHashable);
            case Type.Dict(Type key, Type payload) -> isHashable(key) && isHashable(payload);
            case Type.Variant(Type choices) -> isHashable(choices);
            case Type.Decimal _, Type.Unit _ -> true;
        };
    }
}
