package io.cleave.function.aggregate;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.HeapSize;
import io.cleave.value.Order;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/// Lists of the greatest or least values, best first: `TOP(value, count)` and `BOTTOM`, or ordered
/// by another value, `TOP_BY(value, key, count)` and `BOTTOM_BY`. Equal values stay in input order.
/// An empty group gives an empty list.
final class TopAggregates {
    private TopAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put("top", call -> top(call, 0, 1));
        resolvers.put("bottom", call -> top(call, 0, -1));
        resolvers.put("topby", call -> top(call, 1, 1));
        resolvers.put("bottomby", call -> top(call, 1, -1));
    }

    /// `keyIndex` is the index of the argument to compare.
    static AggregateFunction top(Aggregates.Call call, int keyIndex, int sign) {
        call.expect(keyIndex + 2, keyIndex + 2);
        Type key = call.types().get(keyIndex).unwrapped();
        ChoiceAggregates.requireOrder(call, key);
        call.expectInteger(keyIndex + 1);
        Type item = keyIndex == 0 ? call.bare() : call.type();
        return Aggregates.total(new Type.ListOf(item), () -> new Best(key, keyIndex, sign));
    }

    private record Entry(Value key, Value value, long arrival) {}

    /// Keeps the best entries in a heap with the worst of them at the top.
    private static final class Best implements Accumulator {
        private final int keyIndex;
        private final Comparator<Entry> bestFirst;
        private final PriorityQueue<Entry> heap;
        private long arrivals;
        private long keptBytes;

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
            var entry = new Entry(key, arguments[0], arrivals++);
            heap.add(entry);
            keptBytes += bytes(entry);
            if (heap.size() > count) {
                keptBytes -= bytes(heap.remove());
            }
        }

        private long bytes(Entry entry) {
            long bytes = KeptValues.ENTRY_BYTES + HeapSize.of(entry.value());
            return keyIndex == 0 ? bytes : bytes + HeapSize.of(entry.key());
        }

        @Override
        public long keptBytes() {
            return keptBytes;
        }

        @Override
        public Value result() {
            List<Entry> sorted = new ArrayList<>(heap);
            sorted.sort(bestFirst);
            return Value.items(sorted.stream().map(Entry::value).toList());
        }
    }
}
