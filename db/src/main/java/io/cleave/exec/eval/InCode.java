package io.cleave.exec.eval;

import io.cleave.exec.eval.Code.Fixed;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.HashKey;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/// `operand IN collection`, with a hash table. The table is built once if the collection is the
/// same for every row.
public final class InCode {
    /// An item of the collection. It may be NULL or contain NULL.
    record Item(Type type, Value value) {}

    /// A prepared collection: the hash keys of the items without NULL and NaN, the items with NULL,
    /// and all items. `isNull` means that the collection itself is NULL.
    public record Members(Set<Value> keys, List<Item> open, List<Item> all, boolean isNull) {}

    private InCode() {}

    static Code of(Typed.In node, Code operand, Code collection) {
        Type operandType = node.operand().type().unwrapped();
        Type collectionType = node.collection().type().unwrapped();
        boolean ansi = node.ansi();
        if (collection instanceof Fixed(Value value)) {
            Members members = members(collectionType, value, _ -> {});
            return (row, run, frame) ->
                    find(operandType, operand.eval(row, run, frame), members, ansi);
        }
        if (isFixedInRun(node.collection())) {
            return (row, run, frame) -> {
                Members members =
                        run.remember(
                                node,
                                Members.class,
                                () ->
                                        members(
                                                collectionType,
                                                collection.eval(row, run, frame),
                                                run::pass));
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
                            members(collectionType, items, run::pass),
                            ansi);
        };
    }

    private static boolean isFixedInRun(Typed collection) {
        boolean[] bound = {false};
        TypedTree.walk(collection, part -> bound[0] |= part instanceof Typed.LambdaArgument);
        return !bound[0] && TypedTree.isFixedInRun(collection);
    }

    /// `pass` is called for each item.
    public static Members members(Type type, Value collection, IntConsumer pass) {
        var keys = new HashSet<Value>();
        var open = new ArrayList<Item>();
        List<Item> all = items(type, collection);
        for (Item item : all) {
            pass.accept(1);
            if (hasNull(item.value())) {
                open.add(item);
            } else if (!hasNan(item.type(), item.value())) {
                keys.add(HashKey.ofJoin(item.type(), item.value()));
            }
        }
        // IN over a NULL collection is NULL. An empty list or dict constant has the value NULL but
        // is empty.
        boolean isNull =
                collection.isNull() && type != Type.Unit.EMPTY_LIST && type != Type.Unit.EMPTY_DICT;
        return new Members(keys, open, all, isNull);
    }

    private static List<Item> items(Type type, Value collection) {
        var all = new ArrayList<Item>();
        switch (collection) {
            case Value.Items(List<Value> items) -> {
                for (int index = 0; index < items.size(); index++) {
                    all.add(new Item(CompareCode.itemType(type, index), items.get(index)));
                }
            }
            case Value.Pairs(List<Value.Pair> pairs) -> {
                Type keyType = ((Type.Dict) type).key();
                pairs.forEach(pair -> all.add(new Item(keyType, pair.key())));
            }
            default -> {}
        }
        return all;
    }

    public static Value find(Type type, Value operand, Members members, boolean ansi) {
        if (members.isNull() || (!ansi && hasNull(operand))) {
            return Value.Null.NULL;
        }
        if (members.all().isEmpty()) {
            return Value.Bool.FALSE;
        }
        if (operand.isNull()) {
            return Value.Null.NULL;
        }
        boolean isOpen = hasNull(operand);
        if (!isOpen
                && !hasNan(type, operand)
                && members.keys().contains(HashKey.ofJoin(type, operand))) {
            return Value.Bool.TRUE;
        }
        if (!ansi) {
            return Value.Bool.FALSE;
        }
        // `(1, NULL) IN ((2, 2))` is false: the first items differ, whatever the NULL stands for.
        for (Item item : isOpen ? members.all() : members.open()) {
            if (CompareCode.equal(type, operand, item.type(), item.value()).isNull()) {
                return Value.Null.NULL;
            }
        }
        return Value.Bool.FALSE;
    }

    private static boolean hasNull(Value value) {
        return value instanceof Value.Items(List<Value> items)
                ? items.stream().anyMatch(InCode::hasNull)
                : value.isNull();
    }

    /// Whether the value contains a NaN, so that it is equal to nothing.
    private static boolean hasNan(Type type, Value value) {
        if (!(value instanceof Value.Items(List<Value> items))) {
            return Order.isUnordered(type, value);
        }
        Type bare = type.unwrapped();
        for (int index = 0; index < items.size(); index++) {
            if (hasNan(CompareCode.itemType(bare, index), items.get(index))) {
                return true;
            }
        }
        return false;
    }
}
