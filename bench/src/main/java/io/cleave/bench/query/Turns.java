package io.cleave.bench.query;

import io.cleave.bench.Load.Measured;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Measures several systems in turn, three times each, and takes the median. Otherwise, other
/// activity of the machine or of a compiler would count against the system that is measured at that
/// moment.
final class Turns {
    private static final int ROUNDS = 3;

    private Turns() {}

    /// One measurement of one system.
    interface Turn<T> {
        Measured measure(T one) throws Exception;
    }

    /// `by` is the figure of which the median is taken.
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
