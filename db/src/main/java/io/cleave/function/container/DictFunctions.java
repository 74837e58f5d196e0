package io.cleave.function.container;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.InterruptibleLists;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Registry;
import io.cleave.function.operator.Predicates;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.HashKey;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The functions on Dicts, and on Sets, which are Dicts whose payload is Void.
public final class DictFunctions {
    @FunctionalInterface
    private interface Step {
        Value apply(List<Value.Pair> pairs, ScalarFunction.Run run);
    }

    private DictFunctions() {}

    public static void register(Registry registry) {
        registry.add("ToDict", DictFunctions::toDict);
        registry.add("ToSortedDict", DictFunctions::toDict);
        registry.add("ToHashedDict", DictFunctions::toDict);
        registry.add("ToMultiDict", DictFunctions::toMultiDict);
        registry.add("ToSortedMultiDict", DictFunctions::toMultiDict);
        registry.add("ToHashedMultiDict", DictFunctions::toMultiDict);
        registry.add("ToSet", DictFunctions::toSet);
        registry.add("DictFromKeys", DictFunctions::toSet);
        registry.add("DictLength", DictFunctions::length);
        registry.add(
                "DictHasItems", c -> step(c, Primitive.BOOL, (p, _) -> Value.bool(!p.isEmpty())));
        registry.add("DictKeys", DictFunctions::keys);
        registry.add("DictPayloads", DictFunctions::payloads);
        registry.add("DictItems", DictFunctions::items);
        registry.add("DictLookup", DictFunctions::lookup);
        registry.add("DictContains", DictFunctions::contains);
    }

    private static Type.Dict type(FunctionCall call) {
        if (call.bare(0) instanceof Type.Dict dict) {
            return dict;
        }
        throw call.error("Expected dict type, but got: " + call.type(0).text());
    }

    private static List<Value.Pair> pairs(Value dict) {
        return ((Value.Pairs) dict).pairs();
    }

    private static Typed step(FunctionCall call, Type result, Step step) {
        call.expect(1);
        type(call);
        return call.strictLong(
                result, List.of(call.value(0)), (a, run) -> step.apply(pairs(a[0]), run));
    }

    static Typed length(FunctionCall call) {
        return step(call, Primitive.UINT64, (pairs, _) -> Value.of(pairs.size()));
    }

    private static Typed keys(FunctionCall call) {
        return step(
                call,
                new Type.ListOf(type(call).key()),
                (pairs, run) ->
                        Value.items(
                                InterruptibleLists.stream(pairs, run)
                                        .map(Value.Pair::key)
                                        .toList()));
    }

    private static Typed payloads(FunctionCall call) {
        return step(
                call,
                new Type.ListOf(type(call).payload()),
                (pairs, run) ->
                        Value.items(
                                InterruptibleLists.stream(pairs, run)
                                        .map(Value.Pair::payload)
                                        .toList()));
    }

    private static Typed items(FunctionCall call) {
        Type pair = new Type.Tuple(List.of(type(call).key(), type(call).payload()));
        return step(
                call,
                new Type.ListOf(pair),
                (pairs, run) ->
                        Value.items(
                                InterruptibleLists.stream(pairs, run)
                                        .map(p -> Value.items(List.of(p.key(), p.payload())))
                                        .toList()));
    }

    private static Typed lookup(FunctionCall call) {
        call.expect(2);
        Type.Dict dict = type(call);
        return Items.lookup(call.at(), call.value(0), dict.key(), dict.payload(), call.value(1));
    }

    private static Typed contains(FunctionCall call) {
        call.expect(2);
        Type key = type(call).key();
        Type wanted = call.type(1);
        Predicates.requireComparable(call.at(), wanted, key);
        boolean optional = call.type(0).isOptional();
        var search = new DictSearch(key, wanted);
        return call.applyLong(
                optional ? Primitive.BOOL.optional() : Primitive.BOOL,
                List.of(call.value(0), call.value(1)),
                (a, run) ->
                        a[0].isNull() ? a[0] : Value.bool(search.find(a[0], a[1], run) != null));
    }

    /// The key and payload types of a list of pairs.
    private static List<Type> pairTypes(FunctionCall call) {
        call.expect(1);
        if (Lists.item(call) instanceof Type.Tuple(List<Type> types) && types.size() == 2) {
            return types;
        }
        throw call.error(
                "Expected list of pairs, but got: " + Lists.argument(call, 0).type().text());
    }

    /// Converts a list of pairs; each key gets the list of its payloads.
    private static Typed toMultiDict(FunctionCall call) {
        List<Type> types = pairTypes(call);
        Type key = types.get(0);
        return call.strictLong(
                new Type.Dict(key, new Type.ListOf(types.get(1))),
                List.of(Lists.argument(call, 0)),
                (a, run) -> {
                    Map<Value, Value> keys = new LinkedHashMap<>();
                    Map<Value, List<Value>> payloads = new LinkedHashMap<>();
                    for (Value item : InterruptibleLists.over(Lists.items(a[0]), run)) {
                        List<Value> both = Lists.items(item);
                        Value hash = HashKey.ofGroup(key, both.get(0));
                        keys.putIfAbsent(hash, both.get(0));
                        payloads.computeIfAbsent(hash, _ -> new ArrayList<>()).add(both.get(1));
                    }
                    var pairs = new ArrayList<Value.Pair>();
                    payloads.forEach(
                            (hash, list) ->
                                    pairs.add(
                                            new Value.Pair(
                                                    Objects.requireNonNull(keys.get(hash)),
                                                    Value.items(list))));
                    return new Value.Pairs(pairs);
                });
    }

    /// Converts a list of pairs; the first pair of each key is kept.
    private static Typed toDict(FunctionCall call) {
        List<Type> types = pairTypes(call);
        Typed list = Lists.argument(call, 0);
        return call.strictLong(
                new Type.Dict(types.get(0), types.get(1)),
                List.of(list),
                (a, run) -> {
                    var pairs = new ArrayList<Value.Pair>();
                    for (Value item : InterruptibleLists.over(Lists.items(a[0]), run)) {
                        List<Value> both = Lists.items(item);
                        pairs.add(new Value.Pair(both.get(0), both.get(1)));
                    }
                    return Items.pairs(types.get(0), InterruptibleLists.over(pairs, run));
                });
    }

    private static Typed toSet(FunctionCall call) {
        call.expect(1);
        Type item = Lists.item(call);
        return call.strictLong(
                new Type.Dict(item, Type.Unit.VOID),
                List.of(Lists.argument(call, 0)),
                (a, run) ->
                        Items.pairs(
                                item,
                                InterruptibleLists.stream(Lists.items(a[0]), run)
                                        .map(key -> new Value.Pair(key, Value.Null.NULL))
                                        .toList()));
    }
}
