package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.Slice;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The slices of a tree by level, and the target size of each level.
///
/// Target sizes are computed from the bottom up. The last level has no limit, and each level above
/// it is `levelFactor` times smaller. The first level whose target is at most `baseBytes` is the
/// *base*, into which level 0 is merged. A small tree therefore has only one level, data does not
/// pass through empty levels, and all levels above the last together hold about a tenth of the
/// tree.
final class Levels {
    private final List<List<Slice>> levels = new ArrayList<>();
    private final long[] targets = new long[LsmOptions.LAST_LEVEL + 1];
    private final int base;

    Levels(List<Slice> slices, LsmOptions options) {
        for (int level = 0; level <= LsmOptions.LAST_LEVEL; level++) {
            levels.add(new ArrayList<>());
        }
        for (Slice slice : Run.inOrder(slices)) {
            levels.get(slice.level()).add(slice);
        }
        base = setTargets(options);
    }

    private int setTargets(LsmOptions options) {
        long target = 0;
        for (int level = 1; level <= LsmOptions.LAST_LEVEL; level++) {
            target = Math.max(target, bytes(at(level)));
        }
        int level = LsmOptions.LAST_LEVEL;
        targets[level] = Long.MAX_VALUE;
        while (target > options.baseBytes() && level > 1) {
            target /= options.levelFactor();
            level--;
            targets[level] = Math.max(target, options.baseBytes() / options.levelFactor());
        }
        return level;
    }

    /// The level into which level 0 is merged.
    int base() {
        return base;
    }

    /// The slices of a level, from new to old and then by key.
    List<Slice> at(int level) {
        return levels.get(level);
    }

    /// The size of the level divided by its target. A level above the base that has data is
    /// infinitely full, because its data must move down.
    double fullness(int level) {
        long bytes = bytes(at(level));
        if (level >= base) {
            return (double) bytes / targets[level];
        }
        return bytes == 0 ? 0 : Double.MAX_VALUE;
    }

    long target(int level) {
        return targets[level];
    }

    List<Slice> overlapping(int level, Slice with) {
        return at(level).stream().filter(slice -> slice.overlaps(with)).toList();
    }

    /// Whether no slice on `level` or below overlaps the range.
    boolean emptyFrom(int level, Slice range) {
        for (int below = level; below <= LsmOptions.LAST_LEVEL; below++) {
            if (at(below).stream().anyMatch(slice -> slice.overlaps(range))) {
                return false;
            }
        }
        return true;
    }

    /// A slice whose range covers all of the slices; its other values are 0.
    static Slice hull(List<Slice> slices) {
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

    static long bytes(List<Slice> slices) {
        return slices.stream().mapToLong(Slice::bytes).sum();
    }
}
