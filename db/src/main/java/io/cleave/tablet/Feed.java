package io.cleave.tablet;

import io.cleave.schema.KeyRange;

/// What of the log is in a memtable: the row events at positions `[from, to)` that name this
/// tablet, as far as their keys lie in the range. After a split it is not the tablet that has the
/// memtable, but the one that took the writes.
record Feed(long tabletId, long from, long to, KeyRange range) {
    /// Goes on.
    static final long OPEN = Long.MAX_VALUE;

    Feed within(KeyRange other) {
        return new Feed(tabletId, from, to, range.intersection(other));
    }

    boolean holds(long position) {
        return from <= position && position < to;
    }
}
