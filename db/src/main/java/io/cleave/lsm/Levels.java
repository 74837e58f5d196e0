package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The slices of a tree by level, and how large each level should be.
///
/// Sizes are reckoned from below: the last level holds what it holds, each level above it is
/// `levelFactor` times smaller, and the first that is to hold no more than `baseBytes` is the
/// *base*, into which level 0 is merged. So a small tree has one level, data is not carried through
/// empty ones, and all levels above the last together are about a tenth of the tree.
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

    /// Level 0 goes here.
    int base() {
        return base;
    }

    /// From the newest slice to the oldest, and then by key.
    List<Slice> at(int level) {
        return levels.get(level);
    }

    /// How many times the level has what it should have. What stands above the base has to leave.
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

    /// Whether nothing from `level` on holds keys of this range.
    boolean emptyFrom(int level, Slice range) {
        for (int below = level; below <= LsmOptions.LAST_LEVEL; below++) {
            if (at(below).stream().anyMatch(slice -> slice.overlaps(range))) {
                return false;
            }
        }
        return true;
    }

    /// One that covers the range of all.
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
