package io.cleave.exec.eval;

import io.cleave.typed.Typed;
import io.cleave.typed.Typed.Comparison;
import io.cleave.value.HashKey;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.HashMap;
import java.util.List;

/// Compiles comparisons such as `left < right`. NULL on either side gives NULL; NaN is unequal to
/// everything.
final class CompareCode {
    private CompareCode() {}

    static Code of(Typed.Compare node, Code left, Code right) {
        Type leftType = node.left().type().unwrapped();
        Type rightType = node.right().type().unwrapped();
        Comparison comparison = node.comparison();
        return (row, run, frame) -> {
            Value l = left.eval(row, run, frame);
            if (l.isNull()) {
                return l;
            }
            Value r = right.eval(row, run, frame);
            return r.isNull() ? r : compare(comparison, leftType, l, rightType, r);
        };
    }

    /// `left = right`. The result is NULL if it depends on the value of a NULL.
    static Value equal(Type leftType, Value left, Type rightType, Value right) {
        return left.isNull() || right.isNull()
                ? Value.Null.NULL
                : compare(
                        Comparison.EQUAL, leftType.unwrapped(), left, rightType.unwrapped(), right);
    }

    private static Value compare(
            Comparison comparison, Type leftType, Value left, Type rightType, Value right) {
        if (left instanceof Value.Items(List<Value> l)
                && right instanceof Value.Items(List<Value> r)) {
            return compareItems(comparison, leftType, l, rightType, r);
        }
        if (left instanceof Value.Pairs l && right instanceof Value.Pairs r) {
            return comparePairs(comparison, dict(leftType), l, dict(rightType), r);
        }
        if (Order.isUnordered(leftType, left) || Order.isUnordered(rightType, right)) {
            return Value.bool(comparison == Comparison.NOT_EQUAL);
        }
        return Value.bool(comparison.holds(Order.compare(leftType, left, rightType, right)));
    }

    /// Compares item by item; the first pair of different items decides. For an ordering
    /// comparison, a NULL before that pair makes the result NULL. For equality, a NULL makes the
    /// result NULL only if no other items differ.
    private static Value compareItems(
            Comparison comparison,
            Type leftType,
            List<Value> left,
            Type rightType,
            List<Value> right) {
        boolean ordering = comparison != Comparison.EQUAL && comparison != Comparison.NOT_EQUAL;
        boolean open = false;
        int common = Math.min(left.size(), right.size());
        for (int index = 0; index < common; index++) {
            Type l = itemType(leftType, index).unwrapped();
            Type r = itemType(rightType, index).unwrapped();
            Value same =
                    left.get(index).isNull() || right.get(index).isNull()
                            ? Value.Null.NULL
                            : compare(Comparison.EQUAL, l, left.get(index), r, right.get(index));
            if (same.isNull() && ordering) {
                return same;
            }
            open |= same.isNull();
            if (same.equals(Value.Bool.FALSE)) {
                return ordering
                        ? compare(comparison, l, left.get(index), r, right.get(index))
                        : Value.bool(comparison == Comparison.NOT_EQUAL);
            }
        }
        return open
                ? Value.Null.NULL
                : Value.bool(comparison.holds(Integer.compare(left.size(), right.size())));
    }

    /// Dicts are equal when they have the same keys and equal payloads.
    private static Value comparePairs(
            Comparison comparison,
            Type.Dict leftType,
            Value.Pairs left,
            Type.Dict rightType,
            Value.Pairs right) {
        var payloads = new HashMap<Value, Value>();
        for (Value.Pair pair : right.pairs()) {
            payloads.put(HashKey.ofGroup(rightType.key(), pair.key()), pair.payload());
        }
        boolean differ = left.pairs().size() != right.pairs().size();
        boolean open = false;
        for (Value.Pair pair : left.pairs()) {
            Value other = payloads.get(HashKey.ofGroup(leftType.key(), pair.key()));
            Value same = Value.bool(other != null);
            // A set has keys only.
            if (other != null && leftType.payload() != Type.Unit.VOID) {
                same = equal(leftType.payload(), pair.payload(), rightType.payload(), other);
            }
            differ |= same.equals(Value.Bool.FALSE);
            open |= same.isNull();
        }
        return open && !differ
                ? Value.Null.NULL
                : Value.bool((comparison == Comparison.EQUAL) != differ);
    }

    /// The type of the item at `index` of a tuple, struct or list.
    static Type itemType(Type type, int index) {
        return switch (type) {
            case Type.Tuple(List<Type> items) -> items.get(index);
            case Type.Struct(List<Type.Member> members) -> members.get(index).type();
            case Type.ListOf(Type item) -> item;
            case Type.Tagged(_, Type base) -> itemType(base.unwrapped(), index);
            default -> throw new IllegalArgumentException("no items in " + type.text());
        };
    }

    private static Type.Dict dict(Type type) {
        return type instanceof Type.Tagged(_, Type base)
                ? dict(base.unwrapped())
                : (Type.Dict) type;
    }
}
