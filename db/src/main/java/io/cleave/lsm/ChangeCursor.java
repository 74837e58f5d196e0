package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The keys of a range that were written in a span of time, in key order, and when. Sees the tree
/// as it was when it began; there is nothing to close. Threads: one at a time.
///
/// Complete if compaction has kept every version of the span: someone holds the moment before it.
public final class ChangeCursor {
    private final Merge merge;
    private final Bytes from;
    private final @Nullable Bytes to;
    private final long after;
    private final long through;
    private final List<Long> timestamps = new ArrayList<>();
    private Bytes key = Bytes.EMPTY;
    private boolean begun;

    /// Of versions later than `after`, up to `through` itself.
    ChangeCursor(Merge merge, Bytes from, @Nullable Bytes to, long after, long through) {
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

    /// When the key was written, the earliest first.
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

    /// Whether it has come to versions of before the span.
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
