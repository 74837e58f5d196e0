package io.cleave.function.aggregate;

import io.cleave.value.HeapSize;
import io.cleave.value.Value;

/// Estimates the memory that accumulators use.
final class KeptValues {
    /// Overhead of a value in a collection: its entry and its slot.
    static final int ENTRY_BYTES = 48;

    /// A single value up to this size is not counted: it is part of the estimate for the
    /// accumulator.
    private static final int SMALL_BYTES = 128;

    private KeptValues() {}

    /// The size of the single value that an accumulator keeps.
    static long bytesOfOne(Value value) {
        long bytes = HeapSize.of(value);
        return bytes > SMALL_BYTES ? bytes : 0;
    }
}
