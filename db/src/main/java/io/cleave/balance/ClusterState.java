package io.cleave.balance;

import java.util.List;

/// Everything that a policy may look at: the tables with their tablets, and the cells with their
/// bundles and nodes.
///
/// @param bundles those that have cells
public record ClusterState(
        List<TableState> tables, List<CellMembership> cells, List<BundleState> bundles) {
    public ClusterState {
        tables = List.copyOf(tables);
        cells = List.copyOf(cells);
        bundles = List.copyOf(bundles);
    }

    /// The cells of a bundle, by id.
    public List<CellMembership> bundle(String name) {
        return cells.stream().filter(cell -> cell.bundle().equals(name)).toList();
    }

    /// The tablets of all tables in a cell.
    public List<TabletState> tabletsIn(long cellId) {
        return tables.stream()
                .flatMap(table -> table.tablets().stream())
                .filter(tablet -> tablet.cellId() == cellId)
                .toList();
    }
}
