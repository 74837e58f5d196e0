package io.cleave.cluster;

import io.cleave.lsm.Expiry;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;

import org.jspecify.annotations.Nullable;

/// What the files of a table know of the times at which its rows expire. Reads no rows.
public final class ExpiredFiles {
    private ExpiredFiles() {}

    /// Erases what has expired as whole files, by the times up to `throughMicros`, and returns how
    /// many rows that were. The table has no indexes, and gets none meanwhile.
    public static long erase(Table table, Route route, long throughMicros) {
        @Nullable Expiry expiry = TableStorage.expiry(table);
        return expiry == null
                ? 0
                : route.cell().ranges().eraseExpired(route.tablet().id(), expiry, throughMicros);
    }

    /// About how many rows have a time in `(afterMicros, throughMicros]`: what is in files only.
    public static long rows(Table table, TabletMap map, long afterMicros, long throughMicros) {
        @Nullable Expiry expiry = TableStorage.expiry(table);
        return expiry == null
                ? 0
                : map.routes().stream()
                        .mapToLong(
                                route ->
                                        route.tablet()
                                                .expiredRows(expiry, afterMicros, throughMicros))
                        .sum();
    }
}
