package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.schema.Table;

import java.util.Map;
import java.util.TreeMap;

/// Tablets that are being moved, with the cells where they will arrive.
///
/// Threads: under the lock of the catalog.
final class Arrivals {
    /// By table id; one tablet of a table is moved at a time.
    private final Map<Long, Arrival> byTable = new TreeMap<>();

    private record Arrival(Table table, long cellId) {}

    /// From now on, the cell stays in the table's bundle and is not removed.
    void begin(Table table, long cellId) {
        byTable.put(table.id(), new Arrival(table, cellId));
    }

    void end(Table table) {
        byTable.remove(table.id());
    }

    boolean isAny(long cellId) {
        return byTable.values().stream().anyMatch(arrival -> arrival.cellId() == cellId);
    }

    /// Throws ABORTED if, after a change of bundles, a tablet would arrive outside its bundle.
    void refuseIfUnderWay(CatalogView after) {
        for (Arrival arrival : byTable.values()) {
            Table table = arrival.table();
            if (!Bundles.cells(after, table).contains(arrival.cellId())) {
                throw new StatusException(
                        Status.ABORTED,
                        "a tablet of %s (bundle '%s') is being moved to cell %d; retry later"
                                .formatted(table.path(), Bundles.of(table), arrival.cellId()));
            }
        }
    }
}
