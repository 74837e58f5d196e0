package io.cleave.function.aggregate;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.HashKey;
import io.cleave.value.HeapSize;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `TOPFREQ(value [, count [, buffer]])` and its synonym MODE: the most frequent values with their
/// frequencies, as structs, most frequent first. YDB estimates the frequencies with a buffer of the
/// given size; this implementation counts exactly.
final class FrequencyAggregates {
    private FrequencyAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put("topfreq", FrequencyAggregates::frequent);
        resolvers.put("mode", FrequencyAggregates::frequent);
    }

    private static AggregateFunction frequent(Aggregates.Call call) {
        call.expect(1, 3);
        call.expectInteger(1);
        call.expectInteger(2);
        Type type = call.bare();
        var item =
                new Type.Struct(
                        List.of(
                                new Type.Member("Frequency", Primitive.UINT64),
                                new Type.Member("Value", type)));
        return Aggregates.total(new Type.ListOf(item), () -> new Frequencies(type));
    }

    private static final class Counted {
        private final Value value;
        private long count;

        Counted(Value value) {
            this.value = value;
        }
    }

    private static final class Frequencies implements Accumulator {
        private final Type type;
        private final Map<Value, Counted> counts = new LinkedHashMap<>();
        private long wanted = 1;
        private long keptBytes;

        Frequencies(Type type) {
            this.type = type;
        }

        @Override
        public void add(Value[] arguments) {
            Value value = arguments[0];
            if (value.isNull()) {
                return;
            }
            if (arguments.length > 1 && arguments[1] instanceof Value.Int(long number)) {
                wanted = number;
            }
            Value key = HashKey.ofGroup(type, value);
            counts.computeIfAbsent(key, _ -> begin(value)).count++;
        }

        private Counted begin(Value value) {
            keptBytes += 2 * KeptValues.ENTRY_BYTES + HeapSize.of(value);
            return new Counted(value);
        }

        @Override
        public long keptBytes() {
            return keptBytes;
        }

        @Override
        public Value result() {
            List<Counted> sorted = new ArrayList<>(counts.values());
            sorted.sort(Comparator.comparingLong((Counted counted) -> -counted.count));
            return Value.items(
                    sorted.stream()
                            .limit(Math.max(0, wanted))
                            .map(
                                    counted ->
                                            Value.items(
                                                    List.of(
                                                            Value.of(counted.count),
                                                            counted.value)))
                            .toList());
        }
    }
}
