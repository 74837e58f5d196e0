package io.cleave.lsm;

import io.cleave.base.Check;

import java.util.List;

/// Some slices of a tree, and what is to become of them.
///
/// @param bottom nothing older than the inputs lies below them, so what is erased can be forgotten
/// @param reason for people
public record Compaction(
        List<Slice> inputs, int outputLevel, Kind kind, boolean bottom, String reason) {
    public enum Kind {
        /// They are read and written anew, as tables of the output level.
        MERGE,
        /// They go to the output level as they are: nothing there or between holds their keys.
        MOVE,
        /// They are forgotten: everything in them is erased.
        DROP
    }

    public Compaction {
        inputs = List.copyOf(inputs);
        Check.that(!inputs.isEmpty(), "a compaction of nothing");
    }

    public long bytes() {
        return inputs.stream().mapToLong(Slice::bytes).sum();
    }
}
