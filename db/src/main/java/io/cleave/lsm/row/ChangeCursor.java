package io.cleave.lsm.row;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The keys of a range that were written in a span of time, in key order, with the timestamps of
/// these writes. The cursor sees the tree at the time the cursor was created, and need not be
/// closed. Threads: one at a time.
///
/// The result is complete only if a snapshot at the start of the span is held, because compaction
/// then keeps every version of the span.
public final class ChangeCursor {
    private final Merge merge;
    private final Bytes from;
    private final @Nullable Bytes to;
    private final long after;
    private final long through;
    private final List<Long> timestamps = new ArrayList<>();
    private Bytes key = Bytes.EMPTY;
    private boolean begun;

    /// Covers versions with a timestamp in `(after, through]`.
    public ChangeCursor(Merge merge, Bytes from, @Nullable Bytes to, long after, long through) {
        this.merge = merge;
        this.from = from;
        this.to = to;
        this.after = after;
        this.through = through;
    }

    /// Moves to the next key; false at the end of the range.
    public boolean next() {
        while (nextKey()) {
            if (collect()) {
                return true;
            }
        }
        return false;
    }

    public Bytes key() {
        return key;
    }

    /// The timestamps at which the key was written, the earliest first.
    public List<Long> timestamps() {
        return List.copyOf(timestamps);
    }

    private boolean nextKey() {
        boolean any = begun ? merge.nextKey() : merge.seek(from, to);
        begun = true;
        return any && (to == null || merge.source(0).compareKey(to) < 0);
    }

    private boolean collect() {
        timestamps.clear();
        Source newest = merge.source(0);
        key = Bytes.copyOf(newest.key, 0, newest.keyBytes);
        boolean older = false;
        for (int index = 0; index < merge.tied() && !older; index++) {
            older = collect(merge.source(index));
        }
        return !timestamps.isEmpty();
    }

    /// Collects the timestamps of one source. Returns true once it reaches a version from before
    /// the span.
    private boolean collect(Source source) {
        do {
            if (source.timestamp <= after) {
                return true;
            }
            boolean known = !timestamps.isEmpty() && timestamps.getFirst() == source.timestamp;
            if (source.timestamp <= through && !known) {
                timestamps.addFirst(source.timestamp);
            }
        } while (source.nextVersion());
        return false;
    }
}
