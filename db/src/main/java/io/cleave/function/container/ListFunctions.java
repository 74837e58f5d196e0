package io.cleave.function.container;

import io.cleave.function.aggregate.Aggregates;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.InterruptibleLists;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
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

/// The functions on Lists that take no lambda. They return NULL for a NULL list unless stated
/// otherwise.
public final class ListFunctions {
    /// An operation on the items of a list that is not NULL.
    @FunctionalInterface
    private interface Step {
        Value apply(List<Value> items);
    }

    @FunctionalInterface
    private interface LongStep {
        Value apply(List<Value> items, ScalarFunction.Run run);
    }

    private ListFunctions() {}

    public static void register(Registry registry) {
        registry.add("ListLength", ListFunctions::length);
        registry.add("ListHasItems", c -> step(c, Primitive.BOOL, i -> Value.bool(!i.isEmpty())));
        registry.add("ListCollect", c -> step(c, list(c), Value::items));
        registry.add("ListReverse", c -> step(c, list(c), i -> Value.items(i.reversed())));
        registry.add("ListHead", c -> step(c, Lists.item(c).optional(), i -> at(i, 0)));
        registry.add("ListLast", c -> step(c, Lists.item(c).optional(), i -> at(i, i.size() - 1)));
        registry.add(
                "ListUniq", c -> longStep(c, list(c), (i, run) -> unique(Lists.item(c), i, run)));
        registry.add(
                "ListUniqStable",
                c -> longStep(c, list(c), (i, run) -> unique(Lists.item(c), i, run)));
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

    private static Type list(FunctionCall call) {
        call.expect(1);
        return Lists.argument(call, 0).type().unwrapped();
    }

    private static Typed step(FunctionCall call, Type type, Step step) {
        call.expect(1);
        return call.strict(
                type, List.of(Lists.argument(call, 0)), a -> step.apply(Lists.items(a[0])));
    }

    /// Like `step`, for operations that visit all items.
    private static Typed longStep(FunctionCall call, Type type, LongStep step) {
        call.expect(1);
        return call.strictLong(
                type,
                List.of(Lists.argument(call, 0)),
                (a, run) -> step.apply(Lists.items(a[0]), run));
    }

    /// The length of a list or a Dict.
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
        for (Value value : InterruptibleLists.over(items, run)) {
            first.putIfAbsent(HashKey.ofGroup(item, value), value);
        }
        return Value.items(List.copyOf(first.values()));
    }

    private static Typed notNull(FunctionCall call) {
        Type item = Lists.item(call);
        return longStep(
                call,
                new Type.ListOf(item.unwrapped()),
                (items, run) ->
                        Value.items(
                                InterruptibleLists.stream(items, run)
                                        .filter(i -> !i.isNull())
                                        .toList()));
    }

    private static Typed flatten(FunctionCall call) {
        if (!(Lists.item(call).unwrapped() instanceof Type.ListOf inner)) {
            throw call.error("Expected list of lists, but got: " + call.type(0).text());
        }
        return longStep(
                call,
                inner,
                (items, run) -> {
                    var all = new ArrayList<Value>();
                    for (Value list : InterruptibleLists.over(items, run)) {
                        if (!list.isNull()) {
                            ValueSizes.requireItems((long) all.size() + Lists.items(list).size());
                            all.addAll(Lists.items(list));
                        }
                    }
                    return Value.items(all);
                });
    }

    /// NULL equals NULL here. The result for a NULL list is false.
    private static Typed has(FunctionCall call) {
        call.expect(2);
        Type item = Lists.item(call);
        Type wanted = call.type(1);
        Predicates.requireComparable(call.at(), item, wanted);
        return call.applyLong(
                Primitive.BOOL,
                List.of(Lists.argument(call, 0), call.value(1)),
                (a, run) ->
                        Value.bool(
                                !a[0].isNull()
                                        && indexOf(item, Lists.items(a[0]), wanted, a[1], run)
                                                >= 0));
    }

    private static Typed indexOf(FunctionCall call) {
        call.expect(2);
        Type item = Lists.item(call);
        Type wanted = call.type(1);
        Predicates.requireComparable(call.at(), item, wanted);
        return call.strictLong(
                Primitive.UINT64.optional(),
                List.of(Lists.argument(call, 0), call.value(1)),
                (a, run) -> {
                    int index = indexOf(item, Lists.items(a[0]), wanted, a[1], run);
                    return index < 0 ? Value.Null.NULL : Value.of(index);
                });
    }

