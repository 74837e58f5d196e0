package io.cleave.analysis;

import io.cleave.value.HashKey;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The functions on Lists that take no lambda. Of a List that may be NULL the result may be NULL.
final class ListFunctions {
    /// The work on the items of a list that is not NULL.
    @FunctionalInterface
    private interface Step {
        Value apply(List<Value> items);
    }

    @FunctionalInterface
    private interface LongStep {
        Value apply(List<Value> items, ScalarFunction.Run run);
    }

    private ListFunctions() {}

    static void register(Functions.Registry registry) {
        registry.add("ListLength", ListFunctions::length);
        registry.add("ListHasItems", c -> step(c, Primitive.BOOL, i -> Value.bool(!i.isEmpty())));
        registry.add("ListCollect", c -> step(c, list(c), Value::items));
        registry.add("ListReverse", c -> step(c, list(c), i -> Value.items(i.reversed())));
        registry.add("ListHead", c -> step(c, item(c).optional(), i -> at(i, 0)));
        registry.add("ListLast", c -> step(c, item(c).optional(), i -> at(i, i.size() - 1)));
        registry.add("ListUniq", c -> longStep(c, list(c), (i, run) -> unique(item(c), i, run)));
        registry.add(
                "ListUniqStable", c -> longStep(c, list(c), (i, run) -> unique(item(c), i, run)));
        registry.add("ListNotNull", ListFunctions::notNull);
        registry.add("ListFlatten", ListFunctions::flatten);
        registry.add("ListHas", ListFunctions::has);
        registry.add("ListIndexOf", ListFunctions::indexOf);
        registry.add("ListTake", ListFunctions::take);
        registry.add("ListSkip", ListFunctions::skip);
        registry.add("ListExtend", ListFunctions::extend);
        registry.add("ListExtendStrict", ListFunctions::extend);
        registry.add("ListZip", ListFunctions::zip);
        registry.add("ListEnumerate", ListFunctions::enumerate);
        registry.add("ListFromRange", ListRanges::resolve);
        registry.add("ListReplicate", ListFunctions::replicate);
        registry.add("ListCreate", c -> create(c));
        registry.add("ListMin", c -> extreme(c, -1));
        registry.add("ListMax", c -> extreme(c, 1));
        registry.add("ListSum", ListFunctions::sum);
        registry.add("ListAvg", ListFunctions::average);
        registry.add("ListExtract", ListFunctions::extract);
    }

    /// The list that stands as the first argument; `[]` is one of no type in particular.
    static Typed list(FunctionCall call, int index) {
        Typed value = call.value(index);
        if (value.type() == Type.Unit.EMPTY_LIST) {
            return new Typed.Constant(new Type.ListOf(Type.Unit.NULL), Value.items(List.of()));
        }
        if (!(value.type().unwrapped() instanceof Type.ListOf)) {
            throw call.error("Expected list type, but got: " + value.type().text());
        }
        return value;
    }

    private static Type list(FunctionCall call) {
        call.expect(1);
        return list(call, 0).type().unwrapped();
    }

    /// The type of the items of the first argument.
    static Type item(FunctionCall call) {
        return ((Type.ListOf) list(call, 0).type().unwrapped()).item();
    }

    static List<Value> items(Value list) {
        return ((Value.Items) list).items();
    }

    private static Typed step(FunctionCall call, Type type, Step step) {
        call.expect(1);
        return call.strict(type, List.of(list(call, 0)), a -> step.apply(items(a[0])));
    }

    /// The same of what goes over all items.
    private static Typed longStep(FunctionCall call, Type type, LongStep step) {
        call.expect(1);
        return call.strictLong(
                type, List.of(list(call, 0)), (a, run) -> step.apply(items(a[0]), run));
    }

    /// Also of a Dict.
    static Typed length(FunctionCall call) {
        call.expect(1);
        if (call.bare(0) instanceof Type.Dict) {
            return DictFunctions.length(call);
        }
        return step(call, Primitive.UINT64, items -> Value.of(items.size()));
    }

    private static Value at(List<Value> items, int index) {
        return index >= 0 && index < items.size() ? items.get(index) : Value.Null.NULL;
    }

