package io.cleave.function.aggregate;

import io.cleave.base.Issue.Position;
import io.cleave.function.aggregate.AdaptiveHistogram.Cost;
import io.cleave.function.call.Numbers;
import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.Errors;
import io.cleave.value.CommonType;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.Map;
import java.util.function.UnaryOperator;

/// `HISTOGRAM(value [, weight] [, bins])` and variants, which choose their bins, and
/// LinearHistogram and LogarithmicHistogram `(value [, step [, min [, max]]])`, which have fixed
/// bins. Functions with the suffix CDF return the cumulative distribution in percent.
final class HistogramAggregates {
    private static final int DEFAULT_BINS = 100;

    /// Fixed bins are not merged, so a larger number of them is refused.
    private static final int MAX_FIXED_BINS = 1 << 20;

    private static final double DEFAULT_STEP = 10;

    private HistogramAggregates() {}

    static void register(Map<String, Aggregates.Resolver> resolvers) {
        adaptive(resolvers, "histogram", Cost.WARD);
        adaptive(resolvers, "adaptive_ward_histogram", Cost.WARD);
        adaptive(resolvers, "adaptive_weight_histogram", Cost.WEIGHT);
        adaptive(resolvers, "adaptive_distance_histogram", Cost.DISTANCE);
        fixed(resolvers, "linear_histogram", Grid.LINEAR);
        fixed(resolvers, "logarithmic_histogram", Grid.LOGARITHMIC);
        fixed(resolvers, "log_histogram", Grid.LOGARITHMIC);
    }

    private static Histogram cumulative(Histogram histogram) {
        return histogram.normalized(100, false).cumulative();
    }

    private static void adaptive(
            Map<String, Aggregates.Resolver> resolvers, String name, Cost cost) {
        resolvers.put(name, call -> adaptive(call, cost, UnaryOperator.identity()));
        resolvers.put(name + "_cdf", call -> adaptive(call, cost, HistogramAggregates::cumulative));
    }

    private static void fixed(Map<String, Aggregates.Resolver> resolvers, String name, Grid grid) {
        resolvers.put(name, call -> fixed(call, grid, UnaryOperator.identity()));
        resolvers.put(name + "_cdf", call -> fixed(call, grid, HistogramAggregates::cumulative));
    }

    private static void requireNumber(Aggregates.Call call, int index) {
        Type type = call.types().get(index).unwrapped();
        if (!CommonType.isNumber(type)) {
            throw call.error(
                    "Expected a number as argument %d of %s, but got: %s"
                            .formatted(index + 1, call.name(), call.types().get(index).text()));
        }
    }

    private static boolean isUnsigned(Aggregates.Call call, int index) {
        return index >= 0 && call.types().get(index).unwrapped() == Primitive.UINT64;
    }

    /// With two arguments, the second is the number of bins if it is an integer literal, otherwise
    /// the weight.
    private static AggregateFunction adaptive(
            Aggregates.Call call, Cost cost, UnaryOperator<Histogram> finish) {
        call.expect(1, 3);
        int count = call.types().size();
        for (int index = 0; index < count; index++) {
            requireNumber(call, index);
        }
        boolean bins =
                count == 3
                        || (count == 2
                                && call.literals().contains(1)
                                && Ints.isInteger(call.types().get(1)));
        if (bins) {
            call.expectInteger(count - 1);
        }
        var arguments =
                new Arguments(count == 3 || (count == 2 && !bins) ? 1 : -1, bins ? count - 1 : -1);
        boolean unsigned = isUnsigned(call, 0);
        boolean unsignedWeight = isUnsigned(call, arguments.weight());
        return Aggregates.nullable(
                call.types().subList(0, 1),
                Histogram.TYPE,
                () -> new Adaptive(call.at(), cost, arguments, unsigned, unsignedWeight, finish));
    }

    /// The indexes of the weight and the number of bins; -1 if absent.
    private record Arguments(int weight, int bins) {}

    private static final class Adaptive implements Accumulator {
        private final Position at;
        private final Cost cost;
        private final Arguments arguments;
        private final boolean unsigned;
        private final boolean unsignedWeight;
        private final UnaryOperator<Histogram> finish;
        private AdaptiveHistogram histogram;
        private boolean any;

        Adaptive(
                Position at,
                Cost cost,
                Arguments arguments,
                boolean unsigned,
                boolean unsignedWeight,
                UnaryOperator<Histogram> finish) {
            this.at = at;
            this.cost = cost;
            this.arguments = arguments;
            this.unsigned = unsigned;
            this.unsignedWeight = unsignedWeight;
            this.finish = finish;
            histogram = new AdaptiveHistogram(cost, DEFAULT_BINS);
        }

