package io.cleave.tablet;

import io.cleave.schema.KeyRange;

import java.util.List;

/// A frozen memtable that is in no file yet, and the parts of the log that it contains.
record Unflushed(long generation, List<Feed> feeds) {
    Unflushed {
        feeds = List.copyOf(feeds);
    }

    Unflushed within(KeyRange range) {
        return new Unflushed(
                generation,
                feeds.stream()
                        .map(feed -> feed.within(range))
                        .filter(feed -> !feed.range().isEmpty())
                        .toList());
    }

    /// Whether it has writes that this tablet took itself.
    boolean isFedBy(long tabletId) {
        return feeds.stream().anyMatch(feed -> feed.tabletId() == tabletId);
    }

    long neededFrom() {
        return feeds.stream().mapToLong(Feed::from).min().orElse(Long.MAX_VALUE);
    }
}
