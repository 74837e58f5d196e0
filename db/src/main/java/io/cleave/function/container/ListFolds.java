package io.cleave.function.container;

import io.cleave.function.aggregate.AggregateTransforms;
import io.cleave.function.aggregate.Aggregates;
import io.cleave.function.aggregate.AggregationFactories;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.InterruptibleLists;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Registry;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.Errors;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;

/// ListFold1, ListFoldMap and ListFold1Map, which pass a state through a list, and ListAggregate,
/// whose state is that of an aggregate.
public final class ListFolds {
    private ListFolds() {}

    public static void register(Registry registry) {
        registry.add("ListFold1", ListFolds::fold1);
        registry.add("ListFoldMap", ListFolds::foldMap);
        registry.add("ListFold1Map", ListFolds::fold1Map);
        registry.add("ListAggregate", ListFolds::aggregate);
        registry.add("DictAggregate", ListFolds::dictAggregate);
        for (String name : AggregationFactories.NAMES) {
            registry.add(
                    name,
                    call -> {
                        throw Errors.unsupported(
                                call.at(), "A factory as a value (" + call.name() + ")");
                    });
        }
    }

    /// The lambda at `index`, which computes the next state from an item and the state.
    private static Typed.Lambda update(FunctionCall call, int index, Type item, Type state) {
        Typed.Lambda update = call.lambda(index, item, state);
        return new Typed.Lambda(update.level(), Conversions.to(call.at(), update.body(), state));
    }

    /// `ListFold1(list, ($item) -> state, ($item, $state) -> state)`; NULL for an empty list.
    private static Typed fold1(FunctionCall call) {
        call.expect(3);
        if (call.type(0) == Type.Unit.EMPTY_LIST) {
            return new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        }
        Type item = Lists.item(call);
        Typed.Lambda init = call.lambda(1, item);
        return call.strict(
                init.type().optional(),
                List.of(Lists.argument(call, 0)),
                List.of(init, update(call, 2, item, init.type())),
                (a, f) -> {
                    List<Value> items = Lists.items(a[0]);
                    if (items.isEmpty()) {
                        return Value.Null.NULL;
                    }
                    Value state = f[0].call(items.getFirst());
                    for (Value next : items.subList(1, items.size())) {
                        state = f[1].call(next, state);
                    }
                    return state;
                });
    }

    /// The lambda at `index`, which computes the mapped item and the next state.
    private static Typed.Lambda step(FunctionCall call, int index, Type item, Type state) {
        Typed.Lambda step = call.lambda(index, item, state);
        var pair = new Type.Tuple(List.of(checkPair(call, step.type()), state));
        return new Typed.Lambda(step.level(), Conversions.to(call.at(), step.body(), pair));
    }

    private static Type checkPair(FunctionCall call, Type type) {
        if (type instanceof Type.Tuple(List<Type> items) && items.size() == 2) {
            return items.getFirst();
        }
        throw call.error(
                "Expected lambda that gives a pair of item and state, but got: " + type.text());
    }

    /// `ListFoldMap(list, state, ($item, $state) -> (item, state))`.
    private static Typed foldMap(FunctionCall call) {
        call.expect(3);
        Type item = Lists.item(call);
        Typed.Lambda step = step(call, 2, item, call.type(1));
        return call.strict(
                new Type.ListOf(checkPair(call, step.type())),
                List.of(Lists.argument(call, 0), call.value(1)),
                List.of(step),
                (a, f) -> Value.items(mapped(Lists.items(a[0]), a[1], f[0])));
    }

    private static List<Value> mapped(List<Value> items, Value init, LambdaFunction.Callback step) {
        var mapped = new ArrayList<Value>();
        Value state = init;
        for (Value item : items) {
            List<Value> pair = Lists.items(step.call(item, state));
            mapped.add(pair.getFirst());
            state = pair.get(1);
        }
        return mapped;
    }

