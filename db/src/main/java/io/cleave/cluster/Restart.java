package io.cleave.cluster;

import io.cleave.base.CorruptionException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.TabletPlace;
import io.cleave.cluster.Reconciliation.CellTablet;
import io.cleave.cluster.Reconciliation.Drop;
import io.cleave.cluster.Reconciliation.Resume;
import io.cleave.schema.Table;
import io.cleave.tablet.CellService;
import io.cleave.tablet.CellStructure;
import io.cleave.tablet.DetachedTablet;
import io.cleave.tablet.Route;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Reconciles the catalog with the open cells at start, and builds the map of every table.
final class Restart {
    private static final System.Logger LOGGER = System.getLogger(Restart.class.getName());

    private final Catalog catalog;
    private final Cells cells;
    private final TabletMaps maps;

    Restart(Catalog catalog, Cells cells, TabletMaps maps) {
        this.catalog = catalog;
        this.cells = cells;
        this.maps = maps;
    }

    void run() {
        Reconciliation reconciliation = reconciliation(catalog, cells);
        drop(reconciliation.drops());
        for (Resume resume : reconciliation.resumes()) {
            CellTablet tablet = resume.tablet();
            structure(tablet.cellId()).resume(tablet.tabletId());
        }
        for (Table table : catalog.view().tables()) {
            List<Route> routes = new ArrayList<>();
            for (CellTablet tablet : reconciliation.tablets().getOrDefault(table.id(), List.of())) {
                routes.add(structure(tablet.cellId()).route(tablet.tabletId()));
            }
            publish(table, new TabletMap(routes).wholeFrom(table.wholeFrom()));
            raiseVersion(table, routes);
        }
    }

    /// Tablets may require a later version of their table than the catalog has: its log was cut,
    /// and the loss was accepted. They would refuse every commit.
    private void raiseVersion(Table table, List<Route> routes) {
        long required =
                routes.stream().mapToLong(route -> route.statistics().minVersion()).max().orElse(0);
        if (required > table.version()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the catalog has lost changes of table {0}; its version is set to {1}, which"
                            + " its tablets require",
                    table.path(),
                    required);
            catalog.change(List.of(new PutNode(Node.of(table.atVersion(required)))));
        }
    }

    private CellStructure structure(long cellId) {
        return cells.get(cellId).structure();
    }

    /// The reconciliation that is needed; changes nothing.
    static Reconciliation reconciliation(Catalog catalog, Cells cells) {
        cells.all().forEach(cell -> checkTargets(cell, cells));
        return Reconciliation.of(catalog.view(), catalog.idBound(), found(cells));
    }

    /// Throws if the target cell of a move is missing: the tablet may have arrived there and been
    /// written to.
    private static void checkTargets(CellService cell, Cells cells) {
        for (DetachedTablet detached : cell.structure().detached()) {
            if (cells.find(detached.targetCellId()).isEmpty()) {
                throw new CorruptionException(
                        "cell " + cell.id(),
                        0,
                        ("tablet %d is being moved to cell %d, which does not exist; restore the"
                                        + " folder of that cell")
                                .formatted(detached.tabletId(), detached.targetCellId()));
            }
        }
    }

    private static List<CellTablet> found(Cells cells) {
        List<CellTablet> found = new ArrayList<>();
        for (CellService cell : cells.all()) {
            CellStructure structure = cell.structure();
            Set<Long> detached =
                    structure.detached().stream()
                            .map(DetachedTablet::tabletId)
                            .collect(Collectors.toSet());
            for (Route route : structure.tablets()) {
                found.add(
                        new CellTablet(
                                cell.id(),
                                route.tabletId(),
                                route.statistics().tableId(),
                                route.range(),
                                route.epoch(),
                                detached.contains(route.tabletId())));
            }
        }
        return found;
    }

    private void drop(List<Drop> drops) {
        Map<Long, List<Long>> byCell = new TreeMap<>();
        for (Drop drop : drops) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "tablet {0} of table {1} in cell {2} is dropped: it {3}",
                    drop.tablet().tabletId(),
                    drop.tablet().tableId(),
                    drop.tablet().cellId(),
                    drop.why());
            byCell.computeIfAbsent(drop.tablet().cellId(), _ -> new ArrayList<>())
                    .add(drop.tablet().tabletId());
        }
        byCell.forEach((cellId, tabletIds) -> structure(cellId).drop(tabletIds));
    }

    /// Updates the catalog if its tablets differ from those of the cells.
    private void publish(Table table, TabletMap map) {
        maps.put(table.id(), map);
        List<TabletPlace> places = map.places();
        if (!places.equals(catalog.view().tablets(table.id()))) {
            catalog.change(List.of(new PutTablets(table.id(), places)));
        }
    }
}
