package io.cleave.analysis;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// Goes over long lists so that the run can be ended meanwhile: each item is a step. Short lists,
/// which most are, are gone over as they are.
final class Passing {
    private static final int SHORT_ITEMS = 1_024;

    private Passing() {}

    static <T> Iterable<T> over(List<T> items, ScalarFunction.Run run) {
        if (items.size() <= SHORT_ITEMS) {
            return items;
        }
        return () -> {
            Iterator<T> all = items.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return all.hasNext();
                }

                @Override
                public T next() {
                    run.pass(1);
                    return all.next();
                }
            };
        };
    }

    static <T> Stream<T> stream(List<T> items, ScalarFunction.Run run) {
        return items.size() <= SHORT_ITEMS ? items.stream() : items.stream().peek(_ -> run.pass(1));
    }

    /// The order for sorting a list of that size: each comparison is a step.
    static <T> Comparator<T> by(Comparator<T> order, int size, ScalarFunction.Run run) {
        if (size <= SHORT_ITEMS) {
            return order;
        }
        return (left, right) -> {
            run.pass(1);
            return order.compare(left, right);
        };
    }
}
