package io.cleave.txn;

import io.cleave.cluster.Tablets;
import io.cleave.schema.Table;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Set;

/// A moment of the past that a transaction reads. While it is held, compaction keeps its versions.
/// Versions that were removed before are missing.
///
/// Threads: one at a time.
final class PastSnapshot {
    private final Tablets cluster;
    private final long timestamp;
    private final Timeline.Hold hold;

    /// Whether it was the newest moment when it was held. Then all its versions are there.
    private final boolean wasNewest;

    /// The tables, by id, that keep the versions of this moment.
    private final Set<Long> tablesWithPast = new HashSet<>();

    private PastSnapshot(Tablets cluster, long timestamp, Timeline.Hold hold, boolean wasNewest) {
        this.cluster = cluster;
        this.timestamp = timestamp;
        this.hold = hold;
        this.wasNewest = wasNewest;
    }

    /// Holds the moment; null if it is in the future.
    static @Nullable PastSnapshot hold(Tablets cluster, long timestamp) {
        Timeline.Hold hold = cluster.timeline().hold(timestamp);
        long visible = cluster.timeline().visible();
        if (timestamp > visible) {
            hold.close();
            return null;
        }
        return new PastSnapshot(cluster, timestamp, hold, timestamp == visible);
    }

    /// Throws if the table does not keep the versions of this moment.
    void check(Table table) {
        if (wasNewest || tablesWithPast.contains(table.id())) {
            return;
        }
        Tablets.Retained retained = cluster.retained(table);
        if (timestamp < retained.timestamp()) {
            throw new PastGoneException(timestamp, retained.tabletId(), retained.timestamp());
        }
        tablesWithPast.add(table.id());
    }

    void release() {
        hold.close();
    }
}