    private static Typed fold1Map(FunctionCall call) {
        call.expect(3);
        Type item = Lists.item(call);
        Typed.Lambda init = call.lambda(1, item);
        Type first = checkPair(call, init.type());
        Type state = ((Type.Tuple) init.type()).items().get(1);
        Typed.Lambda step = step(call, 2, item, state);
        if (!checkPair(call, step.type()).equals(first)) {
            throw call.error("Both lambdas of ListFold1Map have to give the same types");
        }
        return call.strict(
                new Type.ListOf(first),
                List.of(Lists.argument(call, 0)),
                List.of(init, step),
                (a, f) -> {
                    List<Value> items = Lists.items(a[0]);
                    if (items.isEmpty()) {
                        return a[0];
                    }
                    List<Value> begin = Lists.items(f[0].call(items.getFirst()));
                    var all = new ArrayList<Value>();
                    all.add(begin.getFirst());
                    all.addAll(mapped(items.subList(1, items.size()), begin.get(1), f[1]));
                    return Value.items(all);
                });
    }

    /// Applies the aggregate named by `AggregationFactory("sum")` to the items of `list`. `depth`
    /// is the number of enclosing lambdas.
    private static Typed aggregated(FunctionCall call, Typed list, int depth) {
        AggregationFactories.Factory factory =
                AggregationFactories.factory(call.expression(1), call.scope(), call.name());
        AggregateTransforms around = new AggregateTransforms(factory.steps(), depth);
        Typed items = around.inputs(list);
        var arguments = new ArrayList<Typed>();
        arguments.add(new Typed.Input(((Type.ListOf) items.type().unwrapped()).item(), 0));
        var parameters = new ArrayList<Value>();
        for (Expression.Argument parameter : factory.parameters()) {
            if (!(call.analyze(parameter.value()) instanceof Typed.Constant constant)) {
                throw call.error(
                        "Expected literals as parameters of AggregationFactory in " + call.name());
            }
            arguments.add(constant);
            parameters.add(constant.value());
        }
        AggregateFunction function = Aggregates.of(call.at(), factory.name(), arguments, false);
        return around.output(
                call.strictLong(
                        function.type(),
                        List.of(items),
                        (a, run) ->
                                aggregated(
                                        function,
                                        InterruptibleLists.over(Lists.items(a[0]), run),
                                        parameters)));
    }

    private static Value aggregated(
            AggregateFunction function, Iterable<Value> items, List<Value> parameters) {
        AggregateFunction.Accumulator sum = function.begin();
        for (Value item : items) {
            var arguments = new Value[1 + parameters.size()];
            arguments[0] = item;
            for (int index = 0; index < parameters.size(); index++) {
                arguments[1 + index] = parameters.get(index);
            }
            sum.add(arguments);
        }
        return sum.result();
    }

    /// An empty list is treated as a group without rows: COUNT is 0, most other aggregates are
    /// NULL.
    private static Typed aggregate(FunctionCall call) {
        call.expect(2);
        return aggregated(call, Lists.argument(call, 0), call.scope().depth());
    }

    /// Aggregates each list of a Dict of Lists.
    private static Typed dictAggregate(FunctionCall call) {
        call.expect(2);
        if (!(call.bare(0) instanceof Type.Dict(Type key, Type.ListOf list))) {
            throw call.error("Expected dict of lists, but got: " + call.type(0).text());
        }
        int level = call.scope().depth();
        var argument = new Typed.LambdaArgument(list, level, 0);
        Typed body = aggregated(call, argument, level + 1);
        return call.strict(
                new Type.Dict(key, body.type()),
                List.of(call.value(0)),
                List.of(new Typed.Lambda(level, body)),
                (a, f) ->
                        new Value.Pairs(
                                ((Value.Pairs) a[0])
                                        .pairs().stream()
                                                .map(
                                                        pair ->
                                                                new Value.Pair(
                                                                        pair.key(),
                                                                        f[0].call(pair.payload())))
                                                .toList()));
    }
}
