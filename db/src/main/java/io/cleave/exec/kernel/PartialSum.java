package io.cleave.exec.kernel;

import io.cleave.value.LongVector;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;

/// SUM of integers. Overflow wraps around. NULL for a group without a value.
final class PartialSum extends PartialAggregate {
    private long[] sums = {};
    private boolean[] any = {};

    @Override
    void grow(int groups) {
        if (sums.length < groups) {
            int capacity = Math.max(groups, 2 * sums.length);
            sums = Arrays.copyOf(sums, capacity);
            any = Arrays.copyOf(any, capacity);
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
                sums[group] += values[row];
                any[group] = true;
            }
        }
    }

    @Override
    void merge(PartialAggregate later, int[] groups, int count) {
        var other = (PartialSum) later;
        for (int group = 0; group < count; group++) {
            sums[groups[group]] += other.sums[group];
            any[groups[group]] |= other.any[group];
        }
    }

    @Override
    Value result(int group) {
        return any[group] ? Value.of(sums[group]) : Value.Null.NULL;
    }

    @Override
    int groupBytes() {
        return Long.BYTES + 1;
    }
}
