package io.cleave.exec.kernel;

import io.cleave.value.BytesVector;
import io.cleave.value.DoubleVector;
import io.cleave.value.LongVector;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.ValueVector;
import io.cleave.value.Vector;
import io.cleave.value.WideVector;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// MIN and MAX. Of equal values, the first is kept. NULL for a group without a value.
final class PartialExtreme extends PartialAggregate {
    private final int sign;
    private final boolean unsigned;

    /// The best value of each group; NULL until the first value.
    private final Vector best;

    private long valueBytes;

    /// `sign` is the result of comparing a better value with the best one so far: -1 for MIN, 1 for
    /// MAX.
    PartialExtreme(Type type, int sign) {
        this.sign = sign;
        unsigned = type == Primitive.UINT64;
        best = Vector.of(type);
    }

    @Override
    void grow(int groups) {
        while (best.size() < groups) {
            best.addNull();
        }
    }

    @Override
    void add(@Nullable Vector argument, int[] rows, int count, int[] groups) {
        Vector column = Objects.requireNonNull(argument);
        for (int index = 0; index < count; index++) {
            add(groups[index], column, rows[index]);
        }
    }

    private void add(int group, Vector from, int row) {
        if (from.isNull(row)) {
            return;
        }
        if (best.isNull(group)) {
            best.clearNull(group);
            set(group, from, row);
        } else if (compare(from, row, best, group) * sign > 0) {
            valueBytes -= GroupTable.valueBytes(best, group);
            set(group, from, row);
        }
    }

    private void set(int group, Vector from, int row) {
        best.set(group, from.get(row));
        valueBytes += GroupTable.valueBytes(best, group);
    }

    /// Compares in the order of `Order`. Returns -1, 0 or 1.
    private int compare(Vector left, int l, Vector right, int r) {
        return switch (left) {
            case LongVector longs -> {
                long a = longs.values()[l];
                long b = ((LongVector) right).values()[r];
                yield unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b);
            }
            case DoubleVector doubles ->
                    // Adding zero turns -0.0 into 0.0.
                    Double.compare(
                            doubles.values()[l] + 0.0, ((DoubleVector) right).values()[r] + 0.0);
            case WideVector wides -> {
                var others = (WideVector) right;
                int high = Long.compare(wides.highs()[l], others.highs()[r]);
                yield high != 0 ? high : Long.compareUnsigned(wides.lows()[l], others.lows()[r]);
            }
            case BytesVector bytes ->
                    Integer.signum(BytesVector.compare(bytes, l, (BytesVector) right, r));
            case ValueVector _ -> throw new IllegalStateException("no order");
        };
    }

    @Override
    void merge(PartialAggregate later, int[] groups, int count) {
        Vector other = ((PartialExtreme) later).best;
        for (int group = 0; group < count; group++) {
            add(groups[group], other, group);
        }
    }

    @Override
    Value result(int group) {
        return best.get(group);
    }

    @Override
    int groupBytes() {
        return 3 * Long.BYTES;
    }

    @Override
    long valueBytes() {
        return valueBytes;
    }
}
