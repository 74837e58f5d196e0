package io.cleave.bench.yt;

import io.cleave.bench.Figures;
import io.cleave.plan.range.Bound;
import io.cleave.plan.range.ColumnInterval;
import io.cleave.plan.range.InferredRanges;
import io.cleave.plan.range.KeyConstraint;
import io.cleave.plan.range.RangeInference;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.ytql.YtExpressionTyping;

import java.util.ArrayList;
import java.util.List;

/// How long it takes to infer ten thousand ranges of the key `farm_hash(key / 10), key` from `key
/// BETWEEN 0 AND 99999`.
final class InferencePart {
    private static final int RANGES = 10_000;
    private static final int DIVISOR = 10;
    private static final long LIMIT = 200_000;
    private static final int WARM_UP = 300;
    private static final int REPEATS = 101;

    void run(Figures figures) {
        List<Type> types = List.of(Primitive.UINT64, Primitive.INT64);
        Typed hash =
                YtExpressionTyping.of(
                        "farm_hash(key / %d)".formatted(DIVISOR),
                        List.of(
                                new Field("hash", Primitive.UINT64.optional()),
                                new Field("key", Primitive.INT64.optional())));
        var inference =
                new RangeInference(types, List.of(new GeneratedColumn(0, List.of(1), hash)));
        long last = (long) RANGES * DIVISOR - 1;
        var keys =
                KeyConstraint.of(
                        1,
                        new ColumnInterval(
                                Bound.before(new Value.Int(0)), Bound.after(new Value.Int(last))));
        List<Double> millis = new ArrayList<>();
        for (int repeat = 0; repeat < WARM_UP + REPEATS; repeat++) {
            long from = System.nanoTime();
            InferredRanges found = inference.infer(keys, LIMIT);
            double took = (System.nanoTime() - from) / 1e6;
            if (found.ranges().size() != RANGES) {
                throw new IllegalStateException("%d ranges".formatted(found.ranges().size()));
            }
            if (repeat >= WARM_UP) {
                millis.add(took);
            }
        }
        figures.printWithBarAtMost(
                5, "inference of 10,000 ranges, median", YtBenchmark.median(millis), "ms");
    }
}
