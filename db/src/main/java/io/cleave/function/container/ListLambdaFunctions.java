package io.cleave.function.container;

import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.InterruptibleLists;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Registry;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The functions on Lists that take a lambda: map, filter, sort, fold.
public final class ListLambdaFunctions {
    private ListLambdaFunctions() {}

    public static void register(Registry registry) {
        registry.add("ListMap", ListLambdaFunctions::map);
        registry.add("ListFilter", ListLambdaFunctions::filter);
        registry.add("ListFlatMap", ListLambdaFunctions::flatMap);
        registry.add("ListAny", c -> some(c, true));
        registry.add("ListAll", c -> some(c, false));
        registry.add("ListSort", c -> sort(c, false));
        registry.add("ListSortAsc", c -> sort(c, false));
        registry.add("ListSortDesc", c -> sort(c, true));
        registry.add("ListTakeWhile", c -> cutWhile(c, true, 0));
        registry.add("ListSkipWhile", c -> cutWhile(c, false, 0));
        registry.add("ListTakeWhileInclusive", c -> cutWhile(c, true, 1));
        registry.add("ListSkipWhileInclusive", c -> cutWhile(c, false, 1));
        registry.add("ListFold", ListLambdaFunctions::fold);
    }

    private static Typed map(FunctionCall call) {
        call.expect(2);
        Typed list = Lists.argument(call, 0);
        Typed.Lambda lambda = call.lambda(1, Lists.item(call));
        return call.strict(
                new Type.ListOf(lambda.type()),
                List.of(list),
                List.of(lambda),
                (a, f) ->
                        Value.items(
                                Lists.items(a[0]).stream().map(item -> f[0].call(item)).toList()));
    }

    /// A lambda on one item that returns a Bool.
    private static Typed.Lambda predicate(FunctionCall call, Type item) {
        Typed.Lambda lambda = call.lambda(1, item);
        return new Typed.Lambda(
                lambda.level(), Predicates.condition(call.expression(1).at(), lambda.body()));
    }

    private static boolean holds(LambdaFunction.Callback predicate, Value item) {
        return predicate.call(item).equals(Value.Bool.TRUE);
    }

    private static Typed filter(FunctionCall call) {
        call.expect(2);
        Typed list = Lists.argument(call, 0);
        return call.strict(
                list.type().unwrapped(),
                List.of(list),
                List.of(predicate(call, Lists.item(call))),
                (a, f) ->
                        Value.items(
                                Lists.items(a[0]).stream()
                                        .filter(item -> holds(f[0], item))
                                        .toList()));
    }

    /// The lambda returns a list, or an Optional; NULLs are skipped.
    private static Typed flatMap(FunctionCall call) {
        call.expect(2);
        Typed list = Lists.argument(call, 0);
        Typed.Lambda lambda = call.lambda(1, Lists.item(call));
        boolean lists = lambda.type().unwrapped() instanceof Type.ListOf;
        Type type;
        if (lists) {
            type = lambda.type().unwrapped();
        } else if (lambda.type() instanceof Type.Optional(Type item)) {
            type = new Type.ListOf(item);
        } else {
            throw call.error(
                    "Expected lambda that gives list or optional, but got: "
                            + lambda.type().text());
        }
        return call.strict(
                type,
                List.of(list),
                List.of(lambda),
                (a, f) -> {
                    var all = new ArrayList<Value>();
                    for (Value item : Lists.items(a[0])) {
                        Value given = f[0].call(item);
                        if (!given.isNull() && lists) {
                            List<Value> items = Lists.items(given);
                            ValueSizes.requireItems((long) all.size() + items.size());
                            all.addAll(items);
                        } else if (!given.isNull()) {
                            all.add(given);
                        }
                    }
                    return Value.items(all);
                });
    }

