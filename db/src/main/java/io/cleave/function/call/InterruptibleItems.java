package io.cleave.function.call;

import io.cleave.typed.ScalarFunction;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// Iterates over long lists so that the run can be interrupted: each item counts as a step. Short
/// lists, which are the usual case, are returned unchanged.
public final class InterruptibleItems {
    private static final int SHORT_ITEMS = 1_024;

    private InterruptibleItems() {}

    public static <T> Iterable<T> over(List<T> items, ScalarFunction.Run run) {
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

    public static <T> Stream<T> stream(List<T> items, ScalarFunction.Run run) {
        return items.size() <= SHORT_ITEMS ? items.stream() : items.stream().peek(_ -> run.pass(1));
    }

    /// The comparator for sorting a list of `size` items: each comparison counts as a step.
    public static <T> Comparator<T> by(Comparator<T> order, int size, ScalarFunction.Run run) {
        if (size <= SHORT_ITEMS) {
            return order;
        }
        return (left, right) -> {
            run.pass(1);
            return order.compare(left, right);
        };
    }
}
