package io.cleave.function.container;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.Dialect;
import io.cleave.function.call.NameSuggestion;
import io.cleave.function.document.YsonLookups;
import io.cleave.function.document.YsonModule;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.Errors;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.HashKey;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// Creates containers from items, and accesses items of containers.
public final class Items {
    private Items() {}

    public static Typed tuple(List<Typed> items) {
        return new Typed.ItemsOf(new Type.Tuple(items.stream().map(Typed::type).toList()), items);
    }

    /// A List of items with a common type; without items, the untyped empty list.
    public static Typed list(Position at, List<Typed> items) {
        if (items.isEmpty()) {
            return new Typed.Constant(Type.Unit.EMPTY_LIST, Value.Null.NULL);
        }
        Type item = Conversions.common(at, items);
        return new Typed.ItemsOf(
                new Type.ListOf(item),
                items.stream().map(i -> Conversions.to(at, i, item)).toList());
    }

    public static Typed struct(Position at, List<String> names, List<Typed> values) {
        var members = new ArrayList<Type.Member>();
        for (int index = 0; index < names.size(); index++) {
            if (names.indexOf(names.get(index)) < index) {
                throw Errors.type(at, "Duplicated member: " + names.get(index));
            }
            members.add(new Type.Member(names.get(index), values.get(index).type()));
        }
        return new Typed.ItemsOf(new Type.Struct(members), values);
    }

    public static Typed dict(Position at, List<Typed> keys, List<Typed> payloads) {
        if (keys.isEmpty()) {
            return new Typed.Constant(Type.Unit.EMPTY_DICT, Value.Null.NULL);
        }
        Type key = Conversions.common(at, keys);
        Type payload = Conversions.common(at, payloads);
        var arguments = new ArrayList<Typed>();
        keys.forEach(k -> arguments.add(Conversions.to(at, k, key)));
        payloads.forEach(p -> arguments.add(Conversions.to(at, p, payload)));
        int count = keys.size();
        return new Typed.Apply(
                new Type.Dict(key, payload),
                ScalarFunction.of(
                        "AsDict",
                        a -> {
                            var pairs = new ArrayList<Value.Pair>(count);
                            for (int index = 0; index < count; index++) {
                                pairs.add(new Value.Pair(a[index], a[count + index]));
                            }
                            return pairs(key, pairs);
                        }),
                arguments);
    }

    public static Typed set(Position at, List<Typed> keys) {
        return dict(
                at,
                keys,
                keys.stream()
                        .<Typed>map(_ -> new Typed.Constant(Type.Unit.VOID, Value.Null.NULL))
                        .toList());
    }

    /// A dict of the pairs; the first pair of each key is kept.
    static Value pairs(Type keyType, Iterable<Value.Pair> pairs) {
        var unique = new LinkedHashMap<Value, Value.Pair>();
        for (Value.Pair pair : pairs) {
            unique.putIfAbsent(HashKey.ofGroup(keyType, pair.key()), pair);
        }
        return new Value.Pairs(List.copyOf(unique.values()));
    }

    /// Like [#member(Position, Typed, String)], but also for a Yson or Json.
    public static Typed member(Position at, Typed operand, String name, Dialect dialect) {
        return YsonModule.isNode(operand.type().unwrapped())
                ? YsonLookups.access(
                        at,
                        operand,
                        new Typed.Constant(Primitive.STRING, Value.binary(Bytes.utf8(name))),
                        dialect.yson())
                : member(at, operand, name);
    }

    /// `operand.name`: a member of a Struct, an item of a Tuple by its number, or a choice of a
    /// Variant.
    public static Typed member(Position at, Typed operand, String name) {
        Type type = operand.type().unwrapped();
        if (type instanceof Type.Variant(Type choices)) {
            return choice(at, operand, choices, name);
        }
        boolean optional = operand.type().isOptional();
        int index;
        Type item;
        switch (type) {
            case Type.Struct struct -> {
                index = struct.indexOf(name);
                if (index < 0) {
                    throw Errors.type(at, "Member not found: " + name + guess(struct, name));
                }
                item = struct.members().get(index).type();
            }
            case Type.Tuple(List<Type> items) -> {
                index = name.matches("\\d{1,6}") ? Integer.parseInt(name) : -1;
                if (index < 0 || index >= items.size()) {
                    throw Errors.type(
                            at,
                            "Index out of range: Index: %s, size: %d"
                                    .formatted(name, items.size()));
                }
                item = items.get(index);
            }
            default ->
                    throw Errors.type(
                            at,
                            "Expected struct or tuple to take '%s' from, but got: %s"
                                    .formatted(name, operand.type().text()));
        }
        return new Typed.ItemOf(optional ? item.optional() : item, operand, index);
    }

    /// `variant.name`: the value if the variant holds that choice, otherwise NULL.
    private static Typed choice(Position at, Typed operand, Type choices, String name) {
        Typed.ItemOf item =
                (Typed.ItemOf) member(at, new Typed.Constant(choices, Value.Null.NULL), name);
        int index = item.index();
        return new Typed.Apply(
                item.type().optional(),
                ScalarFunction.strict(
                        "." + name,
                        a ->
                                a[0] instanceof Value.Choice(int chosen, Value value)
                                                && chosen == index
                                        ? value
                                        : Value.Null.NULL),
                List.of(operand));
    }

    private static String guess(Type.Struct struct, String name) {
        return NameSuggestion.closest(
                        name, struct.members().stream().map(Type.Member::name).toList())
                .map(close -> ". Did you mean " + close + "?")
                .orElse("");
    }

    /// `operand[index]`: NULL if there is no such element.
    public static Typed element(Position at, Typed operand, Typed index, Dialect dialect) {
        Type type = operand.type().unwrapped();
        if (YsonModule.isNode(type)) {
            return YsonLookups.access(at, operand, index, dialect.yson());
        }
        return switch (type) {
            case Type.ListOf(Type item) ->
                    new Typed.Apply(
                            item.optional(),
                            ScalarFunction.strict("[]", a -> at(a[0], a[1])),
                            List.of(operand, Conversions.to(at, index, indexType(index))));
            case Type.Dict(Type key, Type payload) -> lookup(at, operand, key, payload, index);
            case Type.Tuple _, Type.Struct _
                    when index instanceof Typed.Constant(_, Value.Int(long number)) ->
                    member(at, operand, Long.toString(number));
            default ->
                    throw Errors.type(
                            at, "Expected list or dict, but got: " + operand.type().text());
        };
    }

    private static Type indexType(Typed index) {
        return index.type().isOptional() ? Primitive.INT64.optional() : Primitive.INT64;
    }

    private static Value at(Value list, Value index) {
        List<Value> items = ((Value.Items) list).items();
        long number = ((Value.Int) index).value();
        long place = number < 0 ? items.size() + number : number;
        return place >= 0 && place < items.size() ? items.get((int) place) : Value.Null.NULL;
    }

    static Typed lookup(Position at, Typed dict, Type key, Type payload, Typed wanted) {
        Predicates.requireComparable(at, wanted.type(), key);
        var search = new DictSearch(key, wanted.type());
        return new Typed.Apply(
                payload.optional(),
                ScalarFunction.ofLong(
                        "DictLookup",
                        (a, run) -> {
                            Value.Pair pair = search.find(a[0], a[1], run);
                            return pair == null ? Value.Null.NULL : pair.payload();
                        }),
                List.of(dict, wanted));
    }

    /// Compares values of a type that has an order.
    static Comparator<Value> order(Type type) {
        return (left, right) -> Order.compare(type, left, right);
    }
}
