package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;

/// How many tablets there may be. Pure.
record TabletLimits(int ofTable, int ofDatabase) {
    static final TabletLimits DEFAULT = new TabletLimits(35_000, 200_000);

    static long count(CatalogView view) {
        return view.tablets().values().stream().mapToLong(places -> places.size()).sum();
    }

    /// Refuses a table that would have so many.
    void checkTable(long tablets) {
        if (tablets > ofTable) {
            throw refused("path", ofTable);
        }
    }

    /// Refuses what would bring the database to so many.
    void checkDatabase(long tablets) {
        if (tablets > ofDatabase) {
            throw refused("domain", ofDatabase);
        }
    }

    private static StatusException refused(String where, int most) {
        return new StatusException(
                Status.GENERIC_ERROR,
                "shards count has reached maximum value in the %s: %d".formatted(where, most));
    }
}
