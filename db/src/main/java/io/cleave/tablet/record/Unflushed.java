package io.cleave.tablet.record;

import io.cleave.schema.KeyRange;

import java.util.List;

/// A frozen memtable that is in no file yet, and the parts of the log that it contains.
public record Unflushed(long generation, List<Feed> feeds) {
    public Unflushed {
        feeds = List.copyOf(feeds);
    }

    public Unflushed within(KeyRange range) {
        return new Unflushed(
                generation,
                feeds.stream()
                        .map(feed -> feed.within(range))
                        .filter(feed -> !feed.range().isEmpty())
                        .toList());
    }

    /// Whether it has writes that this tablet took itself.
    public boolean isFedBy(long tabletId) {
        return feeds.stream().anyMatch(feed -> feed.tabletId() == tabletId);
    }

    public long neededFrom() {
        return feeds.stream().mapToLong(Feed::from).min().orElse(Long.MAX_VALUE);
    }
}
