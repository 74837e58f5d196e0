package io.cleave.analysis;

import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import java.util.ArrayList;
import java.util.List;

/// ListFold1, ListFoldMap and ListFold1Map, which carry a state through a list, and ListAggregate,
/// whose state is that of an aggregate.
final class ListFolds {
    private ListFolds() {}

    static void register(Functions.Registry registry) {
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
                                call.at(), call.name() + " where a value stands: a factory");
                    });
        }
    }

    /// The lambda at `index` of an item and the state, which gives the next state.
    private static Typed.Lambda update(FunctionCall call, int index, Type item, Type state) {
        Typed.Lambda update = call.lambda(index, item, state);
        return new Typed.Lambda(update.level(), Conversions.to(call.at(), update.body(), state));
    }

    /// `ListFold1(list, ($item) -> state, ($item, $state) -> state)`; NULL of an empty list.
    private static Typed fold1(FunctionCall call) {
        call.expect(3);
        if (call.type(0) == Type.Unit.EMPTY_LIST) {
            return new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
        }
        Type item = ListFunctions.item(call);
        Typed.Lambda init = call.lambda(1, item);
        return call.strict(
                init.type().optional(),
                List.of(ListFunctions.list(call, 0)),
                List.of(init, update(call, 2, item, init.type())),
                (a, f) -> {
                    List<Value> items = ListFunctions.items(a[0]);
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

    /// A lambda that gives what becomes of the item, and the next state.
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
        Type item = ListFunctions.item(call);
        Typed.Lambda step = step(call, 2, item, call.type(1));
        return call.strict(
                new Type.ListOf(checkPair(call, step.type())),
                List.of(ListFunctions.list(call, 0), call.value(1)),
                List.of(step),
                (a, f) -> Value.items(mapped(ListFunctions.items(a[0]), a[1], f[0])));
    }

    private static List<Value> mapped(List<Value> items, Value init, LambdaFunction.Callback step) {
        var mapped = new ArrayList<Value>();
        Value state = init;
        for (Value item : items) {
            List<Value> pair = ListFunctions.items(step.call(item, state));
            mapped.add(pair.getFirst());
            state = pair.get(1);
        }
        return mapped;
    }

    private static Typed fold1Map(FunctionCall call) {
        call.expect(3);
        Type item = ListFunctions.item(call);
        Typed.Lambda init = call.lambda(1, item);
        Type first = checkPair(call, init.type());
        Type state = ((Type.Tuple) init.type()).items().get(1);
        Typed.Lambda step = step(call, 2, item, state);
        if (!checkPair(call, step.type()).equals(first)) {
            throw call.error("Both lambdas of ListFold1Map have to give the same types");
        }
        return call.strict(
                new Type.ListOf(first),
                List.of(ListFunctions.list(call, 0)),
                List.of(init, step),
                (a, f) -> {
                    List<Value> items = ListFunctions.items(a[0]);
                    if (items.isEmpty()) {
                        return a[0];
                    }
                    List<Value> begin = ListFunctions.items(f[0].call(items.getFirst()));
                    var all = new ArrayList<Value>();
                    all.add(begin.getFirst());
                    all.addAll(mapped(items.subList(1, items.size()), begin.get(1), f[1]));
                    return Value.items(all);
                });
    }

    /// The aggregate that `AggregationFactory("sum")` names, of the items of `list`. `depth` is how
    /// many lambdas it stands in.
    private static Typed aggregated(FunctionCall call, Typed list, int depth) {
        AggregationFactories.Factory factory =
                AggregationFactories.factory(call.expression(1), call.scope(), call.name());
        AggregateTransforms around = call.transforms(factory.steps(), depth);
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
                                        Passing.over(ListFunctions.items(a[0]), run),
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

    /// Of an empty list as of a group without rows: COUNT is 0, most others are NULL.
    private static Typed aggregate(FunctionCall call) {
        call.expect(2);
        return aggregated(call, ListFunctions.list(call, 0), LambdaScope.depth(call.scope()));
    }

    /// Of a Dict of Lists: each list is aggregated.
    private static Typed dictAggregate(FunctionCall call) {
        call.expect(2);
        if (!(call.bare(0) instanceof Type.Dict(Type key, Type.ListOf list))) {
            throw call.error("Expected dict of lists, but got: " + call.type(0).text());
        }
        int level = LambdaScope.depth(call.scope());
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
