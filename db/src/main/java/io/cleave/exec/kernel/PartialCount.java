package io.cleave.exec.kernel;

import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// COUNT of rows, or of values that are not NULL.
final class PartialCount extends PartialAggregate {
    private long[] counts = {};

    @Override
    void grow(int groups) {
        if (counts.length < groups) {
            counts = Arrays.copyOf(counts, Math.max(groups, 2 * counts.length));
        }
    }

    @Override
    void add(@Nullable Vector argument, int[] rows, int count, int[] groups) {
        for (int index = 0; index < count; index++) {
            if (argument == null || !argument.isNull(rows[index])) {
                counts[groups[index]]++;
            }
        }
    }

    @Override
    void merge(PartialAggregate later, int[] groups, int count) {
        var other = (PartialCount) later;
        for (int group = 0; group < count; group++) {
            counts[groups[group]] += other.counts[group];
        }
    }

    @Override
    Value result(int group) {
        return Value.of(counts[group]);
    }

    @Override
    int groupBytes() {
        return Long.BYTES;
    }
}
