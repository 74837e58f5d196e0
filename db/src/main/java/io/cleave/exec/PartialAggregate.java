package io.cleave.exec;

import io.cleave.analysis.AggregateCall;
import io.cleave.analysis.AggregateFunction;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

/// What an aggregate has come to in each of some groups, over a part of the rows. Those of two
/// parts can be made one, the earlier part first.
///
/// Threads: one at a time.
abstract class PartialAggregate {
    /// Sums of Decimals up to so many digits never leave the widest Decimal, so that it does not
    /// matter in which order they are added.
    private static final int MAX_SUMMED_DIGITS = 25;

    /// The aggregate of this call, or null when it has none that can be cut into parts. It has one
    /// argument, but for `COUNT(*)`.
    static @Nullable PartialAggregate of(AggregateCall call) {
        AggregateFunction function = call.function();
        if (call.arguments().isEmpty()) {
            return function.kind() == AggregateFunction.Kind.COUNT ? new PartialCount() : null;
        }
        if (call.arguments().size() > 1) {
            return null;
        }
        Type type = call.arguments().getFirst().type().unwrapped();
        return switch (function.kind()) {
            case COUNT -> new PartialCount();
            case SUM -> sum(type);
            case AVERAGE -> average(type);
            case MIN -> extreme(type, -1);
            case MAX -> extreme(type, 1);
            case OTHER -> null;
        };
    }

    private static @Nullable PartialAggregate sum(Type type) {
        return switch (type) {
            case Type.Decimal decimal when decimal.precision() <= MAX_SUMMED_DIGITS ->
                    new PartialDecimal(decimal, false);
            case Primitive.FLOAT, Primitive.DOUBLE ->
                    new PartialReal(false, false, type == Primitive.FLOAT);
            case Primitive primitive when Ints.isInteger(primitive) -> new PartialSum();
            default -> null;
        };
    }

    private static @Nullable PartialAggregate average(Type type) {
        return switch (type) {
            case Type.Decimal decimal when decimal.precision() <= MAX_SUMMED_DIGITS ->
                    new PartialDecimal(decimal, true);
            case Primitive.FLOAT, Primitive.DOUBLE -> new PartialReal(true, false, false);
            case Primitive primitive when Ints.isInteger(primitive) ->
                    new PartialReal(true, primitive == Primitive.UINT64, false);
            default -> null;
        };
    }

    private static @Nullable PartialAggregate extreme(Type type, int sign) {
        boolean ordered =
                switch (type) {
                    case Type.Decimal _ -> true;
                    case Primitive.FLOAT, Primitive.DOUBLE -> true;
                    case Primitive.STRING, Primitive.UTF8, Primitive.BOOL -> true;
                    case Primitive primitive -> Ints.bytes(primitive) > 0;
                    default -> false;
                };
        return ordered ? new PartialExtreme(type, sign) : null;
    }

    /// Makes room for as many groups.
    abstract void grow(int groups);

    /// Adds the argument at `rows[0 .. count)`; row `rows[n]` is of the group `groups[n]`. Without
    /// an argument it counts rows.
    abstract void add(@Nullable Vector argument, int[] rows, int count, int[] groups);

    /// Adds those of a later part, whose group `n` is here `groups[n]`.
    abstract void merge(PartialAggregate later, int[] groups, int count);

    abstract Value result(int group);

    /// What a group takes in memory.
    abstract int groupBytes();

    /// What values of no fixed length take besides, all together.
    long valueBytes() {
        return 0;
    }
}
