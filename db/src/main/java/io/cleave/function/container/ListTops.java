package io.cleave.function.container;

import io.cleave.base.Bytes;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.InterruptibleLists;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Numbers;
import io.cleave.function.call.Registry;
import io.cleave.function.call.Texts;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.Errors;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// More functions on Lists: the best items, random selection, conversion from and to tuples, and
/// the combination of several lists.
public final class ListTops {
    private static final int MAX_TUPLE_ITEMS = 10_000;

    private ListTops() {}

    public static void register(Registry registry) {
        for (String name : List.of("ListTop", "ListTopSort")) {
            registry.add(name, c -> top(c, false));
            registry.add(name + "Asc", c -> top(c, false));
            registry.add(name + "Desc", c -> top(c, true));
        }
        registry.add("ListZipAll", ListTops::zipAll);
        registry.add("ListUnionAll", ListTops::unionAll);
        registry.add("ListConcat", ListTops::concat);
        registry.add("ListFromTuple", ListTops::fromTuple);
        registry.add("ListToTuple", ListTops::toTuple);
        registry.add("ListSample", ListTops::sample);
        registry.add("ListSampleN", ListTops::sampleCount);
        registry.add("ListShuffle", ListTops::shuffle);
    }

    /// `ListTopAsc(list, n[, ($item) -> key])`: the first n items, sorted.
    private static Typed top(FunctionCall call, boolean descending) {
        call.expect(2, 3);
        Typed list = Lists.argument(call, 0);
        Type item = Lists.item(call);
        Typed count = Numbers.count(call, 1);
        if (call.count() == 2) {
            Predicates.requireOrdered(call.at(), item);
            Comparator<Value> order = directed(item, descending);
            return call.strictLong(
                    list.type().unwrapped(),
                    List.of(list, count),
                    (a, run) -> first(sorted(Lists.items(a[0]), order, run), a[1]));
        }
        Typed.Lambda key = call.lambda(2, item);
        Predicates.requireOrdered(call.at(), key.type());
        Comparator<Value> order = directed(key.type(), descending);
        return call.strictLong(
                list.type().unwrapped(),
                List.of(list, count),
                List.of(key),
                (a, f, run) -> first(sorted(Lists.items(a[0]), f[0], order, run), a[1]));
    }

    private static Value first(List<Value> items, Value count) {
        return Value.items(items.subList(0, Numbers.bounded(count, items.size())));
    }

    static List<Value> sorted(List<Value> items, Comparator<Value> order, ScalarFunction.Run run) {
        return items.stream().sorted(InterruptibleLists.by(order, items.size(), run)).toList();
    }

    /// Sorts the items by the keys that the lambda returns.
    static List<Value> sorted(
            List<Value> items,
            LambdaFunction.Callback lambda,
            Comparator<Value> order,
            ScalarFunction.Run run) {
        List<Value> keys = items.stream().map(item -> lambda.call(item)).toList();
        var places = new ArrayList<Integer>();
        for (int index = 0; index < items.size(); index++) {
            places.add(index);
        }
        places.sort(
                InterruptibleLists.by(Comparator.comparing(keys::get, order), items.size(), run));
        return places.stream().map(items::get).toList();
    }

    static Comparator<Value> directed(Type type, boolean descending) {
        Comparator<Value> order = Items.order(type);
        return descending ? order.reversed() : order;
    }

