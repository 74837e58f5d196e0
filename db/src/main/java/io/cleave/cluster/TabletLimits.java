package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;

/// How many tablets there may be. Pure.
final class TabletLimits {
    static final int OF_TABLE = 35_000;
    static final int OF_DATABASE = 200_000;

    private TabletLimits() {}

    static long count(CatalogView view) {
        return view.tablets().values().stream().mapToLong(places -> places.size()).sum();
    }

    /// Refuses a table that would have so many.
    static void checkTable(long tablets) {
        if (tablets > OF_TABLE) {
            throw refused("path", OF_TABLE);
        }
    }

    /// Refuses what would bring the database to so many.
    static void checkDatabase(long tablets) {
        if (tablets > OF_DATABASE) {
            throw refused("domain", OF_DATABASE);
        }
    }

    private static StatusException refused(String where, int most) {
        return new StatusException(
                Status.GENERIC_ERROR,
                "shards count has reached maximum value in the %s: %d".formatted(where, most));
    }
}
