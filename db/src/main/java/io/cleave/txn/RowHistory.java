package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.cluster.Tablets;
import io.cleave.lsm.row.ChangeCursor;
import io.cleave.lsm.row.Row;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Reads rows at earlier moments, and the changes since a moment. The caller must hold the moment
/// so that its versions are not compacted away. Threads: any.
public final class RowHistory {
    private final Tablets cluster;
    private final OptimisticTransactions codecs;

    RowHistory(Tablets cluster, OptimisticTransactions codecs) {
        this.cluster = cluster;
        this.codecs = codecs;
    }

    /// The columns of the row with this key at a moment, or null if there was no row.
    public Value @Nullable [] get(Bytes key, ReadColumns columns, long at) {
        Table table = columns.table();
        Route route = cluster.map(table).find(key);
        Row row = route.tablet().get(key, columns.stored(), at, null);
        return codecs.codec(table).read(key, row, null, columns);
    }

    public interface Visitor {
        /// Returns whether to continue.
        boolean changed(Bytes key, List<Long> timestamps);
    }

    /// Visits the keys that were written after `after` and up to `through`, which must be visible.
    /// Each key is visited once, in key order, with all timestamps at which it was written.
    public void changes(Table table, long after, long through, Visitor visitor) {
        for (Route.Part part : cluster.map(table).find(KeyRange.ALL)) {
            ChangeCursor cursor = part.route().tablet().changes(part.range(), after, through);
            while (cursor.next()) {
                if (!visitor.changed(cursor.key(), cursor.timestamps())) {
                    return;
                }
            }
        }
    }
}