    /// Like ListZip, but as long as the longest list; missing items are NULL.
    private static Typed zipAll(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var lists = new ArrayList<Typed>();
        var types = new ArrayList<Type>();
        for (int index = 0; index < call.count(); index++) {
            Typed list = Lists.argument(call, index);
            lists.add(list);
            Type item = ((Type.ListOf) list.type().unwrapped()).item();
            types.add(item.isOptional() ? new Type.Optional(item) : item.optional());
        }
        return call.strictLong(
                new Type.ListOf(new Type.Tuple(types)),
                lists,
                (a, run) -> {
                    int size = 0;
                    for (Value list : a) {
                        size = Math.max(size, Lists.items(list).size());
                    }
                    var rows = new ArrayList<Value>();
                    for (int index = 0; index < size; index++) {
                        run.pass(a.length);
                        var row = new ArrayList<Value>();
                        for (Value list : a) {
                            List<Value> items = Lists.items(list);
                            Value item = index < items.size() ? items.get(index) : Value.Null.NULL;
                            // A NULL item must differ from a missing item.
                            boolean isNull = index < items.size() && item.isNull();
                            row.add(isNull ? new Value.Just(item) : item);
                        }
                        rows.add(Value.items(row));
                    }
                    return Value.items(rows);
                });
    }

    /// Concatenates lists of structs; members that a struct lacks are NULL.
    private static Typed unionAll(FunctionCall call) {
        call.expect(1, Integer.MAX_VALUE);
        var members = new LinkedHashMap<String, Type>();
        var structs = new ArrayList<Type.Struct>();
        for (int index = 0; index < call.count(); index++) {
            Typed list = Lists.argument(call, index);
            if (!(((Type.ListOf) list.type().unwrapped()).item() instanceof Type.Struct struct)) {
                throw call.error("Expected list of structs, but got: " + list.type().text());
            }
            structs.add(struct);
            for (Type.Member member : struct.members()) {
                Type known = members.putIfAbsent(member.name(), member.type());
                if (known != null && !known.unwrapped().equals(member.type().unwrapped())) {
                    throw call.error(
                            "Uncompatible types of member %s: %s and %s"
                                    .formatted(member.name(), known.text(), member.type().text()));
                }
                if (member.type().isOptional()) {
                    members.put(member.name(), member.type());
                }
            }
        }
        var all = new ArrayList<Type.Member>();
        members.forEach(
                (name, type) -> {
                    boolean everywhere = structs.stream().allMatch(s -> s.indexOf(name) >= 0);
                    all.add(new Type.Member(name, everywhere ? type : type.optional()));
                });
        var lists = new ArrayList<Typed>();
        for (int index = 0; index < call.count(); index++) {
            lists.add(Lists.argument(call, index));
        }
        return call.strictLong(
                new Type.ListOf(new Type.Struct(all)),
                lists,
                (a, run) -> {
                    var items = new ArrayList<Value>();
                    for (int index = 0; index < a.length; index++) {
                        Type.Struct from = structs.get(index);
                        for (Value item : InterruptibleLists.over(Lists.items(a[index]), run)) {
                            items.add(widened(from, all, Lists.items(item)));
                        }
                    }
                    return Value.items(items);
                });
    }

    private static Value widened(Type.Struct from, List<Type.Member> to, List<Value> values) {
        var wide = new ArrayList<Value>();
        for (Type.Member member : to) {
            int index = from.indexOf(member.name());
            wide.add(index < 0 ? Value.Null.NULL : values.get(index));
        }
        return Value.items(wide);
    }

    /// `ListConcat(strings[, separator])`: one string. The result is NULL for an empty list and for
    /// a list of NULL literals.
    private static Typed concat(FunctionCall call) {
        call.expect(1, 2);
        Typed list = Lists.argument(call, 0);
        Type item = Lists.item(call);
        if (!Texts.isString(item) && item != Type.Unit.NULL) {
            throw call.error("Expected list of strings, but got: " + list.type().text());
        }
        Type type = item == Type.Unit.NULL ? Primitive.STRING : item;
        var arguments = new ArrayList<Typed>();
        arguments.add(list);
        if (call.count() == 2) {
            arguments.add(
                    Conversions.literal(call.value(1), type).orElseGet(() -> call.as(1, type)));
        }
        return call.strictLong(
                type.optional(),
                arguments,
                (a, run) -> {
                    List<Value> items = Lists.items(a[0]);
                    if (items.isEmpty() || item == Type.Unit.NULL) {
                        return Value.Null.NULL;
                    }
                    byte[] separator = a.length == 2 ? Texts.bytes(a[1]).array() : new byte[0];
                    var out = new ByteArrayOutputStream();
                    for (int index = 0; index < items.size(); index++) {
                        run.pass(1);
                        if (index > 0) {
                            out.writeBytes(separator);
                        }
                        out.writeBytes(Texts.bytes(items.get(index)).array());
                        ValueSizes.requireBytes(out.size());
                    }
                    return Texts.value(type, Bytes.wrap(out.toByteArray()));
                });
    }

