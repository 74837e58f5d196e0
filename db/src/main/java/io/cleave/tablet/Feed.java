package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.List;

/// What of the log is in a memtable: the row events at positions `[from, to)` that name this
/// tablet, as far as their keys lie in the range. After a split it is not the tablet that has the
/// memtable, but the one that took the writes.
record Feed(long tabletId, long from, long to, KeyRange range) {
    /// Goes on.
    static final long OPEN = Long.MAX_VALUE;

    Feed within(KeyRange other) {
        return new Feed(tabletId, from, to, range.intersection(other));
    }

    /// The same with neighbours as one again, where they were cut apart.
    static List<Feed> joined(List<Feed> feeds) {
        List<Feed> joined = new ArrayList<>();
        for (Feed feed : feeds) {
            joined.stream()
                    .filter(earlier -> earlier.isFollowedBy(feed))
                    .findFirst()
                    .ifPresentOrElse(
                            earlier -> joined.set(joined.indexOf(earlier), earlier.with(feed)),
                            () -> joined.add(feed));
        }
        return joined;
    }

    private boolean isFollowedBy(Feed other) {
        Bytes end = range.to();
        return end != null
                && end.equals(other.range.from())
                && tabletId == other.tabletId
                && from == other.from
                && to == other.to;
    }

    private Feed with(Feed next) {
        return new Feed(tabletId, from, to, new KeyRange(range.from(), next.range.to()));
    }

    boolean holds(long position) {
        return from <= position && position < to;
    }
}