    private static Value unique(Type item, List<Value> items, ScalarFunction.Run run) {
        Map<Value, Value> first = new LinkedHashMap<>();
        for (Value value : Passing.over(items, run)) {
            first.putIfAbsent(HashKey.ofGroup(item, value), value);
        }
        return Value.items(List.copyOf(first.values()));
    }

    private static Typed notNull(FunctionCall call) {
        Type item = item(call);
        return longStep(
                call,
                new Type.ListOf(item.unwrapped()),
                (items, run) ->
                        Value.items(Passing.stream(items, run).filter(i -> !i.isNull()).toList()));
    }

    private static Typed flatten(FunctionCall call) {
        if (!(item(call).unwrapped() instanceof Type.ListOf inner)) {
            throw call.error("Expected list of lists, but got: " + call.type(0).text());
        }
        return longStep(
                call,
                inner,
                (items, run) -> {
                    var all = new ArrayList<Value>();
                    for (Value list : Passing.over(items, run)) {
                        if (!list.isNull()) {
                            ValueSizes.requireItems((long) all.size() + items(list).size());
                            all.addAll(items(list));
                        }
                    }
                    return Value.items(all);
                });
    }

    /// NULL is equal to NULL here, and a list that is NULL has nothing.
    private static Typed has(FunctionCall call) {
        call.expect(2);
        Type item = item(call);
        Type wanted = call.type(1);
        Predicates.requireComparable(call.at(), item, wanted);
        return call.applyLong(
                Primitive.BOOL,
                List.of(list(call, 0), call.value(1)),
                (a, run) ->
                        Value.bool(
                                !a[0].isNull()
                                        && indexOf(item, items(a[0]), wanted, a[1], run) >= 0));
    }

    private static Typed indexOf(FunctionCall call) {
        call.expect(2);
        Type item = item(call);
        Type wanted = call.type(1);
        Predicates.requireComparable(call.at(), item, wanted);
        return call.strictLong(
                Primitive.UINT64.optional(),
                List.of(list(call, 0), call.value(1)),
                (a, run) -> {
                    int index = indexOf(item, items(a[0]), wanted, a[1], run);
                    return index < 0 ? Value.Null.NULL : Value.of(index);
                });
    }

    private static int indexOf(
            Type item, List<Value> items, Type wantedType, Value wanted, ScalarFunction.Run run) {
        int index = 0;
        for (Value value : Passing.over(items, run)) {
            if (Order.compare(item, value, wantedType, wanted) == 0) {
                return index;
            }
            index++;
        }
        return -1;
    }

    private static Typed take(FunctionCall call) {
        call.expect(2);
        return call.strict(
                list(call, 0).type().unwrapped(),
                List.of(list(call, 0), Numbers.count(call, 1)),
                a -> {
                    List<Value> items = items(a[0]);
                    return Value.items(items.subList(0, Numbers.bounded(a[1], items.size())));
                });
    }

    private static Typed skip(FunctionCall call) {
        call.expect(2);
        return call.strict(
                list(call, 0).type().unwrapped(),
                List.of(list(call, 0), Numbers.count(call, 1)),
                a -> {
                    List<Value> items = items(a[0]);
                    return Value.items(
                            items.subList(Numbers.bounded(a[1], items.size()), items.size()));
                });
    }

    private static Typed extend(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var lists = new ArrayList<Typed>();
        for (int index = 0; index < call.count(); index++) {
            if (call.type(index) != Type.Unit.EMPTY_LIST) {
                lists.add(list(call, index));
            }
        }
        if (lists.isEmpty()) {
            return call.value(0);
        }
        Type type = Conversions.common(call.at(), lists);
        return call.strict(
                type.unwrapped(),
                lists.stream().map(l -> Conversions.to(call.at(), l, type)).toList(),
                a -> {
                    var all = new ArrayList<Value>();
                    for (Value list : a) {
                        ValueSizes.requireItems((long) all.size() + items(list).size());
                        all.addAll(items(list));
                    }
                    return Value.items(all);
                });
    }