    private static Typed fromTuple(FunctionCall call) {
        call.expect(1);
        if (!(call.type(0) instanceof Type.Tuple(List<Type> types))) {
            throw call.error("Expected tuple type, but got: " + call.type(0).text());
        }
        var items = new ArrayList<Typed>();
        for (int index = 0; index < types.size(); index++) {
            items.add(Items.member(call.at(), call.value(0), Integer.toString(index)));
        }
        return Items.list(call.at(), items);
    }

    /// `ListToTuple(list, n)`: fails unless the list has n items.
    private static Typed toTuple(FunctionCall call) {
        call.expect(2);
        int size = call.number(1);
        if (size < 0 || size > MAX_TUPLE_ITEMS) {
            throw call.error("Wrong number of a tuple's elements: " + size);
        }
        Type item = Lists.item(call);
        var at = call.at();
        return call.strict(
                new Type.Tuple(Collections.nCopies(size, item)),
                List.of(Lists.argument(call, 0)),
                a -> {
                    if (Lists.items(a[0]).size() != size) {
                        throw Errors.failure(
                                at,
                                "ListToTuple: expected %d items, but got %d"
                                        .formatted(size, Lists.items(a[0]).size()));
                    }
                    return a[0];
                });
    }

    private static Typed chance(
            FunctionCall call, List<Typed> arguments, ScalarFunction.RunBody body) {
        Type list = Lists.argument(call, 0).type();
        return new Typed.Apply(
                list,
                ScalarFunction.random(
                        call.name(), (a, run) -> a[0].isNull() ? a[0] : body.apply(a, run)),
                arguments);
    }

    /// `ListSample(list, p)`: keeps each item with probability p.
    private static Typed sample(FunctionCall call) {
        call.expect(2, 3);
        return chance(
                call,
                List.of(Lists.argument(call, 0), call.as(1, Primitive.DOUBLE)),
                (a, run) -> {
                    double share = a[1] instanceof Value.Real(double number) ? number : 0;
                    return Value.items(
                            InterruptibleLists.stream(Lists.items(a[0]), run)
                                    .filter(_ -> run.randomDouble() < share)
                                    .toList());
                });
    }

    /// `ListSampleN(list, n)`: n random items, in list order.
    private static Typed sampleCount(FunctionCall call) {
        call.expect(2, 3);
        return chance(
                call,
                List.of(Lists.argument(call, 0), Numbers.count(call, 1)),
                (a, run) -> {
                    List<Value> items = Lists.items(a[0]);
                    long wanted =
                            a[1].isNull() ? items.size() : Numbers.bounded(a[1], items.size());
                    var chosen = new ArrayList<Value>();
                    for (int index = 0; index < items.size(); index++) {
                        run.pass(1);
                        double left = items.size() - index;
                        if (run.randomDouble() * left < wanted - chosen.size()) {
                            chosen.add(items.get(index));
                        }
                    }
                    return Value.items(chosen);
                });
    }

    private static Typed shuffle(FunctionCall call) {
        call.expect(1, 2);
        return chance(
                call,
                List.of(Lists.argument(call, 0)),
                (a, run) -> {
                    var items = new ArrayList<>(Lists.items(a[0]));
                    for (int index = items.size() - 1; index > 0; index--) {
                        run.pass(1);
                        int other = (int) (run.randomDouble() * (index + 1));
                        Collections.swap(items, index, other);
                    }
                    return Value.items(items);
                });
    }
}
