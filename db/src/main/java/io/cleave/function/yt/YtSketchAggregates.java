package io.cleave.function.yt;

import static io.cleave.function.yt.Signature.one;
import static io.cleave.function.yt.Signature.oneOf;
import static io.cleave.function.yt.YtType.ANY;
import static io.cleave.function.yt.YtType.BOOLEAN;
import static io.cleave.function.yt.YtType.DOUBLE;
import static io.cleave.function.yt.YtType.INT64;
import static io.cleave.function.yt.YtType.STRING;
import static io.cleave.function.yt.YtType.UINT64;

import io.cleave.typed.AggregateFunction;
import io.cleave.typed.AggregateFunction.Accumulator;
import io.cleave.typed.AggregateFunction.Kind;
import io.cleave.typed.AggregateFunction.Steps;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Aggregate functions that estimate the number of distinct values: `cardinality`, `hll_7` to
/// `hll_14`, and `uniq`. Each function has three more forms. `_state` returns what was counted so
/// far. `_merge` takes such states as its argument. `_merge_state` takes states and returns a
/// state. NULL is counted as a value.
final class YtSketchAggregates {
    private static final int CARDINALITY_PRECISION = 14;
    private static final int MIN_PRECISION = 7;
    private static final int MAX_PRECISION = 14;

    private YtSketchAggregates() {}

    static void register(Consumer<YtAggregate> registry) {
        for (boolean merge : new boolean[] {false, true}) {
            for (boolean state : new boolean[] {false, true}) {
                String suffix = (merge ? "_merge" : "") + (state ? "_state" : "");
                registry.accept(
                        hyperLogLog("cardinality" + suffix, CARDINALITY_PRECISION, merge, state));
                for (int bits = MIN_PRECISION; bits <= MAX_PRECISION; bits++) {
                    registry.accept(hyperLogLog("hll_" + bits + suffix, bits, merge, state));
                }
                registry.accept(unique("uniq" + suffix, merge, state));
            }
        }
    }

    private static YtAggregate hyperLogLog(
            String name, int precision, boolean merge, boolean state) {
        return new YtAggregate(
                name,
                Signature.of(
                        one(state ? STRING : UINT64),
                        merge ? one(STRING) : oneOf(STRING, UINT64, INT64, DOUBLE, BOOLEAN)),
                (_, type) ->
                        inSteps(
                                type,
                                () -> new HyperLogLog(precision, merge, state),
                                () -> new HyperLogLog(precision, merge, true),
                                () -> new HyperLogLog(precision, true, state)));
    }

    private static YtAggregate unique(String name, boolean merge, boolean state) {
        var result = one(state ? STRING : UINT64);
        return new YtAggregate(
                name,
                merge
                        ? Signature.of(result, one(STRING))
                        : new Signature(
                                result,
                                List.of(),
                                oneOf(STRING, UINT64, INT64, DOUBLE, BOOLEAN, ANY)),
                (arguments, type) -> {
                    List<YtType> types = arguments.stream().map(a -> YtType.of(a.type())).toList();
                    if (!merge && types.contains(ANY)) {
                        throw YtQueryErrors.error(
                                        "Function \"%s\" does not support values of type \"any\""
                                                .formatted(name))
                                .exception();
                    }
                    return inSteps(
                            type,
                            () -> new Unique(merge, state),
                            () -> new Unique(merge, true),
                            () -> new Unique(true, state));
                });
    }

    /// A function whose states are combined by its form that merges states.
    private static AggregateFunction inSteps(
            YtType result,
            Supplier<Accumulator> beginning,
            Supplier<Accumulator> partial,
            Supplier<Accumulator> merging) {
        return new YtAggregates.NullableAggregate(
                result.type(),
                Kind.OTHER,
                beginning,
                Optional.of(
                        new Steps(
                                YtAggregates.NullableAggregate.step(STRING.type(), partial),
                                YtAggregates.NullableAggregate.step(result.type(), merging))));
    }

    private static final class HyperLogLog implements Accumulator {
        private final HyperLogLogSketch sketch;
        private final boolean merge;
        private final boolean state;

        HyperLogLog(int precision, boolean merge, boolean state) {
            this.sketch = new HyperLogLogSketch(precision);
            this.merge = merge;
            this.state = state;
        }

        @Override
        public void add(Value[] arguments) {
            Value value = arguments[0];
            if (!merge) {
                sketch.add(YtHashFunctions.fingerprint(value));
            } else if (!value.isNull()) {
                sketch.merge(YtArithmetic.bytes(value));
            }
        }

        @Override
        public Value result() {
            return state ? Value.binary(sketch.state()) : Value.of(sketch.estimate());
        }

        @Override
        public long keptBytes() {
            return sketch.sizeBytes();
        }
    }

    private static final class Unique implements Accumulator {
        private final UniqueSketch sketch = new UniqueSketch();
        private final boolean merge;
        private final boolean state;

        Unique(boolean merge, boolean state) {
            this.merge = merge;
            this.state = state;
        }

        @Override
        public void add(Value[] arguments) {
            if (!merge) {
                sketch.add((int) YtHashFunctions.farmHash(arguments));
            } else if (!arguments[0].isNull()) {
                sketch.merge(YtArithmetic.bytes(arguments[0]));
            }
        }

        @Override
        public Value result() {
            return state ? Value.binary(sketch.state()) : Value.of(sketch.estimate());
        }

        @Override
        public long keptBytes() {
            return sketch.sizeBytes();
        }
    }
}
