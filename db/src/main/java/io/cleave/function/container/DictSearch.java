package io.cleave.function.container;

import io.cleave.function.call.InterruptibleItems;
import io.cleave.typed.ScalarFunction;
import io.cleave.value.HashKey;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds keys in dicts. If the same dict is searched twice in a row, as a dict that is the same for
/// every row, it is hashed at the second search. Before that its pairs are compared one by one.
///
/// Each function call has its own object. The hashed pairs belong to the run. Thread-safe.
final class DictSearch {
    /// Dicts with at most this many pairs are never hashed.
    private static final int FEW = 8;

    private final Type keyType;
    private final Type wantedType;

    /// The types must be comparable.
    DictSearch(Type keyType, Type wantedType) {
        this.keyType = keyType;
        this.wantedType = wantedType;
    }

    /// The dict that was searched last in a run, and its pairs by key once they are hashed.
    private static final class Last {
        private @Nullable Value dict;
        private @Nullable Map<Value, Value.Pair> pairs;
    }

    /// Null if the key is not found, or if `dict` is NULL.
    Value.@Nullable Pair find(Value dict, Value wanted, ScalarFunction.Run run) {
        if (!(dict instanceof Value.Pairs(List<Value.Pair> pairs))) {
            return null;
        }
        if (pairs.size() <= FEW) {
            return among(pairs, wanted, run);
        }
        Last last = run.remember(this, Last.class, Last::new);
        if (!isSame(dict, last.dict)) {
            last.dict = dict;
            last.pairs = null;
            return among(pairs, wanted, run);
        }
        Map<Value, Value.Pair> hashed = last.pairs;
        if (hashed == null) {
            hashed = hashed(pairs, run);
            last.pairs = hashed;
        }
        return hashed.get(HashKey.ofJoin(wantedType, wanted));
    }

    /// Compares by identity: comparing all pairs would take longer than the search.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Value dict, @Nullable Value other) {
        return dict == other;
    }

    private Value.@Nullable Pair among(
            List<Value.Pair> pairs, Value wanted, ScalarFunction.Run run) {
        for (Value.Pair pair : InterruptibleItems.over(pairs, run)) {
            if (Order.compare(keyType, pair.key(), wantedType, wanted) == 0) {
                return pair;
            }
        }
        return null;
    }

    private Map<Value, Value.Pair> hashed(List<Value.Pair> pairs, ScalarFunction.Run run) {
        Map<Value, Value.Pair> byKey = HashMap.newHashMap(pairs.size());
        for (Value.Pair pair : InterruptibleItems.over(pairs, run)) {
            // Keeps the first of equal keys, as the search one by one does.
            byKey.putIfAbsent(HashKey.ofJoin(keyType, pair.key()), pair);
        }
        return byKey;
    }
}
