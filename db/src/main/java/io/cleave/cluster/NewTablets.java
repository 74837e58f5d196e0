package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletSpec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Makes the tablets of new tables, and the tables known. Called by whoever changes the catalog.
record NewTablets(Catalog catalog, Cells cells, TabletMaps maps, Media media, TabletLimits limits) {
    /// Makes tablets of these ranges for tables that the catalog does not have yet, and then does
    /// the changes, by which it gets them. All of it or nothing.
    void publish(Map<Table, List<KeyRange>> tables, List<CatalogChange> changes) {
        publish(tables, changes, 0);
    }

    /// The same of tables that nobody may read before it is [known][TabletMaps#settle] from which
    /// moment on they are what they are.
    void publishUnsettled(Map<Table, List<KeyRange>> tables, List<CatalogChange> changes) {
        publish(tables, changes, TabletMap.UNSETTLED);
    }

    private void publish(
            Map<Table, List<KeyRange>> tables, List<CatalogChange> changes, long wholeFrom) {
        publish(Map.of(), tables, changes, wholeFrom);
    }

    /// The same where some tables have their tablets already.
    void publishWith(
            Map<Table, TabletMap> there,
            Map<Table, List<KeyRange>> tables,
            List<CatalogChange> changes) {
        publish(there, tables, changes, 0);
    }

    private void publish(
            Map<Table, TabletMap> there,
            Map<Table, List<KeyRange>> tables,
            List<CatalogChange> changes,
            long wholeFrom) {
        long count = TabletLimits.count(catalog.view());
        for (List<KeyRange> ranges : tables.values()) {
            count += ranges.size();
        }
        for (TabletMap map : there.values()) {
            count += map.routes().size();
        }
        Map<Table, TabletMap> made = new LinkedHashMap<>(there);
        try {
            limits.checkDatabase(count);
            tables.forEach((table, ranges) -> made.put(table, create(table, ranges)));
        } catch (StatusException e) {
            drop(made.keySet());
            throw e;
        }
        List<CatalogChange> all = new ArrayList<>(changes);
        made.forEach(
                (table, map) -> {
                    // Whoever finds the table finds its map.
                    maps.put(table.id(), map.wholeFrom(wholeFrom));
                    all.add(new PutTablets(table.id(), map.places()));
                });
        try {
            catalog.change(all);
        } catch (StatusException e) {
            made.keySet().forEach(table -> maps.remove(table.id()));
            // If nobody knows whether they are needed, the next start does.
            if (e.status() != Status.UNDETERMINED) {
                drop(made.keySet());
            }
            throw e;
        }
    }

    /// The tables will not be.
    void drop(Collection<Table> refused) {
        if (!refused.isEmpty()) {
            cells.dropTables(refused.stream().map(Table::id).collect(Collectors.toSet()));
        }
    }

    private TabletMap create(Table table, List<KeyRange> ranges) {
        TreeSettings settings = TableStorage.of(table, media);
        List<Long> bundle = Bundles.cells(catalog.view(), table);
        List<Long> chosen = Bundles.spread(ranges.size(), cells.tabletCounts(bundle));
        Map<Cell, List<TabletSpec>> specs = new LinkedHashMap<>();
        for (int index = 0; index < ranges.size(); index++) {
            specs.computeIfAbsent(cells.get(chosen.get(index)), _ -> new ArrayList<>())
                    .add(new TabletSpec(catalog.newId(), table.id(), ranges.get(index), settings));
        }
        try {
            specs.forEach(Cell::createTablets);
        } catch (StatusException e) {
            drop(List.of(table));
            throw e;
        }
        List<Route> routes = new ArrayList<>();
        specs.forEach(
                (cell, of) -> of.forEach(spec -> routes.add(Cells.route(cell, spec.tabletId()))));
        return TabletMap.of(routes);
    }
}