    private static Typed zip(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var lists = new ArrayList<Typed>();
        var types = new ArrayList<Type>();
        for (int index = 0; index < call.count(); index++) {
            lists.add(list(call, index));
            types.add(((Type.ListOf) lists.getLast().type().unwrapped()).item());
        }
        return call.strictLong(
                new Type.ListOf(new Type.Tuple(types)),
                lists,
                (a, run) -> {
                    int size = Integer.MAX_VALUE;
                    for (Value list : a) {
                        size = Math.min(size, items(list).size());
                    }
                    var rows = new ArrayList<Value>();
                    for (int index = 0; index < size; index++) {
                        run.pass(a.length);
                        var row = new ArrayList<Value>();
                        for (Value list : a) {
                            row.add(items(list).get(index));
                        }
                        rows.add(Value.items(row));
                    }
                    return Value.items(rows);
                });
    }

    private static Typed enumerate(FunctionCall call) {
        call.expect(1, 3);
        var arguments = new ArrayList<Typed>();
        arguments.add(list(call, 0));
        for (int index = 1; index < call.count(); index++) {
            arguments.add(Numbers.count(call, index));
        }
        return call.strictLong(
                new Type.ListOf(new Type.Tuple(List.of(Primitive.UINT64, item(call)))),
                arguments,
                (a, run) -> {
                    long number = a.length > 1 ? ((Value.Int) a[1]).value() : 0;
                    long step = a.length > 2 ? ((Value.Int) a[2]).value() : 1;
                    var pairs = new ArrayList<Value>();
                    for (Value item : Passing.over(items(a[0]), run)) {
                        pairs.add(Value.items(List.of(Value.of(number), item)));
                        number += step;
                    }
                    return Value.items(pairs);
                });
    }

    private static Typed replicate(FunctionCall call) {
        call.expect(2);
        Typed value = call.value(0);
        Typed count = Numbers.count(call, 1);
        return call.apply(
                new Type.ListOf(value.type()),
                List.of(value, count),
                a -> {
                    long size = a[1] instanceof Value.Int(long number) ? number : 0;
                    ListRanges.requireSize(call, size < 0 ? Long.MAX_VALUE : size);
                    return Value.items(Collections.nCopies((int) size, a[0]));
                });
    }

    private static Typed create(FunctionCall call) {
        call.expect(1);
        return new Typed.Constant(new Type.ListOf(call.typeArgument(0)), Value.items(List.of()));
    }

    private static Typed extreme(FunctionCall call, int sign) {
        Type item = item(call);
        Predicates.requireOrdered(call.at(), item);
        Comparator<Value> order = Items.order(item);
        return longStep(
                call,
                item.optional(),
                (items, run) ->
                        Passing.stream(items, run)
                                .filter(i -> !i.isNull())
                                .max(sign > 0 ? order : order.reversed())
                                .orElse(Value.Null.NULL));
    }

    /// As the aggregate of the same name over the items.
    private static Typed sum(FunctionCall call) {
        return aggregate(call, "SUM");
    }

    private static Typed average(FunctionCall call) {
        return aggregate(call, "AVG");
    }

    private static Typed aggregate(FunctionCall call, String name) {
        AggregateFunction function = Aggregates.find(call.at(), name, List.of(item(call)), false);
        return longStep(
                call,
                function.type().optional(),
                (items, run) -> {
                    AggregateFunction.Accumulator sum = function.begin();
                    for (Value item : Passing.over(items, run)) {
                        sum.add(new Value[] {item});
                    }
                    return sum.result();
                });
    }

    /// `ListExtract(structs, "member")`.
    private static Typed extract(FunctionCall call) {
        call.expect(2);
        if (!(item(call) instanceof Type.Struct struct)) {
            throw call.error("Expected list of structs, but got: " + call.type(0).text());
        }
        int index = struct.indexOf(call.text(1));
        if (index < 0) {
            throw call.error("Member not found: " + call.text(1));
        }
        return call.strictLong(
                new Type.ListOf(struct.members().get(index).type()),
                List.of(list(call, 0)),
                (a, run) ->
                        Value.items(
                                Passing.stream(items(a[0]), run)
                                        .map(s -> items(s).get(index))
                                        .toList()));
    }
}
