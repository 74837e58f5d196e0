package io.cleave.function.aggregate;

import io.cleave.function.call.Numbers;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Map;

/// STDDEV and VARIANCE of a sample or of the population; the names without a suffix are those of a
/// sample.
final class VarianceAggregates {
    private VarianceAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        for (String sample : List.of("", "_samp", "samp", "_sample", "sample")) {
            resolvers.put("stddev" + sample, call -> moments(call, 1, true));
            resolvers.put("variance" + sample, call -> moments(call, 1, false));
        }
        for (String population : List.of("_pop", "pop", "_population", "population")) {
            resolvers.put("stddev" + population, call -> moments(call, 0, true));
            resolvers.put("variance" + population, call -> moments(call, 0, false));
        }
        resolvers.put("sample_stddev", call -> moments(call, 1, true));
        resolvers.put("sample_variance", call -> moments(call, 1, false));
        resolvers.put("population_stddev", call -> moments(call, 0, true));
        resolvers.put("population_variance", call -> moments(call, 0, false));
        resolvers.put("var_samp", call -> moments(call, 1, false));
        resolvers.put("var_pop", call -> moments(call, 0, false));
        resolvers.put("stddevs", call -> moments(call, 1, true));
        resolvers.put("stddevp", call -> moments(call, 0, true));
        resolvers.put("vars", call -> moments(call, 1, false));
        resolvers.put("varp", call -> moments(call, 0, false));
    }

    private static AggregateFunction moments(Aggregates.Call call, int freedom, boolean root) {
        call.expect(1, 1);
        Type type = call.bare();
        if (!Ints.isInteger(type) && type != Primitive.FLOAT && type != Primitive.DOUBLE) {
            throw call.error("Cannot take %s of %s".formatted(call.name(), call.type().text()));
        }
        return Aggregates.nullable(
                call.types(),
                Primitive.DOUBLE,
                () -> new Moments(type == Primitive.UINT64, freedom, root));
    }

    /// Welford's algorithm, which avoids the subtraction of large squares.
    private static final class Moments implements Accumulator {
        private final boolean unsigned;
        private final int freedom;
        private final boolean root;
        private long count;
        private double mean;
        private double squares;

        Moments(boolean unsigned, int freedom, boolean root) {
            this.unsigned = unsigned;
            this.freedom = freedom;
            this.root = root;
        }

        @Override
        public void add(Value[] arguments) {
            if (arguments[0].isNull()) {
                return;
            }
            double number = Numbers.real(arguments[0], unsigned);
            count++;
            double before = number - mean;
            mean += before / count;
            squares += before * (number - mean);
        }

        @Override
        public Value result() {
            if (count == 0) {
                return Value.Null.NULL;
            }
            double variance = squares / (count - freedom);
            return Value.of(root ? Math.sqrt(variance) : variance);
        }
    }
}
