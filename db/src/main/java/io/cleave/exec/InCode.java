package io.cleave.exec;

import io.cleave.analysis.Typed;
import io.cleave.analysis.TypedTree;
import io.cleave.exec.Code.Fixed;
import io.cleave.value.HashKey;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// `operand IN collection`, by a hash table that is made once where the collection is the same for
/// every row.
final class InCode {
    /// The items by what stands for them in a join; NULLs are only counted.
    record Members(Set<Value> keys, boolean hasNull, boolean isEmpty, boolean isNull) {
        Members(Set<Value> keys, boolean hasNull, boolean isEmpty) {
            this(keys, hasNull, isEmpty, false);
        }
    }

    private InCode() {}

    static Code of(Typed.In node, Code operand, Code collection) {
        Type operandType = node.operand().type().unwrapped();
        Type collectionType = node.collection().type().unwrapped();
        boolean ansi = node.ansi();
        if (collection instanceof Fixed(Value value)) {
            Members members = members(collectionType, value);
            return (row, run, frame) ->
                    find(operandType, operand.eval(row, run, frame), members, ansi);
        }
        if (isFixedInRun(node.collection())) {
            return (row, run, frame) -> {
                Members members =
                        run.remember(
                                node,
                                Members.class,
                                () -> members(collectionType, collection.eval(row, run, frame)));
                return find(operandType, operand.eval(row, run, frame), members, ansi);
            };
        }
        return (row, run, frame) -> {
            Value items = collection.eval(row, run, frame);
            return items.isNull()
                    ? items
                    : find(
                            operandType,
                            operand.eval(row, run, frame),
                            members(collectionType, items),
                            ansi);
        };
    }

    private static boolean isFixedInRun(Typed collection) {
        boolean[] bound = {false};
        TypedTree.walk(collection, part -> bound[0] |= part instanceof Typed.LambdaArgument);
        return !bound[0] && TypedTree.isFixedInRun(collection);
    }

    static Members members(Type type, Value collection) {
        var keys = new HashSet<Value>();
        boolean hasNull = false;
        boolean isEmpty = true;
        switch (collection) {
            case Value.Items(List<Value> items) -> {
                for (int index = 0; index < items.size(); index++) {
                    isEmpty = false;
                    hasNull |= !put(keys, itemType(type, index), items.get(index));
                }
            }
            case Value.Pairs(List<Value.Pair> pairs) -> {
                Type keyType = ((Type.Dict) type).key();
                for (Value.Pair pair : pairs) {
                    isEmpty = false;
                    hasNull |= !put(keys, keyType, pair.key());
                }
            }
            // A collection that is NULL: nothing can be said.
            default -> {
                isEmpty = type == Type.Unit.EMPTY_LIST || type == Type.Unit.EMPTY_DICT;
                return new Members(keys, false, isEmpty, !isEmpty);
            }
        }
        return new Members(keys, hasNull, isEmpty);
    }

    private static boolean put(Set<Value> keys, Type type, Value item) {
        if (hasNull(item)) {
            return false;
        }
        if (!Order.isUnordered(type, item)) {
            keys.add(HashKey.ofJoin(type, item));
        }
        return true;
    }

    static Value find(Type type, Value operand, Members members, boolean ansi) {
        if (members.isEmpty() && ansi) {
            return Value.Bool.FALSE;
        }
        if (members.isNull() || hasNull(operand)) {
            return Value.Null.NULL;
        }
        if (!Order.isUnordered(type, operand)
                && members.keys().contains(HashKey.ofJoin(type, operand))) {
            return Value.Bool.TRUE;
        }
        return members.hasNull() && ansi ? Value.Null.NULL : Value.Bool.FALSE;
    }

    private static boolean hasNull(Value value) {
        return value instanceof Value.Items(List<Value> items)
                ? items.stream().anyMatch(InCode::hasNull)
                : value.isNull();
    }

    private static Type itemType(Type type, int index) {
        return switch (type) {
            case Type.ListOf(Type item) -> item;
            case Type.Tuple(List<Type> items) -> items.get(index);
            default -> throw new IllegalArgumentException("no items in " + type.text());
        };
    }
}
