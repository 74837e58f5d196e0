package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Decides what a tree should compact next: a function of its slices and the options.
///
/// Levels: flushed memtables collect on level 0, each a run of its own. When there are enough, all
/// of them are merged with what they overlap on level 1. When a level from 1 on is too large, one
/// of its slices is merged with what it overlaps on the next one. So a read looks at no more than
/// `level0Runs` runs plus one per level, as long as compaction keeps up.
final class CompactionPicker {
    /// A table of less than one such part of `tableBytes` is small.
    private static final int SMALL_TABLE_PART = 4;

    private CompactionPicker() {}

    static Optional<Compaction> pick(List<Slice> slices, LsmOptions options) {
        List<List<Slice>> levels = levels(slices);
        int runs = Run.split(levels.getFirst()).size();
        if (runs >= options.level0Runs()) {
            String reason = "level 0: %d runs of %d".formatted(runs, options.level0Runs());
            return Optional.of(merge(levels, levels.getFirst(), 0, options, reason));
        }
        int fullest = fullestLevel(levels, options);
        if (fullest == 0) {
            return Optional.empty();
        }
        long bytes = bytes(levels.get(fullest));
        String reason =
                "level %d: %d bytes of %d".formatted(fullest, bytes, options.levelBytes(fullest));
        Slice slice = cheapest(levels.get(fullest), levels.get(fullest + 1));
        return Optional.of(merge(levels, List.of(slice), fullest, options, reason));
    }

    private static List<List<Slice>> levels(List<Slice> slices) {
        List<List<Slice>> levels = new ArrayList<>();
        for (int level = 0; level <= LsmOptions.LAST_LEVEL; level++) {
            levels.add(new ArrayList<>());
        }
        for (Slice slice : Run.inOrder(slices)) {
            levels.get(slice.level()).add(slice);
        }
        return levels;
    }

    /// The level that is most over its bound; 0 if none is.
    private static int fullestLevel(List<List<Slice>> levels, LsmOptions options) {
        int fullest = 0;
        double most = 1;
        for (int level = 1; level < LsmOptions.LAST_LEVEL; level++) {
            double share = (double) bytes(levels.get(level)) / options.levelBytes(level);
            if (share > most) {
                most = share;
                fullest = level;
            }
        }
        return fullest;
    }

    /// The slice that makes the next level rewrite least for each byte that leaves this one.
    private static Slice cheapest(List<Slice> level, List<Slice> next) {
        return level.stream()
                .min(
                        Comparator.<Slice>comparingDouble(
                                        slice ->
                                                (double) bytes(overlapping(next, slice))
                                                        / (slice.bytes() + 1))
                                .thenComparing(Slice::from))
                .orElseThrow();
    }

    private static Compaction merge(
            List<List<Slice>> levels,
            List<Slice> chosen,
            int level,
            LsmOptions options,
            String reason) {
        Slice hull = hull(chosen);
        List<Slice> inputs = new ArrayList<>(chosen);
        inputs.addAll(overlapping(levels.get(level + 1), hull));
        Slice all = hull(inputs);
        boolean bottom = true;
        for (int below = level + 2; below <= LsmOptions.LAST_LEVEL; below++) {
            bottom &= overlapping(levels.get(below), all).isEmpty();
        }
        boolean move = inputs.size() == chosen.size() && canMove(chosen, options);
        return new Compaction(inputs, level + 1, move, bottom, reason);
    }

    /// Small tables are rewritten all the same, or a tablet that is written slowly would end up
    /// with a great many of them.
    private static boolean canMove(List<Slice> slices, LsmOptions options) {
        List<Slice> byKey = slices.stream().sorted(Comparator.comparing(Slice::from)).toList();
        for (int index = 0; index < byKey.size(); index++) {
            boolean small = byKey.get(index).bytes() < options.tableBytes() / SMALL_TABLE_PART;
            if (small || (index > 0 && byKey.get(index - 1).overlaps(byKey.get(index)))) {
                return false;
            }
        }
        return true;
    }

    private static List<Slice> overlapping(List<Slice> level, Slice with) {
        return level.stream().filter(slice -> slice.overlaps(with)).toList();
    }

    /// One that covers the range of all.
    private static Slice hull(List<Slice> slices) {
        Slice first = slices.getFirst();
        Bytes from = first.from();
        @Nullable Bytes to = first.to();
        for (Slice slice : slices) {
            from = slice.from().compareTo(from) < 0 ? slice.from() : from;
            Bytes other = slice.to();
            to = to == null || other == null ? null : other.compareTo(to) > 0 ? other : to;
        }
        return new Slice(0, 0, 0, from, to, 0, 0, 0, 0);
    }

    private static long bytes(List<Slice> slices) {
        return slices.stream().mapToLong(Slice::bytes).sum();
    }
}