    /// ListAny and ListAll, over a list of Bools or with a lambda. NULL counts as false, and a NULL
    /// list counts as empty.
    private static Typed some(FunctionCall call, boolean any) {
        call.expect(1, 2);
        Typed list = Lists.argument(call, 0);
        Type item = Lists.item(call);
        if (call.count() == 1) {
            if (item.unwrapped() != Primitive.BOOL) {
                throw call.error("Expected list of bool, but got: " + list.type().text());
            }
            return call.applyLong(
                    Primitive.BOOL,
                    List.of(list),
                    (a, run) ->
                            a[0].isNull()
                                    ? Value.bool(!any)
                                    : some(InterruptibleLists.stream(Lists.items(a[0]), run), any));
        }
        return call.strict(
                Primitive.BOOL,
                List.of(list),
                List.of(predicate(call, item)),
                (a, f) ->
                        Value.bool(
                                any
                                        ? Lists.items(a[0]).stream().anyMatch(i -> holds(f[0], i))
                                        : Lists.items(a[0]).stream()
                                                .allMatch(i -> holds(f[0], i))));
    }

    private static Value some(Stream<Value> items, boolean any) {
        return Value.bool(
                any
                        ? items.anyMatch(Value.Bool.TRUE::equals)
                        : items.allMatch(Value.Bool.TRUE::equals));
    }

    private static Typed sort(FunctionCall call, boolean descending) {
        call.expect(1, 2);
        Typed list = Lists.argument(call, 0);
        Type item = Lists.item(call);
        if (call.count() == 1) {
            Predicates.requireOrdered(call.at(), item);
            Comparator<Value> order = ListTops.directed(item, descending);
            return call.strictLong(
                    list.type().unwrapped(),
                    List.of(list),
                    (a, run) -> Value.items(ListTops.sorted(Lists.items(a[0]), order, run)));
        }
        Typed.Lambda key = call.lambda(1, item);
        Predicates.requireOrdered(call.at(), key.type());
        Comparator<Value> order = ListTops.directed(key.type(), descending);
        return call.strictLong(
                list.type().unwrapped(),
                List.of(list),
                List.of(key),
                (a, f, run) -> Value.items(ListTops.sorted(Lists.items(a[0]), f[0], order, run)));
    }

    /// `beyond` is 1 if the cut is after the first item for which the predicate is false, and 0 if
    /// it is before that item.
    private static Typed cutWhile(FunctionCall call, boolean take, int beyond) {
        call.expect(2);
        Typed list = Lists.argument(call, 0);
        return call.strict(
                list.type().unwrapped(),
                List.of(list),
                List.of(predicate(call, Lists.item(call))),
                (a, f) -> {
                    List<Value> items = Lists.items(a[0]);
                    int cut = 0;
                    while (cut < items.size() && holds(f[0], items.get(cut))) {
                        cut++;
                    }
                    cut = Math.min(cut + beyond, items.size());
                    return Value.items(
                            take ? items.subList(0, cut) : items.subList(cut, items.size()));
                });
    }

    /// `ListFold(list, state, ($item, $state) -> …)`.
    private static Typed fold(FunctionCall call) {
        call.expect(3);
        Typed list = Lists.argument(call, 0);
        Typed state = call.value(1);
        if (call.type(0) == Type.Unit.EMPTY_LIST) {
            return state;
        }
        Typed.Lambda update = call.lambda(2, Lists.item(call), state.type());
        Typed body = Conversions.to(call.at(), update.body(), state.type());
        return new Typed.ApplyLambdas(
                list.type().isOptional() ? state.type().optional() : state.type(),
                LambdaFunction.of(
                        call.name(),
                        (a, f) -> {
                            if (a[0].isNull()) {
                                return a[0];
                            }
                            Value current = a[1];
                            for (Value item : Lists.items(a[0])) {
                                current = f[0].call(item, current);
                            }
                            return current;
                        }),
                List.of(list, state),
                List.of(new Typed.Lambda(update.level(), body)));
    }
}
