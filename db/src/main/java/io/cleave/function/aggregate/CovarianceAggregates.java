package io.cleave.function.aggregate;

import io.cleave.function.call.Numbers;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.value.CommonType;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.List;
import java.util.Map;

/// `CORRELATION(x, y)` and COVARIANCE of a sample or of the population; COVARIANCE without a suffix
/// is that of a sample. A NULL counts as 0.
final class CovarianceAggregates {
    private enum Measure {
        CORRELATION,
        SAMPLE,
        POPULATION
    }

    private CovarianceAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        resolvers.put("correlation", call -> resolve(call, Measure.CORRELATION));
        resolvers.put("corr", call -> resolve(call, Measure.CORRELATION));
        for (String name : List.of("covariance", "covar")) {
            for (String sample : List.of("", "sample", "samp")) {
                resolvers.put(name + sample, call -> resolve(call, Measure.SAMPLE));
            }
            for (String population : List.of("population", "pop", "p")) {
                resolvers.put(name + population, call -> resolve(call, Measure.POPULATION));
            }
        }
    }

    private static AggregateFunction resolve(Aggregates.Call call, Measure measure) {
        call.expect(2, 2);
        for (var type : call.types()) {
            if (!CommonType.isNumber(type.unwrapped())) {
                throw call.error("Cannot take %s of %s".formatted(call.name(), type.text()));
            }
        }
        boolean unsignedX = call.types().get(0).unwrapped() == Primitive.UINT64;
        boolean unsignedY = call.types().get(1).unwrapped() == Primitive.UINT64;
        return Aggregates.nullable(
                List.of(), Primitive.DOUBLE, () -> new Pairs(measure, unsignedX, unsignedY));
    }

    /// Keeps the means, and the sums of the products of deviations from the means.
    private static final class Pairs implements Accumulator {
        private final Measure measure;
        private final boolean unsignedX;
        private final boolean unsignedY;
        private long count;
        private double meanX;
        private double meanY;
        private double squaresX;
        private double squaresY;
        private double products;

        Pairs(Measure measure, boolean unsignedX, boolean unsignedY) {
            this.measure = measure;
            this.unsignedX = unsignedX;
            this.unsignedY = unsignedY;
        }

        @Override
        public void add(Value[] arguments) {
            double x = number(arguments[0], unsignedX);
            double y = number(arguments[1], unsignedY);
            count++;
            double beforeX = x - meanX;
            double beforeY = y - meanY;
            meanX += beforeX / count;
            meanY += beforeY / count;
            squaresX += beforeX * (x - meanX);
            squaresY += beforeY * (y - meanY);
            products += beforeX * (y - meanY);
        }

        private static double number(Value value, boolean unsigned) {
            return value.isNull() ? 0 : Numbers.real(value, unsigned);
        }

        @Override
        public Value result() {
            if (count == 0) {
                return Value.Null.NULL;
            }
            return Value.of(
                    switch (measure) {
                        case CORRELATION -> products / Math.sqrt(squaresX * squaresY);
                        case SAMPLE -> products / (count - 1);
                        case POPULATION -> products / count;
                    });
        }
    }
}
