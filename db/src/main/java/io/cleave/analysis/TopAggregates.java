package io.cleave.analysis;

import io.cleave.analysis.AggregateFunction.Accumulator;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/// Lists of the greatest or least values, best first: `TOP(value, count)`, `BOTTOM`, and by another
/// value `TOP_BY(value, key, count)`, `BOTTOM_BY`. Values that are equal stay in the order they
/// came in. Without any the list is empty.
final class TopAggregates {
    private TopAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put("top", call -> top(call, 0, 1));
        resolvers.put("bottom", call -> top(call, 0, -1));
        resolvers.put("topby", call -> top(call, 1, 1));
        resolvers.put("bottomby", call -> top(call, 1, -1));
    }

    /// `keyIndex` is the argument that is compared.
    static AggregateFunction top(Aggregates.Call call, int keyIndex, int sign) {
        call.expect(keyIndex + 2, keyIndex + 2);
        Type key = call.types().get(keyIndex).unwrapped();
        ChoiceAggregates.requireOrder(call, key);
        call.expectInteger(keyIndex + 1);
        Type item = keyIndex == 0 ? call.bare() : call.type();
        return Aggregates.total(new Type.ListOf(item), () -> new Best(key, keyIndex, sign));
    }

    private record Entry(Value key, Value value, long arrival) {}

    /// A heap with the worst of the best on top.
    private static final class Best implements Accumulator {
        private final int keyIndex;
        private final Comparator<Entry> bestFirst;
        private final PriorityQueue<Entry> heap;
        private long arrivals;

        Best(Type type, int keyIndex, int sign) {
            this.keyIndex = keyIndex;
            this.bestFirst =
                    (left, right) -> {
                        int order = Order.compare(type, right.key(), left.key()) * sign;
                        return order != 0 ? order : Long.compare(left.arrival(), right.arrival());
                    };
            this.heap = new PriorityQueue<>(bestFirst.reversed());
        }

        @Override
        public void add(Value[] arguments) {
            Value key = arguments[keyIndex];
            if (key.isNull()) {
                return;
            }
            long count = arguments[keyIndex + 1] instanceof Value.Int(long number) ? number : 0;
            heap.add(new Entry(key, arguments[0], arrivals++));
            if (heap.size() > count) {
                heap.remove();
            }
        }

        @Override
        public Value result() {
            List<Entry> sorted = new ArrayList<>(heap);
            sorted.sort(bestFirst);
            return Value.items(sorted.stream().map(Entry::value).toList());
        }
    }
}
