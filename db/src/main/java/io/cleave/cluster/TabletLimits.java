package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;

/// The maximum number of tablets of a table and of the database. Pure.
public record TabletLimits(int ofTable, int ofDatabase) {
    public static final TabletLimits DEFAULT = new TabletLimits(35_000, 200_000);

    static long count(CatalogView view) {
        return view.tablets().values().stream().mapToLong(places -> places.size()).sum();
    }

    /// Throws if this number of tablets exceeds the limit of a table.
    void checkTable(long tablets) {
        if (tablets > ofTable) {
            throw refused("path", ofTable);
        }
    }

    /// Throws if this number of tablets exceeds the limit of the database.
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
