package io.cleave.txn;

import io.cleave.base.Bytes;
import io.cleave.cluster.TabletMap;
import io.cleave.cluster.Tablets;
import io.cleave.schema.LockGroups;
import io.cleave.schema.RowDemands;
import io.cleave.schema.Table;
import io.cleave.tablet.CellService;
import io.cleave.tablet.Route;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// What a commit writes to the tablets of one cell, and the rows that it locks there.
record CellWrites(CellService cell, List<TabletWrites> tablets) {
    /// The effects and row locks of a transaction, by cell id. They go to the tablets that hold the
    /// keys now. `locksAt` is the snapshot since which no other transaction may have written or
    /// locked the rows; null: no such check.
    static NavigableMap<Long, CellWrites> byCell(
            Tablets cluster,
            Collection<Effects> effects,
            Collection<RowLocks> rowLocks,
            @Nullable Long locksAt) {
        NavigableMap<Long, CellWrites> byCell = new TreeMap<>();
        for (Effects table : effects) {
            Table written = table.table();
            RowDemands demands =
                    locksAt == null
                            ? null
                            : new RowDemands(locksAt, LockGroups.of(written), List.of());
            TabletMap map = cluster.map(written);
            @Nullable Route route = null;
            List<KeyedChange> changes = new ArrayList<>();
            for (Map.Entry<Bytes, Effect> row : table.rows().entrySet()) {
                if (route == null || !route.range().contains(row.getKey())) {
                    addTo(byCell, route, changes, written.version(), demands);
                    changes = new ArrayList<>();
                    route = map.find(row.getKey());
                }
                changes.add(new KeyedChange(row.getKey(), row.getValue().encode(table.codec())));
            }
            addTo(byCell, route, changes, written.version(), demands);
        }
        if (locksAt != null) {
            rowLocks.forEach(locked -> addLocks(byCell, cluster, locked, locksAt));
        }
        return byCell;
    }

    private static void addLocks(
            NavigableMap<Long, CellWrites> byCell, Tablets cluster, RowLocks locked, long at) {
        locked.byRoute(cluster.map(locked.table()))
                .forEach(
                        (route, locks) ->
                                addTo(
                                        byCell,
                                        route,
                                        List.of(),
                                        locked.table().version(),
                                        new RowDemands(at, locked.groups(), locks)));
    }

    private static void addTo(
            NavigableMap<Long, CellWrites> byCell,
            @Nullable Route route,
            List<KeyedChange> changes,
            long tableVersion,
            @Nullable RowDemands demands) {
        if (route != null) {
            CellService cell = route.cell();
            byCell.computeIfAbsent(cell.id(), _ -> new CellWrites(cell, new ArrayList<>()))
                    .tablets
                    .add(new TabletWrites(route.tabletId(), changes, tableVersion, demands));
        }
    }
}
