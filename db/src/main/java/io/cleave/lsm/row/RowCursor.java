package io.cleave.lsm.row;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;

/// The rows of a key range as a snapshot sees them. The cursor reads the tree as of the start of
/// the scan, and need not be closed. Threads: one at a time.
public final class RowCursor {
    /// The step callback runs after this many keys, whether or not they have a row for the
    /// snapshot.
    public static final int STEP_KEYS = 512;

    private final Merge merge;
    private final Bytes from;
    private final @Nullable Bytes to;
    private final long snapshot;
    private final Direction direction;
    private final ReadWatch watch;
    private final Row row;

    /// The range erases that overlap the range; usually none.
    private final RangeErases erases;

    private Runnable step = () -> {};
    private int keysPassed;
    private State state = State.BEFORE;
    private @Nullable FieldBatches batches;

    private enum State {
        BEFORE,
        AT_KEY,
        /// The merge has moved to a key that was not examined yet.
        BEFORE_KEY,
        DONE
    }

    public RowCursor(
            Merge merge,
            Bytes from,
            @Nullable Bytes to,
            Row row,
            RangeErases erases,
            long snapshot,
            ReadWatch watch) {
        this.merge = merge;
        this.row = row;
        this.erases = erases;
        this.from = from;
        this.to = to;
        this.snapshot = snapshot;
        direction = merge.direction();
        this.watch = watch;
    }

    /// Sets a callback that runs after every [#STEP_KEYS] keys that are passed one by one, whether
    /// or not they have a row for this snapshot. It may throw, which ends the scan.
    public void onStep(Runnable reader) {
        step = reader;
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

    /// Valid until [#next] is called again.
    public Row row() {
        return row;
    }

    /// Sets the receiver of the rows of [#nextBatch]. It gets the columns with which the scan was
    /// opened.
    public void giveTo(FieldSink sink, boolean keys) {
        batches = new FieldBatches(row.wantedColumns(), keys, sink);
    }

    /// Passes on at least `wantedRows` of the next rows, or all rows that are left. May pass on
    /// more rows if that is cheaper. Returns their number; 0 at the end of the range.
    public int nextBatch(int wantedRows) {
        FieldBatches to = Objects.requireNonNull(batches);
        int rows = 0;
        while (rows < wantedRows && nextKey()) {
            int taken = takeBlock(to);
            if (taken > 0) {
                rows += taken;
                state = State.BEFORE_KEY;
            } else if (mergeVersions()) {
                Source newest = merge.source(0);
                to.add(row, newest.key, newest.keyBytes);
                rows++;
            }
        }
        if (rows == 0) {
            state = State.DONE;
        }
        return rows;
    }

    /// The current key after a batch: the first key after its rows, or its last key. Empty at the
    /// end of the tree.
    public Optional<Bytes> batchEnd() {
        if (merge.isAtEnd()) {
            return Optional.empty();
        }
        Source at = merge.source(0);
        return Optional.of(Bytes.copyOf(at.key, 0, at.keyBytes));
    }

    private int takeBlock(FieldBatches into) {
        return erases.isEmpty() && direction == Direction.FORWARD
                ? merge.takeBlock(snapshot, to, into)
                : 0;
    }

    private boolean nextKey() {
        boolean any =
                switch (state) {
                    case BEFORE -> merge.seek(from, to);
                    case AT_KEY -> merge.nextKey();
                    case BEFORE_KEY -> !merge.isAtEnd();
                    case DONE -> false;
                };
        state = State.AT_KEY;
        if (++keysPassed == STEP_KEYS) {
            keysPassed = 0;
            step.run();
        }
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