        @Override
        public void add(Value[] row) {
            boolean skipped =
                    row[0].isNull()
                            || (arguments.weight() >= 0 && row[arguments.weight()].isNull());
            if (skipped) {
                return;
            }
            if (!any && arguments.bins() >= 0 && row[arguments.bins()] instanceof Value.Int bins) {
                int count = Math.clamp(bins.value(), 1, MAX_FIXED_BINS);
                histogram = new AdaptiveHistogram(cost, count);
            }
            any = true;
            double weight =
                    arguments.weight() < 0
                            ? 1
                            : Numbers.real(row[arguments.weight()], unsignedWeight);
            histogram.add(finite(at, Numbers.real(row[0], unsigned)), finite(at, weight));
        }

        @Override
        public long keptBytes() {
            return (long) KeptValues.ENTRY_BYTES * histogram.binCount();
        }

        @Override
        public Value result() {
            return any ? finish.apply(histogram.result(cost.kind())).value() : Value.Null.NULL;
        }
    }

    private static double finite(Position at, double number) {
        if (!Double.isFinite(number)) {
            throw Errors.failure(at, "Histogram: bad value " + number);
        }
        return number;
    }

    private enum Grid {
        LINEAR("Linear"),
        LOGARITHMIC("Logarithmic");

        private final String kind;

        Grid(String kind) {
            this.kind = kind;
        }

        /// The grid position nearest to the value; NaN if there is none.
        double place(double value, double step, double min, double max) {
            if (this == LINEAR) {
                boolean within = value >= min && value <= max;
                return within ? Math.floor(value / step + 0.5) * step : Math.clamp(value, min, max);
            }
            double exponent = Math.log(value) / Math.log(step);
            double lower = Math.pow(step, Math.floor(exponent));
            double upper = Math.pow(step, Math.ceil(exponent));
            double nearest = Math.abs(value - upper) > Math.abs(value - lower) ? lower : upper;
            return Double.isNaN(nearest) ? nearest : Math.clamp(nearest, min, max);
        }
    }

    private static AggregateFunction fixed(
            Aggregates.Call call, Grid grid, UnaryOperator<Histogram> finish) {
        call.expect(1, 4);
        for (int index = 0; index < call.types().size(); index++) {
            requireNumber(call, index);
        }
        boolean unsigned = isUnsigned(call, 0);
        return Aggregates.nullable(
                call.types().subList(0, 1),
                Histogram.TYPE,
                () -> new Fixed(call.at(), grid, unsigned, finish));
    }

    private static final class Fixed implements Accumulator {
        private final Position at;
        private final Grid grid;
        private final boolean unsigned;
        private final UnaryOperator<Histogram> finish;
        private final AdaptiveHistogram histogram =
                new AdaptiveHistogram(Cost.WARD, Integer.MAX_VALUE);
        private boolean any;

        Fixed(Position at, Grid grid, boolean unsigned, UnaryOperator<Histogram> finish) {
            this.at = at;
            this.grid = grid;
            this.unsigned = unsigned;
            this.finish = finish;
        }

        @Override
        public void add(Value[] row) {
            if (row[0].isNull()) {
                return;
            }
            any = true;
            double step = argument(row, 1, DEFAULT_STEP);
            double min = argument(row, 2, -Double.MAX_VALUE);
            double max = argument(row, 3, Double.MAX_VALUE);
            if (!(step > 0) || !(min <= max)) {
                throw Errors.failure(
                        at, "Histogram: bad step %s from %s to %s".formatted(step, min, max));
            }
            double value = finite(at, Numbers.real(row[0], unsigned));
            double place = grid.place(value, step, min, max);
            if (!Double.isNaN(place)) {
                histogram.add(place, 1);
            }
            if (histogram.binCount() > MAX_FIXED_BINS) {
                throw Errors.failure(
                        at,
                        "Histogram: more than " + MAX_FIXED_BINS + " bins; specify min and max");
            }
        }

        private static double argument(Value[] row, int index, double otherwise) {
            return index < row.length && !row[index].isNull()
                    ? Numbers.real(row[index], false)
                    : otherwise;
        }

        @Override
        public long keptBytes() {
            return (long) KeptValues.ENTRY_BYTES * histogram.binCount();
        }

        @Override
        public Value result() {
            return any ? finish.apply(histogram.result(grid.kind)).value() : Value.Null.NULL;
        }
    }
}
