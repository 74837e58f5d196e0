package io.cleave.lsm;

import io.cleave.base.Check;
import io.cleave.lsm.table.Slice;

import java.util.List;

/// One compaction: slices of a tree, and what is to be done with them.
///
/// @param bottom whether no older data lies below the inputs, so that erases can be dropped
/// @param reason an explanation for logs
public record Compaction(
        List<Slice> inputs, int outputLevel, Kind kind, boolean bottom, String reason) {
    public enum Kind {
        /// The inputs are merged into new tables on the output level.
        MERGE,
        /// The inputs move to the output level without being rewritten. No slice on that level or
        /// between has their keys.
        MOVE,
        /// The inputs are dropped, because everything in them is erased.
        DROP
    }

    public Compaction {
        inputs = List.copyOf(inputs);
        Check.that(!inputs.isEmpty(), "a compaction of nothing");
    }

    long bytes() {
        return inputs.stream().mapToLong(Slice::bytes).sum();
    }
}
