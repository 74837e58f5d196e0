package io.cleave.function.aggregate;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.Map;

/// COUNT and COUNT_IF.
final class CountAggregates {
    private CountAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put(
                "count",
                call -> {
                    call.expect(0, 1);
                    return Aggregates.total(Primitive.UINT64, Count::new)
                            .as(AggregateFunction.Kind.COUNT);
                });
        resolvers.put(
                "count_if",
                call -> {
                    call.expect(1, 1);
                    if (call.bare() != Primitive.BOOL) {
                        throw call.error("Expected bool, but got: " + call.type().text());
                    }
                    return Aggregates.total(Primitive.UINT64, CountIf::new);
                });
    }

    /// Counts rows if there is no argument, otherwise values that are not NULL.
    private static final class Count implements Accumulator {
        private long count;

        @Override
        public void add(Value[] arguments) {
            if (arguments.length == 0 || !arguments[0].isNull()) {
                count++;
            }
        }

        @Override
        public Value result() {
            return Value.of(count);
        }
    }

    private static final class CountIf implements Accumulator {
        private long count;

        @Override
        public void add(Value[] arguments) {
            if (arguments[0].equals(Value.Bool.TRUE)) {
                count++;
            }
        }

        @Override
        public Value result() {
            return Value.of(count);
        }
    }
}
