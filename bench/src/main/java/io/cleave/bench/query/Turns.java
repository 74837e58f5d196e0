package io.cleave.bench.query;

import io.cleave.bench.Load.Measured;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Measures several by turns, three times each, and takes the middle one of the three: what the
/// machine or a compiler does beside would otherwise count against whoever was measured just then.
final class Turns {
    private static final int ROUNDS = 3;

    private Turns() {}

    /// One turn of one of them.
    interface Turn<T> {
        Measured measure(T one) throws Exception;
    }

    /// `by` is the figure whose middle is looked for.
    static <T> Map<T, Measured> middle(List<T> all, Turn<T> turn, ToDoubleFunction<Measured> by)
            throws Exception {
        Map<T, List<Measured>> turns = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (T one : all) {
                turns.computeIfAbsent(one, _ -> new ArrayList<>()).add(turn.measure(one));
            }
        }
        Map<T, Measured> middle = new LinkedHashMap<>();
        turns.forEach(
                (one, measured) -> {
                    measured.sort(Comparator.comparingDouble(by));
                    middle.put(one, measured.get(ROUNDS / 2));
                });
        return middle;
    }
}
