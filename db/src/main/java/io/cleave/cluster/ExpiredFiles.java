package io.cleave.cluster;

import io.cleave.lsm.Expiry;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;

import org.jspecify.annotations.Nullable;

import java.util.OptionalLong;
import java.util.function.ToLongFunction;

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

    /// The same where the time is what keys begin with: of files that lie in a range.
    public static long erase(Route route, KeyRange expired) {
        return expired.isEmpty()
                ? 0
                : route.cell().ranges().eraseExpired(route.tablet().id(), expired);
    }

    /// About how many rows have a time in `(afterMicros, throughMicros]`: what is in files only.
    /// Nothing where files do not know it.
    public static OptionalLong rows(
            Table table, TabletMap map, long afterMicros, long throughMicros) {
        @Nullable Expiry expiry = TableStorage.expiry(table);
        return expiry == null
                ? OptionalLong.empty()
                : sum(map, tablet -> tablet.expiredRows(expiry, afterMicros, throughMicros));
    }

    /// The same of keys.
    public static OptionalLong rows(TabletMap map, KeyRange expired) {
        return sum(map, tablet -> tablet.expiredRows(expired));
    }

    private static OptionalLong sum(TabletMap map, ToLongFunction<Tablet> rows) {
        return OptionalLong.of(map.routes().stream().map(Route::tablet).mapToLong(rows).sum());
    }
}
