package io.cleave.exec.kernel;

import io.cleave.typed.AggregateCall;
import io.cleave.typed.AggregateFunction;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

/// The state of an aggregate for each of several groups, over one part of the rows. The states of
/// two parts can be merged, the earlier part first.
///
/// Threads: one at a time.
public abstract class PartialAggregate {
    /// A sum of Decimals with up to this number of digits never overflows the widest Decimal. The
    /// order of the additions therefore does not matter.
    private static final int MAX_SUMMED_DIGITS = 25;

    /// The partial form of this call; null if it has none. Calls with a partial form have one
    /// argument, except `COUNT(*)`, which has none.
    public static @Nullable PartialAggregate of(AggregateCall call) {
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
            case EXACT_AVERAGE -> new PartialAverage(type == Primitive.UINT64);
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

    /// Makes room for this number of groups.
    abstract void grow(int groups);

    /// Adds the values of the argument at `rows[0 .. count)`. Row `rows[n]` belongs to group
    /// `groups[n]`. Without an argument, counts the rows.
    abstract void add(@Nullable Vector argument, int[] rows, int count, int[] groups);

    /// Adds the state of a later part. Group `n` of that part is group `groups[n]` here.
    abstract void merge(PartialAggregate later, int[] groups, int count);

    abstract Value result(int group);

    /// The bytes that a group takes in memory.
    abstract int groupBytes();

    /// The bytes that all values of variable length take in addition.
    long valueBytes() {
        return 0;
    }
}
