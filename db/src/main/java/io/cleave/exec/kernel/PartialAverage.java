package io.cleave.exec.kernel;

import io.cleave.value.LongVector;
import io.cleave.value.Value;
import io.cleave.value.Vector;
import io.cleave.value.WideSum;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;

/// The average of integers whose sum is exact. NULL for a group without a value.
final class PartialAverage extends PartialAggregate {
    private final boolean unsigned;
    private long[] highs = {};
    private long[] lows = {};
    private long[] counts = {};

    PartialAverage(boolean unsigned) {
        this.unsigned = unsigned;
    }

    @Override
    void grow(int groups) {
        if (counts.length < groups) {
            int capacity = Math.max(groups, 2 * counts.length);
            highs = Arrays.copyOf(highs, capacity);
            lows = Arrays.copyOf(lows, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
    }

    @Override
    void add(@Nullable Vector argument, int[] rows, int count, int[] groups) {
        var column = (LongVector) Objects.requireNonNull(argument);
        long[] values = column.values();
        for (int index = 0; index < count; index++) {
            int row = rows[index];
            if (!column.isNull(row)) {
                int group = groups[index];
                long added = values[row];
                highs[group] = WideSum.high(highs[group], lows[group], added, unsigned);
                lows[group] += added;
                counts[group]++;
            }
        }
    }

    @Override
    void merge(PartialAggregate later, int[] groups, int count) {
        var other = (PartialAverage) later;
        for (int group = 0; group < count; group++) {
            int here = groups[group];
            long added = other.lows[group];
            // The low half has no sign.
            highs[here] = WideSum.high(highs[here], lows[here], added, true) + other.highs[group];
            lows[here] += added;
            counts[here] += other.counts[group];
        }
    }

    @Override
    Value result(int group) {
        return counts[group] == 0
                ? Value.Null.NULL
                : Value.of(WideSum.toDouble(highs[group], lows[group]) / counts[group]);
    }

    @Override
    int groupBytes() {
        return 3 * Long.BYTES;
    }
}
