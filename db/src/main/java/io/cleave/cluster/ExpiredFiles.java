package io.cleave.cluster;

import io.cleave.lsm.table.Expiry;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletStatistics;

import org.jspecify.annotations.Nullable;

import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/// Erases and counts expired rows by the expiry times recorded for whole files. Reads no rows.
public final class ExpiredFiles {
    private ExpiredFiles() {}

    /// Erases the files of a tablet whose rows have all expired, by times up to `throughMicros`.
    /// Returns the number of rows erased. The table must have no indexes. If one is added
    /// meanwhile, the tablet refuses the erase, or the build of the index waits for it.
    public static long erase(Table table, Route route, long throughMicros) {
        @Nullable Expiry expiry = TableStorage.expiry(table);
        return expiry == null
                ? 0
                : route.cell()
                        .structure()
                        .eraseExpired(route.tabletId(), table.version(), expiry, throughMicros);
    }

    /// Erases the files that lie within a range of expired keys, for a table whose keys begin with
    /// the expiry time. Returns the number of rows erased.
    public static long erase(Table table, Route route, KeyRange expired) {
        return expired.isEmpty()
                ? 0
                : route.cell().structure().eraseExpired(route.tabletId(), table.version(), expired);
    }

    /// An estimate of the rows with a time in `(afterMicros, throughMicros]`, counting only rows in
    /// files. Empty if the files do not record the times.
    public static OptionalLong rows(
            Table table, TabletMap map, long afterMicros, long throughMicros) {
        @Nullable Expiry expiry = TableStorage.expiry(table);
        return expiry == null
                ? OptionalLong.empty()
                : sum(map, tablet -> tablet.expiredRows(expiry, afterMicros, throughMicros));
    }

    /// An estimate of the rows in a range of expired keys, counting only rows in files.
    public static OptionalLong rows(TabletMap map, KeyRange expired) {
        return sum(map, tablet -> tablet.expiredRows(expired));
    }

    private static OptionalLong sum(TabletMap map, ToLongFunction<TabletStatistics> rows) {
        return OptionalLong.of(map.routes().stream().map(Route::statistics).mapToLong(rows).sum());
    }
}
