package io.cleave.lsm;

import io.cleave.base.Check;

import java.util.List;

/// Some slices of a tree to be merged into one level.
///
/// @param move the inputs hold different keys and are large enough as they are: they can go to the
///   output level without being rewritten
/// @param bottom nothing older than the inputs lies below them, so what is erased can be forgotten
/// @param reason for people
public record Compaction(
        List<Slice> inputs, int outputLevel, boolean move, boolean bottom, String reason) {
    public Compaction {
        inputs = List.copyOf(inputs);
        Check.that(!inputs.isEmpty(), "a compaction of nothing");
    }

    public long bytes() {
        return inputs.stream().mapToLong(Slice::bytes).sum();
    }
}
