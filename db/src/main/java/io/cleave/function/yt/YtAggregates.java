package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.parameter;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.AggregateFunction.Kind;
import io.cleave.value.HeapSize;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The aggregate functions by name. Unless its own comment says otherwise, a function skips NULL,
/// and returns NULL for a group without a value.
final class YtAggregates {
    private static final Map<String, YtAggregate> ALL = new HashMap<>();

    private static final Set<YtType> NUMBERS =
            EnumSet.of(YtType.INT64, YtType.UINT64, YtType.DOUBLE);

    static final Set<YtType> COMPARABLE =
            EnumSet.of(YtType.INT64, YtType.UINT64, YtType.BOOLEAN, YtType.DOUBLE, YtType.STRING);

    static {
        add(
                new YtAggregate(
                        "sum",
                        Signature.of(parameter(1, NUMBERS), parameter(1, NUMBERS)),
                        (_, type) ->
                                new NullableAggregate(
                                        type.type(),
                                        Kind.SUM,
                                        type == YtType.DOUBLE ? RealSum::new : IntegerSum::new)));
        add(
                new YtAggregate(
                        "avg",
                        Signature.of(one(YtType.DOUBLE), parameter(1, NUMBERS)),
                        (arguments, type) -> {
                            YtType numbers = YtType.of(arguments.getFirst().type());
                            return YtAverage.of(numbers);
                        }));
        add(extreme("min", Kind.MIN, -1));
        add(extreme("max", Kind.MAX, 1));
        YtChoiceAggregates.register(YtAggregates::add);
        YtSketchAggregates.register(YtAggregates::add);
    }

    private YtAggregates() {}

    private static void add(YtAggregate aggregate) {
        ALL.put(aggregate.name(), aggregate);
    }

    static Optional<YtAggregate> find(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    static Set<String> names() {
        return ALL.keySet();
    }

    /// An aggregate function whose result may be NULL.
    ///
    /// @param otherSteps the function in two steps; empty if the results of groups are combined by
    ///   the function itself, as sums are
    record NullableAggregate(
            Type item, Kind kind, Supplier<Accumulator> beginning, Optional<Steps> otherSteps)
            implements AggregateFunction {
        NullableAggregate(Type item, Kind kind, Supplier<Accumulator> beginning) {
            this(item, kind, beginning, Optional.empty());
        }

        /// A function that only steps use.
        static NullableAggregate step(Type item, Supplier<Accumulator> beginning) {
            return new NullableAggregate(item, Kind.OTHER, beginning);
        }

        @Override
        public Optional<Steps> steps() {
            return Optional.of(otherSteps.orElse(new Steps(this, this)));
        }

        @Override
        public Type type() {
            return item.optional();
        }

        @Override
        public Type groupedType() {
            return item.optional();
        }

        @Override
        public Accumulator begin() {
            return beginning.get();
        }
    }

    private static YtAggregate extreme(String name, Kind kind, int sign) {
        return new YtAggregate(
                name,
                Signature.of(parameter(1, COMPARABLE), parameter(1, COMPARABLE)),
                (_, type) ->
                        new NullableAggregate(type.type(), kind, () -> new Extreme(type, sign)));
    }

    private static final class IntegerSum implements Accumulator {
        private boolean any;
        private long sum;

        @Override
        public void add(Value[] arguments) {
            if (arguments[0] instanceof Value.Int(long number)) {
                any = true;
                sum += number;
            }
        }

        @Override
        public Value result() {
            return any ? Value.of(sum) : Value.Null.NULL;
        }
    }

    private static final class RealSum implements Accumulator {
        private boolean any;
        private double sum;

        @Override
        public void add(Value[] arguments) {
            if (arguments[0] instanceof Value.Real(double number)) {
                any = true;
                sum += number;
            }
        }

        @Override
        public Value result() {
            return any ? Value.of(sum) : Value.Null.NULL;
        }
    }

    /// The least or the greatest value. Of equal values, the first one is kept. NaN is greater than
    /// any number.
    private static final class Extreme implements Accumulator {
        private final YtType type;
        private final int sign;
        private Value best = Value.Null.NULL;

        Extreme(YtType type, int sign) {
            this.type = type;
            this.sign = sign;
        }

        @Override
        public void add(Value[] arguments) {
            Value value = arguments[0];
            if (!value.isNull() && (best.isNull() || compare(type, value, best) * sign > 0)) {
                best = value;
            }
        }

        @Override
        public Value result() {
            return best;
        }

        @Override
        public long keptBytes() {
            return best instanceof Value.Binary ? HeapSize.of(best) : 0;
        }
    }

    /// The order of values that are not NULL, with NaN last. Returns -1, 0 or 1.
    static int compare(YtType type, Value left, Value right) {
        return type == YtType.DOUBLE
                ? YtNumbers.compare(YtArithmetic.real(left), YtArithmetic.real(right))
                : Integer.signum(YtComparison.order(type, left, type, right));
    }
}
