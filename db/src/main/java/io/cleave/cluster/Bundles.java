package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutBundle;
import io.cleave.catalog.CatalogChange.PutCell;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CypressNode;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.CellStage;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Decides which cells the tablets of a table may be in: the cells of the table's bundle. A bundle
/// is a named group of cells. Each cell is in one bundle; a cell that was assigned to no bundle is
/// in `default`. Only running cells get tablets. Pure.
public final class Bundles {
    public static final String DEFAULT = "default";

    /// The table attribute with the name of its bundle; absent for the default bundle.
    public static final String ATTRIBUTE = "tablet_cell_bundle";

    private Bundles() {}

    public static String of(Table table) {
        return table.attributes().getOrDefault(ATTRIBUTE, DEFAULT);
    }

    /// What YTsaurus' tree knows of the bundle; empty if nothing was set.
    public static Optional<CypressNode> row(CatalogView view, String database, String name) {
        return view.cypress(database + "/sys/tablet_cell_bundles/" + name);
    }

    /// What YTsaurus' clients have set on the bundle: a map in binary YSON; empty if nothing was
    /// set.
    public static Bytes attributes(CatalogView view, String database, String name) {
        return row(view, database, name).map(CypressNode::attributes).orElse(Bytes.EMPTY);
    }

    /// The cells that tablets of the table may be put into. Throws BAD_REQUEST if there are none.
    public static List<Long> cells(CatalogView view, Table table) {
        boolean isThere = of(table).equals(DEFAULT) || view.bundles().containsKey(of(table));
        if (!isThere) {
            throw refused(
                    "Unknown bundle '%s' in the attribute %s, there are: %s"
                            .formatted(
                                    of(table),
                                    ATTRIBUTE,
                                    String.join(", ", view.bundles().keySet())));
        }
        List<Long> running = running(view, of(table));
        if (running.isEmpty()) {
            throw refused(
                    "the bundle '%s' has no running cell; create one, or choose another bundle"
                            .formatted(of(table)));
        }
        return running;
    }

    /// The running cells of a bundle, by id; none if there is no such bundle.
    public static List<Long> running(CatalogView view, String bundle) {
        return view.bundles().getOrDefault(bundle, List.of()).stream()
                .filter(cellId -> view.cells().get(cellId) == CellStage.RUNNING)
                .toList();
    }

    /// The bundle of a cell; `default` if the cell was assigned to none.
    public static String ofCell(CatalogView view, long cellId) {
        return view.bundles().entrySet().stream()
                .filter(bundle -> bundle.getValue().contains(cellId))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(DEFAULT);
    }

    /// The rows of open cells that have none, or whose row says that they are not open yet.
    static List<CatalogChange> opened(CatalogView view, Set<Long> cellIds) {
        List<CatalogChange> rows = new ArrayList<>();
        for (long cellId : cellIds) {
            CellStage stage = view.cells().getOrDefault(cellId, CellStage.INITIALIZING);
            if (stage == CellStage.INITIALIZING) {
                rows.add(new PutCell(cellId, CellStage.RUNNING));
            }
        }
        return rows;
    }

    /// The default bundle extended by the cells that are in no bundle; empty if there are no such
    /// cells.
    static Optional<PutBundle> adoption(CatalogView view, Set<Long> cellIds) {
        var left = new TreeSet<>(cellIds);
        view.bundles().values().forEach(left::removeAll);
        if (left.isEmpty()) {
            return Optional.empty();
        }
        left.addAll(view.bundles().getOrDefault(DEFAULT, List.of()));
        return Optional.of(new PutBundle(DEFAULT, List.copyOf(left)));
    }

    /// The changes that give exactly these cells to the bundle. Cells that it loses go to the
    /// default bundle, even those that are being created and are not open yet.
    static List<CatalogChange> putting(
            CatalogView view, Set<Long> openCells, String name, List<Long> cellIds) {
        Set<Long> allCells = new TreeSet<>(openCells);
        allCells.addAll(view.cells().keySet());
        for (long cellId : cellIds) {
            if (!allCells.contains(cellId)) {
                throw refused("there is no cell " + cellId + "; there are: " + text(allCells));
            }
            CellStage stage = view.cells().get(cellId);
            if (stage != CellStage.RUNNING && !ofCell(view, cellId).equals(name)) {
                throw refused(
                        "cell %d is being %s"
                                .formatted(
                                        cellId,
                                        stage == CellStage.INITIALIZING ? "created" : "removed"));
            }
        }
        List<CatalogChange> changes = new ArrayList<>();
        view.bundles()
                .forEach(
                        (other, had) -> {
                            var left = new TreeSet<>(had);
                            left.removeAll(cellIds);
                            if (!other.equals(name) && left.size() < had.size()) {
                                changes.add(new PutBundle(other, List.copyOf(left)));
                            }
                        });
        changes.add(new PutBundle(name, List.copyOf(new TreeSet<>(cellIds))));
        adoption(view.with(changes), allCells).ifPresent(changes::add);
        CatalogView after = view.with(changes);
        after.tables().forEach(table -> refuseIfOutside(view, after, table));
        return changes;
    }

    /// Throws if the change would leave tablets of the table outside its bundle.
    private static void refuseIfOutside(CatalogView before, CatalogView after, Table table) {
        List<Long> cells = after.bundles().get(of(table));
        if (cells == null) {
            if (!before.bundles().containsKey(of(table))) {
                // It has lost its last cell earlier.
                return;
            }
            throw refused(
                    "the bundle '%s' must have at least one cell, because %s uses it"
                            .formatted(of(table), table.path()));
        }
        for (TabletPlace place : after.tablets(table.id())) {
            long cellId = place.cellId();
            if (!cells.contains(cellId) && ofCell(before, cellId).equals(of(table))) {
                throw refused(
                        "cell %d has tablets of %s, which uses the bundle '%s'; move them first"
                                .formatted(cellId, table.path(), of(table)));
            }
        }
    }

    static String text(Collection<Long> cellIds) {
        return String.join(", ", cellIds.stream().map(String::valueOf).toList());
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, Issue.error(Issue.BAD_REQUEST, why));
    }

    /// Chooses a cell for each new tablet: the cell with the fewest tablets, and the lowest id
    /// among equals.
    static List<Long> spread(int tabletCount, SortedMap<Long, Integer> tabletCounts) {
        var counts = new TreeMap<>(tabletCounts);
        List<Long> chosen = new ArrayList<>();
        while (chosen.size() < tabletCount) {
            long cellId =
                    counts.entrySet().stream()
                            .min(Comparator.comparingInt(Map.Entry::getValue))
                            .orElseThrow()
                            .getKey();
            counts.merge(cellId, 1, Integer::sum);
            chosen.add(cellId);
        }
        return chosen;
    }
}