    private static int indexOf(
            Type item, List<Value> items, Type wantedType, Value wanted, ScalarFunction.Run run) {
        int index = 0;
        for (Value value : InterruptibleLists.over(items, run)) {
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
                Lists.argument(call, 0).type().unwrapped(),
                List.of(Lists.argument(call, 0), Numbers.count(call, 1)),
                a -> {
                    List<Value> items = Lists.items(a[0]);
                    return Value.items(items.subList(0, Numbers.bounded(a[1], items.size())));
                });
    }

    private static Typed skip(FunctionCall call) {
        call.expect(2);
        return call.strict(
                Lists.argument(call, 0).type().unwrapped(),
                List.of(Lists.argument(call, 0), Numbers.count(call, 1)),
                a -> {
                    List<Value> items = Lists.items(a[0]);
                    return Value.items(
                            items.subList(Numbers.bounded(a[1], items.size()), items.size()));
                });
    }

    private static Typed extend(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var lists = new ArrayList<Typed>();
        for (int index = 0; index < call.count(); index++) {
            if (call.type(index) != Type.Unit.EMPTY_LIST) {
                lists.add(Lists.argument(call, index));
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
                        ValueSizes.requireItems((long) all.size() + Lists.items(list).size());
                        all.addAll(Lists.items(list));
                    }
                    return Value.items(all);
                });
    }

    private static Typed zip(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var lists = new ArrayList<Typed>();
        var types = new ArrayList<Type>();
        for (int index = 0; index < call.count(); index++) {
            lists.add(Lists.argument(call, index));
            types.add(((Type.ListOf) lists.getLast().type().unwrapped()).item());
        }
        return call.strictLong(
                new Type.ListOf(new Type.Tuple(types)),
                lists,
                (a, run) -> {
                    int size = Integer.MAX_VALUE;
                    for (Value list : a) {
                        size = Math.min(size, Lists.items(list).size());
                    }
                    var rows = new ArrayList<Value>();
                    for (int index = 0; index < size; index++) {
                        run.pass(a.length);
                        var row = new ArrayList<Value>();
                        for (Value list : a) {
                            row.add(Lists.items(list).get(index));
                        }
                        rows.add(Value.items(row));
                    }
                    return Value.items(rows);
                });
    }

    private static Typed enumerate(FunctionCall call) {
        call.expect(1, 3);
        var arguments = new ArrayList<Typed>();
        arguments.add(Lists.argument(call, 0));
        for (int index = 1; index < call.count(); index++) {
            arguments.add(Numbers.count(call, index));
        }
        return call.strictLong(
                new Type.ListOf(new Type.Tuple(List.of(Primitive.UINT64, Lists.item(call)))),
                arguments,
                (a, run) -> {
                    long number = a.length > 1 ? ((Value.Int) a[1]).value() : 0;
                    long step = a.length > 2 ? ((Value.Int) a[2]).value() : 1;
                    var pairs = new ArrayList<Value>();
                    for (Value item : InterruptibleLists.over(Lists.items(a[0]), run)) {
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
        Type item = Lists.item(call);
        Predicates.requireOrdered(call.at(), item);
        Comparator<Value> order = Items.order(item);
        return longStep(
                call,
                item.optional(),
                (items, run) ->
                        InterruptibleLists.stream(items, run)
                                .filter(i -> !i.isNull())
                                .max(sign > 0 ? order : order.reversed())
                                .orElse(Value.Null.NULL));
    }

    /// The same as the aggregate SUM over the items.
    private static Typed sum(FunctionCall call) {
        return aggregate(call, "SUM");
    }

    private static Typed average(FunctionCall call) {
        return aggregate(call, "AVG");
    }

    private static Typed aggregate(FunctionCall call, String name) {
        AggregateFunction function =
                Aggregates.find(call.at(), name, List.of(Lists.item(call)), false);
        return longStep(
                call,
                function.type().optional(),
                (items, run) -> {
                    AggregateFunction.Accumulator sum = function.begin();
                    for (Value item : InterruptibleLists.over(items, run)) {
                        sum.add(new Value[] {item});
                    }
                    return sum.result();
                });
    }

    /// `ListExtract(structs, "member")`.
    private static Typed extract(FunctionCall call) {
        call.expect(2);
        if (!(Lists.item(call) instanceof Type.Struct struct)) {
            throw call.error("Expected list of structs, but got: " + call.type(0).text());
        }
        int index = struct.indexOf(call.text(1));
        if (index < 0) {
            throw call.error("Member not found: " + call.text(1));
        }
        return call.strictLong(
                new Type.ListOf(struct.members().get(index).type()),
                List.of(Lists.argument(call, 0)),
                (a, run) ->
                        Value.items(
                                InterruptibleLists.stream(Lists.items(a[0]), run)
                                        .map(s -> Lists.items(s).get(index))
                                        .toList()));
    }
}
