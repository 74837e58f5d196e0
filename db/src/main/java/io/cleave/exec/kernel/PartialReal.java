package io.cleave.exec.kernel;

import io.cleave.value.DoubleVector;
import io.cleave.value.LongVector;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;

/// SUM of reals and AVG of reals and integers. NULL for a group without a value.
///
/// A sum over several parts may differ in its last digits from a sequential sum over all rows. For
/// the same parts, the result is always the same.
final class PartialReal extends PartialAggregate {
    private final boolean average;
    private final boolean unsigned;
    private final boolean single;
    private double[] sums = {};
    private long[] counts = {};

    PartialReal(boolean average, boolean unsigned, boolean single) {
        this.average = average;
        this.unsigned = unsigned;
        this.single = single;
    }

    @Override
    void grow(int groups) {
        if (sums.length < groups) {
            int capacity = Math.max(groups, 2 * sums.length);
            sums = Arrays.copyOf(sums, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
    }

    @Override
    void add(@Nullable Vector argument, int[] rows, int count, int[] groups) {
        switch (Objects.requireNonNull(argument)) {
            case DoubleVector column -> {
                double[] values = column.values();
                boolean hasNulls = column.hasNulls();
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    if (!hasNulls || !column.isNull(row)) {
                        int group = groups[index];
                        sums[group] += values[row];
                        counts[group]++;
                    }
                }
            }
            case LongVector column -> {
                for (int index = 0; index < count; index++) {
                    int row = rows[index];
                    if (!column.isNull(row)) {
                        int group = groups[index];
                        sums[group] += real(column.values()[row]);
                        counts[group]++;
                    }
                }
            }
            case Vector _ -> throw new IllegalStateException("not a number");
        }
    }

    private double real(long number) {
        return unsigned && number < 0 ? ((number >>> 1) | (number & 1)) * 2.0 : number;
    }

    @Override
    void merge(PartialAggregate later, int[] groups, int count) {
        var other = (PartialReal) later;
        for (int group = 0; group < count; group++) {
            if (other.counts[group] > 0) {
                sums[groups[group]] += other.sums[group];
                counts[groups[group]] += other.counts[group];
            }
        }
    }

    @Override
    Value result(int group) {
        if (counts[group] == 0) {
            return Value.Null.NULL;
        }
        double sum = sums[group];
        return Value.of(average ? sum / counts[group] : single ? (float) sum : sum);
    }

    @Override
    int groupBytes() {
        return 2 * Long.BYTES;
    }
}
