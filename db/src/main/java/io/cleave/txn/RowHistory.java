package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.cluster.Tablets;
import io.cleave.codec.RowReader;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.ChangedKey;
import io.cleave.tablet.MovedException;
import io.cleave.tablet.Route;
import io.cleave.tablet.Route.Part;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.List;

/// Reads rows at earlier moments, and the changes since a moment. The caller must hold the moment
/// so that its versions are not compacted away. Threads: any.
public final class RowHistory {
    /// The number of changed keys that a cell is asked for at once.
    private static final int KEYS_AT_ONCE = 1000;

    private static final KeyRange NOTHING = new KeyRange(Bytes.EMPTY, Bytes.EMPTY);

    private final Tablets cluster;
    private final RowCodecs codecs;

    RowHistory(Tablets cluster, RowCodecs codecs) {
        this.cluster = cluster;
        this.codecs = codecs;
    }

    /// The columns of the row with this key at a moment, or null if there was no row.
    public Value @Nullable [] get(Bytes key, ReadColumns columns, long at) {
        RowReader reader = columns.reader(codecs);
        Route route = cluster.map(columns.table()).find(key);
        while (true) {
            try {
                return route.cell().get(route, key, reader, at, null);
            } catch (MovedException moved) {
                route = moved.find(key);
            }
        }
    }

    public interface Visitor {
        /// Returns whether to continue.
        boolean changed(Bytes key, List<Long> timestamps);
    }

    /// Visits the keys that were written after `after` and up to `through`, which must be visible.
    /// Each key is visited once, in key order, with all timestamps at which it was written.
    public void changes(Table table, long after, long through, Visitor visitor) {
        var parts = new ArrayDeque<>(cluster.map(table).find(KeyRange.ALL));
        while (!parts.isEmpty()) {
            Part part = parts.removeFirst();
            try {
                Route route = part.route();
                List<ChangedKey> changed =
                        route.cell().changes(route, part.range(), after, through, KEYS_AT_ONCE);
                for (ChangedKey key : changed) {
                    if (!visitor.changed(key.key(), key.timestamps())) {
                        return;
                    }
                }
                KeyRange left = left(part.range(), changed);
                if (!left.isEmpty()) {
                    parts.addFirst(new Part(route, left));
                }
            } catch (MovedException moved) {
                moved.find(part.range()).reversed().forEach(parts::addFirst);
            }
        }
    }

    /// The keys that may have more changes.
    private static KeyRange left(KeyRange range, List<ChangedKey> changed) {
        return changed.size() < KEYS_AT_ONCE
                ? NOTHING
                : new KeyRange(changed.getLast().key().successor(), range.to());
    }
}
