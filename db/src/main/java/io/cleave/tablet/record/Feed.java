package io.cleave.tablet.record;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;

import java.util.ArrayList;
import java.util.List;

/// The part of the log that is in a memtable: the row events at positions `[from, to)` that name
/// this tablet and whose keys lie in the range. After a split this is the tablet that took the
/// writes, not the one that has the memtable now.
public record Feed(long tabletId, long from, long to, KeyRange range) {
    /// As `to`: the feed has not ended.
    public static final long OPEN = Long.MAX_VALUE;

    Feed within(KeyRange other) {
        return new Feed(tabletId, from, to, range.intersection(other));
    }

    /// Joins feeds of neighbouring ranges that a split had separated.
    public static List<Feed> joined(List<Feed> feeds) {
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

    public boolean holds(long position) {
        return from <= position && position < to;
    }
}
