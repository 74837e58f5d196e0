package io.cleave.lsm.row;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Merges several sources into one sequence of keys, in one direction.
///
/// Invariant: if two sources have the same key, the source that comes first in the list has only
/// newer versions of it. (The timestamps of a key never decrease, and a tree moves versions down in
/// the order in which they were written.) So no timestamps are compared here.
public final class Merge {
    private final Direction direction;

    /// Sorted by current key in the direction of the merge, then from new to old. The first `count`
    /// sources are not at their end.
    private final Source[] sources;

    /// The index of each source in the list.
    private final int[] ages;

    private int count;

    /// The sources `[0, tied)` have the current key.
    private int tied;

    public Merge(List<? extends Source> newestFirst, Direction direction) {
        this.direction = direction;
        sources = newestFirst.toArray(Source[]::new);
        ages = new int[sources.length];
        count = sources.length;
    }

    Direction direction() {
        return direction;
    }

    /// Moves to the first key in `[from, to)` in the direction of the merge. The caller must check
    /// the other end of the range.
    public boolean seek(Bytes from, @Nullable Bytes to) {
        int found = 0;
        for (int index = 0; index < sources.length; index++) {
            Source source = sources[index];
            boolean any =
                    direction == Direction.FORWARD ? source.seek(from) : source.seekBefore(to);
            if (any) {
                sources[found] = source;
                ages[found] = index;
                found++;
            }
        }
        count = found;
        for (int index = count - 2; index >= 0; index--) {
            sink(index);
        }
        return findTied();
    }

    public boolean nextKey() {
        // From the last to the first, because the sources after `index` must be sorted already.
        for (int index = tied - 1; index >= 0; index--) {
            Source source = sources[index];
            boolean any = direction == Direction.FORWARD ? source.nextKey() : source.previousKey();
            if (any) {
                sink(index);
            } else {
                remove(index);
            }
        }
        return findTied();
    }

    /// Passes on the rows of a whole block if only one source has keys in it; see
    /// [Source#takeBlock]. Afterwards the current key is the first one after the block.
    int takeBlock(long snapshot, @Nullable Bytes bound, FieldBatches batches) {
        if (tied != 1) {
            return 0;
        }
        Source first = sources[0];
        int rows = first.takeBlock(snapshot, bound, count > 1 ? sources[1] : null, batches);
        if (rows > 0) {
            if (first.hasKey()) {
                sink(0);
            } else {
                remove(0);
            }
            findTied();
        }
        return rows;
    }

    boolean isAtEnd() {
        return count == 0;
    }

    /// The number of sources with the current key: at least one after a move that returned true.
    public int tied() {
        return tied;
    }

    /// The sources with the current key, from new to old.
    public Source source(int index) {
        return sources[index];
    }

    private boolean findTied() {
        tied = Math.min(count, 1);
        while (tied < count && sources[0].compareKey(sources[tied]) == 0) {
            tied++;
        }
        return count > 0;
    }

    private void sink(int from) {
        Source source = sources[from];
        int age = ages[from];
        int index = from;
        while (index + 1 < count && isBehind(source, age, index + 1)) {
            sources[index] = sources[index + 1];
            ages[index] = ages[index + 1];
            index++;
        }
        sources[index] = source;
        ages[index] = age;
    }

    private boolean isBehind(Source source, int age, int other) {
        int order = source.compareKey(sources[other]);
        if (order == 0) {
            return age > ages[other];
        }
        return direction == Direction.FORWARD ? order > 0 : order < 0;
    }

    private void remove(int index) {
        count--;
        System.arraycopy(sources, index + 1, sources, index, count - index);
        System.arraycopy(ages, index + 1, ages, index, count - index);
    }
}
