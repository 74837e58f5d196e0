package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Table;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Where the keys of every table are. A map may be behind what the cells have just done: its routes
/// then lead on.
///
/// Threads: anyone reads; a table's map is changed by whoever holds the table in [TableLocks].
final class TabletMaps {
    /// By table id: of every table that the catalog has, or is about to have.
    private final Map<Long, TabletMap> maps = new ConcurrentHashMap<>();

    TabletMap of(Table table) {
        TabletMap map = maps.get(table.id());
        if (map == null) {
            throw new StatusException(
                    Status.SCHEME_ERROR, "Table '" + table.path() + "' was dropped meanwhile");
        }
        return map;
    }

    void put(long tableId, TabletMap map) {
        maps.put(tableId, map);
    }

    void remove(long tableId) {
        maps.remove(tableId);
    }
}
