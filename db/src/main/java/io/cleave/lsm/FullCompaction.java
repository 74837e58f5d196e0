package io.cleave.lsm;

import io.cleave.lsm.Compaction.Kind;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides the next step of compacting a whole tree to its last level, in key order. The decision
/// is a function of the tree's slices and the options. When no step is left, every slice is on the
/// last level, has the tree's settings and holds no garbage, so further calls return nothing.
///
/// A step takes slices whose ranges overlap, and adds adjacent slices as long as they are small
/// together. After a crash, the compaction can be started again from the beginning.
final class FullCompaction {
    private static final String REASON = "asked for";

    private FullCompaction() {}

    /// Ignores flushes after `generation`; otherwise the compaction of a tablet that is written
    /// continuously would never end.
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
