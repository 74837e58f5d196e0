package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tablet.Route;
import io.cleave.tablet.record.TabletSpec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Creates the tablets of new tables and publishes the tables in the catalog. The caller holds the
/// lock for catalog changes.
public final class NewTablets {
    private final Catalog catalog;
    private final Cells cells;
    private final TabletMaps maps;
    private final Media media;
    private final TabletLimits limits;

    NewTablets(Catalog catalog, Cells cells, TabletMaps maps, Media media, TabletLimits limits) {
        this.catalog = catalog;
        this.cells = cells;
        this.maps = maps;
        this.media = media;
        this.limits = limits;
    }

    /// Creates tablets of these ranges for tables that are not yet in the catalog, and then makes
    /// the changes that add the tables. Either all of it happens or nothing.
    public void publish(Map<Table, List<KeyRange>> tables, List<CatalogChange> changes) {
        publish(tables, changes, 0);
    }

    /// Publishes tables that nobody may read until the timestamp from which they are valid is
    /// [known][Tablets#settle].
    public void publishUnsettled(Map<Table, List<KeyRange>> tables, List<CatalogChange> changes) {
        publish(tables, changes, TabletMap.UNSETTLED);
    }

    private void publish(
            Map<Table, List<KeyRange>> tables, List<CatalogChange> changes, long wholeFrom) {
        publish(Map.of(), tables, changes, wholeFrom);
    }

    /// Publishes new tables together with tables that already have their tablets.
    public void publishWith(
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
                    // The map is there before the catalog shows the table.
                    maps.put(table.id(), map.wholeFrom(wholeFrom));
                    all.add(new PutTablets(table.id(), map.places()));
                });
        try {
            catalog.change(all);
        } catch (StatusException e) {
            made.keySet().forEach(table -> maps.remove(table.id()));
            // If the outcome is unknown, the next start decides whether the tablets are needed.
            if (e.status() != Status.UNDETERMINED) {
                drop(made.keySet());
            }
            throw e;
        }
    }

    /// Drops the tablets of tables that were not published.
    public void drop(Collection<Table> refused) {
        if (!refused.isEmpty()) {
            cells.dropTables(refused.stream().map(Table::id).collect(Collectors.toSet()));
        }
    }

    private TabletMap create(Table table, List<KeyRange> ranges) {
        TreeSettings settings = TableStorage.of(table, media);
        List<Long> bundle = Bundles.cells(catalog.view(), table);
        List<Long> chosen = Bundles.spread(ranges.size(), cells.tabletCounts(bundle));
        Map<Long, List<TabletSpec>> specs = new LinkedHashMap<>();
        for (int index = 0; index < ranges.size(); index++) {
            specs.computeIfAbsent(chosen.get(index), _ -> new ArrayList<>())
                    .add(new TabletSpec(catalog.newId(), table.id(), ranges.get(index), settings));
        }
        List<Route> routes = new ArrayList<>();
        try {
            specs.forEach((cellId, of) -> routes.addAll(cells.get(cellId).structure().create(of)));
        } catch (StatusException e) {
            drop(List.of(table));
            throw e;
        }
        return TabletMap.of(routes);
    }
}
