package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;

import org.jspecify.annotations.Nullable;

/// The rows of a key range as of a snapshot. Sees the tree as it was when the scan began, plus
/// nothing: there is nothing to close. Threads: one at a time.
public final class RowCursor {
    private final Merge merge;
    private final Bytes from;
    private final @Nullable Bytes to;
    private final long snapshot;
    private final Direction direction;
    private final ReadWatch watch;
    private final Row row;

    /// Those that touch the range; most often none.
    private final RangeErases erases;

    private State state = State.BEFORE;

    private enum State {
        BEFORE,
        AT_KEY,
        DONE
    }

    RowCursor(
            Merge merge,
            Bytes from,
            @Nullable Bytes to,
            Row row,
            RangeErases erases,
            long snapshot,
            Direction direction,
            ReadWatch watch) {
        this.merge = merge;
        this.row = row;
        this.erases = erases;
        this.from = from;
        this.to = to;
        this.snapshot = snapshot;
        this.direction = direction;
        this.watch = watch;
    }

    /// Moves to the next row; false at the end of the range.
    public boolean next() {
        while (nextKey()) {
            if (mergeVersions()) {
                return true;
            }
        }
        state = State.DONE;
        return false;
    }

    /// Holds until [#next] is called again.
    public Row row() {
        return row;
    }

    private boolean nextKey() {
        boolean any =
                switch (state) {
                    case BEFORE -> merge.seek(from, to);
                    case AT_KEY -> merge.nextKey();
                    case DONE -> false;
                };
        state = State.AT_KEY;
        return any && inRange(merge.source(0));
    }

    private boolean inRange(Source at) {
        return direction == Direction.FORWARD
                ? to == null || at.compareKey(to) < 0
                : at.compareKey(from) >= 0;
    }

    private boolean mergeVersions() {
        Source newest = merge.source(0);
        row.begin(newest.key, newest.keyBytes);
        if (!erases.isEmpty()) {
            row.floor = erases.floor(newest.key, newest.keyBytes, snapshot);
        }
        boolean complete = false;
        for (int index = 0; index < merge.tied() && !complete; index++) {
            complete = merge.source(index).mergeInto(row, snapshot, watch);
        }
        return row.exists();
    }
}
