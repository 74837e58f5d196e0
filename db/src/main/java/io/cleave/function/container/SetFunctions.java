package io.cleave.function.container;

import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.InterruptibleLists;
import io.cleave.function.call.Lists;
import io.cleave.function.call.Registry;
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

/// Set operations on the keys of Dicts and Sets: SetUnion, SetIncludes and similar functions.
/// Without a lambda the result is a Set, except for a difference. With a lambda, its results are
/// the payloads.
public final class SetFunctions {
    private SetFunctions() {}

    public static void register(Registry registry) {
        registry.add("SetIsDisjoint", c -> test(c, true));
        registry.add("SetIncludes", c -> test(c, false));
        registry.add("SetUnion", c -> combine(c, true, true, true));
        registry.add("SetIntersection", c -> combine(c, false, true, false));
        registry.add("SetDifference", c -> combine(c, true, false, false));
        registry.add("SetSymmetricDifference", c -> combine(c, true, false, true));
    }

    private static Type.Dict dict(FunctionCall call, int index) {
        if (call.bare(index) instanceof Type.Dict dict) {
            return dict;
        }
        throw call.error("Expected dict type, but got: " + call.type(index).text());
    }

    private static Map<Value, Value.Pair> byKey(Type key, Value dict, ScalarFunction.Run run) {
        Map<Value, Value.Pair> pairs = new LinkedHashMap<>();
        for (Value.Pair pair : InterruptibleLists.over(((Value.Pairs) dict).pairs(), run)) {
            pairs.put(HashKey.ofGroup(key, pair.key()), pair);
        }
        return pairs;
    }

    /// Whether the second argument, a List or a Dict, has no key of the first (`disjoint`), or only
    /// keys of the first.
    private static Typed test(FunctionCall call, boolean disjoint) {
        call.expect(2);
        Type key = dict(call, 0).key();
        boolean list = call.bare(1) instanceof Type.ListOf;
        Type other = list ? ((Type.ListOf) call.bare(1)).item() : dict(call, 1).key();
        requireSame(call, key, other);
        return call.strictLong(
                Primitive.BOOL,
                List.of(call.value(0), call.value(1)),
                (a, run) -> {
                    Map<Value, Value.Pair> pairs = byKey(key, a[0], run);
                    List<Value> wanted =
                            list
                                    ? Lists.items(a[1])
                                    : ((Value.Pairs) a[1])
                                            .pairs().stream().map(Value.Pair::key).toList();
                    return Value.bool(
                            InterruptibleLists.stream(wanted, run)
                                    .allMatch(
                                            item ->
                                                    pairs.containsKey(HashKey.ofGroup(key, item))
                                                            != disjoint));
                });
    }

    private static void requireSame(FunctionCall call, Type key, Type other) {
        if (!key.equals(other)) {
            throw call.error("Mismatch types: %s!=%s".formatted(key.text(), other.text()));
        }
    }

    /// The flags select the keys that occur only on the left, on both sides, and only on the right.
    private static Typed combine(FunctionCall call, boolean left, boolean both, boolean right) {
        call.expect(2, 3);
        Type.Dict first = dict(call, 0);
        Type.Dict second = dict(call, 1);
        requireSame(call, first.key(), second.key());
        var arguments = List.of(call.value(0), call.value(1));
        // A difference keeps the payloads of the left side.
        boolean keeps = left && !both && !right;
        if (call.count() == 2 || keeps) {
            Type payload = keeps ? first.payload() : Type.Unit.VOID;
            return call.strictLong(
                    new Type.Dict(first.key(), payload),
                    arguments,
                    (a, run) ->
                            combined(
                                    first.key(),
                                    a,
                                    run,
                                    left,
                                    both,
                                    right,
                                    (_, l, _) -> keeps ? l : Value.Null.NULL));
        }
        // If a side may lack a key, its payload may be NULL.
        boolean outer = left || right;
        Typed.Lambda lambda =
                call.lambda(
                        2,
                        first.key(),
                        outer ? new Type.Optional(first.payload()) : first.payload(),
                        outer ? new Type.Optional(second.payload()) : second.payload());
        return call.strictLong(
                new Type.Dict(first.key(), lambda.type()),
                arguments,
                List.of(lambda),
                (a, f, run) -> combined(first.key(), a, run, left, both, right, f[0]::call));
    }

    @FunctionalInterface
    private interface Merge {
        Value of(Value key, Value left, Value right);
    }

    private static Value combined(
            Type key,
            Value[] dicts,
            ScalarFunction.Run run,
            boolean left,
            boolean both,
            boolean right,
            Merge merge) {
        Map<Value, Value.Pair> first = byKey(key, dicts[0], run);
        Map<Value, Value.Pair> second = byKey(key, dicts[1], run);
        var result = new ArrayList<Value.Pair>();
        first.forEach(
                (hash, pair) -> {
                    run.pass(1);
                    Value.Pair other = second.get(hash);
                    if (other == null ? left : both) {
                        Value payload = other == null ? Value.Null.NULL : other.payload();
                        result.add(
                                new Value.Pair(
                                        pair.key(), merge.of(pair.key(), pair.payload(), payload)));
                    }
                });
        second.forEach(
                (hash, pair) -> {
                    run.pass(1);
                    if (right && !first.containsKey(hash)) {
                        result.add(
                                new Value.Pair(
                                        pair.key(),
                                        merge.of(pair.key(), Value.Null.NULL, pair.payload())));
                    }
                });
        return new Value.Pairs(result);
    }
}
