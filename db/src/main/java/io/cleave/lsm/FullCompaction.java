package io.cleave.lsm;

import io.cleave.lsm.Compaction.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides the next step of bringing a whole tree to its last level, in the order of keys: a
/// function of its slices and the options. When there is no step left, every slice is on the last
/// level, has the tree's settings and holds no garbage; so asking again finds nothing.
///
/// A step takes slices whose ranges overlap, and further ones beside them as long as they are small
/// together. It can be repeated from the beginning after a crash.
final class FullCompaction {
    private static final String REASON = "asked for";

    private FullCompaction() {}

    /// Flushes after `generation` are left alone, or a tablet that is written all the time would
    /// never be done.
    static Optional<Compaction> pick(List<SliceFacts> facts, LsmOptions options, long generation) {
        List<SliceFacts> byKey =
                facts.stream()
                        .filter(
                                fact ->
                                        fact.slice().level() > 0
                                                || fact.slice().generation() <= generation)
                        .sorted(Comparator.comparing(fact -> fact.slice().from()))
                        .toList();
        List<SliceFacts> group = new ArrayList<>();
        @Nullable Slice hull = null;
        for (SliceFacts fact : byKey) {
            if (hull != null && !belongs(fact.slice(), hull, group, options)) {
                Optional<Compaction> step = step(group);
                if (step.isPresent()) {
                    return step;
                }
                group.clear();
                hull = null;
            }
            group.add(fact);
            hull = Levels.hull(hull == null ? List.of(fact.slice()) : List.of(hull, fact.slice()));
        }
        return group.isEmpty() ? Optional.empty() : step(group);
    }

    private static boolean belongs(
            Slice slice, Slice hull, List<SliceFacts> group, LsmOptions options) {
        if (slice.overlaps(hull)) {
            return true;
        }
        long bytes = group.stream().mapToLong(fact -> fact.slice().bytes()).sum();
        return bytes + slice.bytes() <= options.tableBytes() / 2;
    }

    private static Optional<Compaction> step(List<SliceFacts> group) {
        List<Slice> inputs = group.stream().map(SliceFacts::slice).toList();
        if (group.stream().allMatch(SliceFacts::erased)) {
            return Optional.of(compaction(inputs, Kind.DROP));
        }
        if (inputs.size() > 1) {
            return Optional.of(compaction(inputs, Kind.MERGE));
        }
        SliceFacts only = group.getFirst();
        if (only.stale() || only.garbage() > 0) {
            return Optional.of(compaction(inputs, Kind.MERGE));
        }
        return only.slice().level() == LsmOptions.LAST_LEVEL
                ? Optional.empty()
                : Optional.of(compaction(inputs, Kind.MOVE));
    }

    private static Compaction compaction(List<Slice> inputs, Kind kind) {
        return new Compaction(inputs, LsmOptions.LAST_LEVEL, kind, true, REASON);
    }
}
