package io.cleave.plan;

import io.cleave.plan.KeyRanges.Values;
import io.cleave.plan.range.Bound;
import io.cleave.plan.range.ColumnInterval;
import io.cleave.plan.range.ConstraintAlgebra;
import io.cleave.plan.range.KeyConstraint;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// Turns a condition on a key into the set of keys for which it is true, once the values in the
/// condition are known. A condition whose values are not known is true for all keys.
///
/// Threads: one, for one inference.
final class KeyConstraints {
    private final List<Type> types;
    private final Values values;
    private final ConstraintAlgebra algebra;

    private KeyConstraints(List<Type> types, Values values) {
        this.types = types;
        this.values = values;
        algebra = new ConstraintAlgebra(types);
    }

    /// `types` has the types of the key columns.
    static KeyConstraint of(List<Type> types, KeyPredicate predicate, Values values) {
        return new KeyConstraints(types, values).of(predicate);
    }

    private KeyConstraint of(KeyPredicate predicate) {
        return switch (predicate) {
            case KeyPredicate.Any _ -> KeyConstraint.ALL;
            case KeyPredicate.Never _ -> KeyConstraint.NONE;
            case KeyPredicate.And(List<KeyPredicate> terms) -> {
                KeyConstraint all = KeyConstraint.ALL;
                for (KeyPredicate term : terms) {
                    all = algebra.intersection(all, of(term));
                }
                yield all;
            }
            case KeyPredicate.Or(List<KeyPredicate> terms) ->
                    algebra.union(terms.stream().map(this::of).toList());
            case KeyPredicate.IsNull(int column) -> KeyConstraint.of(column, ColumnInterval.NULLS);
            case KeyPredicate.IsNotNull(int column) ->
                    KeyConstraint.of(column, ColumnInterval.NOT_NULLS);
            case KeyPredicate.Compare(int column, Comparison comparison, var operand) -> {
                Value value = values.of(operand);
                yield value == null
                        ? KeyConstraint.ALL
                        : compared(column, comparison, operand.type(), value);
            }
            case KeyPredicate.CompareOrNull(int column, Comparison comparison, var operand) -> {
                Value value = values.of(operand);
                yield value == null || value.isNull()
                        ? KeyConstraint.ALL
                        : comparedOrNull(column, comparison, operand.type(), value);
            }
            case KeyPredicate.OneOf(int column, var operand) -> {
                Value collection = values.of(operand);
                if (collection == null) {
                    yield KeyConstraint.ALL;
                }
                List<KeyConstraint> items = new ArrayList<>();
                InList.forEach(
                        operand.type(),
                        collection,
                        (type, item) -> items.add(compared(column, Comparison.EQUAL, type, item)));
                yield algebra.union(items);
            }
            case KeyPredicate.OneOfTuples(List<Integer> columns, var operand) -> {
                Value collection = values.of(operand);
                if (collection == null) {
                    yield KeyConstraint.ALL;
                }
                List<KeyConstraint> tuples = new ArrayList<>();
                InList.forEach(
                        operand.type(),
                        collection,
                        (type, tuple) -> {
                            if (!tuple.isNull()) {
                                tuples.add(equal(columns, type, tuple));
                            }
                        });
                yield algebra.union(tuples);
            }
            case KeyPredicate.Inferring _ ->
                    throw new IllegalStateException("a predicate in a predicate infers");
        };
    }

    private KeyConstraint equal(List<Integer> columns, Type tupleType, Value tuple) {
        List<Type> itemTypes = ((Type.Tuple) tupleType.unwrapped()).items();
        List<Value> items = ((Value.Items) tuple).items();
        KeyConstraint all = KeyConstraint.ALL;
        for (int index = 0; index < items.size(); index++) {
            if (columns.get(index) >= 0) {
                all =
                        algebra.intersection(
                                all,
                                compared(
                                        columns.get(index),
                                        Comparison.EQUAL,
                                        itemTypes.get(index),
                                        items.get(index)));
            }
        }
        return all;
    }

    /// The keys for which a comparison is true. A comparison with NULL never is.
    private KeyConstraint compared(int column, Comparison comparison, Type type, Value value) {
        return value.isNull()
                ? KeyConstraint.NONE
                : between(
                        column,
                        comparison,
                        KeyBound.of(types.get(column), type, value),
                        Bound.AFTER_NULL);
    }

    /// The keys for which a comparison is true, and those whose column is NULL.
    private KeyConstraint comparedOrNull(
            int column, Comparison comparison, Type type, Value value) {
        KeyBound bound = KeyBound.of(types.get(column), type, value);
        return switch (comparison) {
            case LESS, LESS_OR_EQUAL, NOT_EQUAL -> between(column, comparison, bound, Bound.MIN);
            case EQUAL, GREATER, GREATER_OR_EQUAL ->
                    algebra.union(
                            KeyConstraint.of(column, ColumnInterval.NULLS),
                            between(column, comparison, bound, Bound.AFTER_NULL));
        };
    }

    /// The values for which the comparison is true, with `least` as the least position.
    private KeyConstraint between(int column, Comparison comparison, KeyBound bound, Bound least) {
        KeyConstraint whole = interval(column, least, Bound.MAX);
        KeyConstraint none = interval(column, least, Bound.AFTER_NULL);
        return switch (bound) {
            case KeyBound.Unknown _ -> whole;
            case KeyBound.Nowhere _ -> comparison == Comparison.NOT_EQUAL ? whole : none;
            case KeyBound.Below _ ->
                    switch (comparison) {
                        case EQUAL, LESS, LESS_OR_EQUAL -> none;
                        case NOT_EQUAL, GREATER, GREATER_OR_EQUAL -> whole;
                    };
            case KeyBound.Above _ ->
                    switch (comparison) {
                        case EQUAL, GREATER, GREATER_OR_EQUAL -> none;
                        case NOT_EQUAL, LESS, LESS_OR_EQUAL -> whole;
                    };
            // A computed column cannot be computed from a value of another type.
            case KeyBound.Exact exact
                    when comparison == Comparison.EQUAL && !exact.isOf(types.get(column)) ->
                    none;
            case KeyBound.Exact(Value exact) -> {
                Bound before = Bound.before(exact);
                Bound after = Bound.after(exact);
                yield switch (comparison) {
                    case EQUAL -> interval(column, before, after);
                    case NOT_EQUAL ->
                            algebra.union(
                                    interval(column, least, before),
                                    interval(column, after, Bound.MAX));
                    case LESS -> interval(column, least, before);
                    case LESS_OR_EQUAL -> interval(column, least, after);
                    case GREATER -> interval(column, after, Bound.MAX);
                    case GREATER_OR_EQUAL -> interval(column, before, Bound.MAX);
                };
            }
            // The value is between `lower` and the column's next value.
            case KeyBound.JustAbove(Value lower) ->
                    switch (comparison) {
                        case EQUAL -> none;
                        case NOT_EQUAL -> whole;
                        case LESS, LESS_OR_EQUAL -> interval(column, least, Bound.after(lower));
                        case GREATER, GREATER_OR_EQUAL ->
                                interval(column, Bound.after(lower), Bound.MAX);
                    };
        };
    }

    private static KeyConstraint interval(int column, Bound lower, Bound upper) {
        return lower.equals(upper)
                ? KeyConstraint.NONE
                : KeyConstraint.of(column, new ColumnInterval(lower, upper));
    }
}
