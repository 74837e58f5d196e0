package io.cleave.balance;

import io.cleave.base.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Everything that a policy may look at: the tables with their tablets, and the cells with their
/// bundles and nodes.
///
/// @param bundles those that have cells
/// @param nodes those whose memory is known
/// @param config what YTsaurus' clients have set for the balancer of all bundles: a map in YSON;
///   empty if nothing was set
/// @param due what YTsaurus' rules decide about. If it is empty, nothing says what is due, and they
///   decide about everything, as a plan does, with the reasons for tablets that are left alone.
///   Otherwise only tables with verbose logging have reasons
public record ClusterState(
        List<TableState> tables,
        List<CellMembership> cells,
        List<BundleState> bundles,
        List<NodeState> nodes,
        Bytes config,
        Optional<Set<Due>> due) {
    public ClusterState {
        tables = List.copyOf(tables);
        cells = List.copyOf(cells);
        bundles = List.copyOf(bundles);
        nodes = List.copyOf(nodes);
        due = due.map(Set::copyOf);
    }

    /// A cluster for which nothing was set, and the memory of whose nodes is not known.
    public ClusterState(
            List<TableState> tables, List<CellMembership> cells, List<BundleState> bundles) {
        this(tables, cells, bundles, List.of(), Bytes.EMPTY, Optional.empty());
    }

    /// As above, with the memory of nodes.
    public ClusterState(
            List<TableState> tables,
            List<CellMembership> cells,
            List<BundleState> bundles,
            List<NodeState> nodes) {
        this(tables, cells, bundles, nodes, Bytes.EMPTY, Optional.empty());
    }

    /// The same cluster in a round for which this is due.
    public ClusterState withDue(Set<Due> nowDue) {
        return new ClusterState(tables, cells, bundles, nodes, config, Optional.of(nowDue));
    }

    /// This cluster with other tables, cells and bundles.
    public ClusterState with(
            List<TableState> newTables,
            List<CellMembership> newCells,
            List<BundleState> newBundles) {
        return new ClusterState(newTables, newCells, newBundles, nodes, config, due);
    }

    /// The cells that tablets may be put into. What is in other cells is on its way out of them,
    /// and no policy counts it.
    public List<CellMembership> running() {
        return cells.stream().filter(CellMembership::isRunning).toList();
    }

    /// The running cells of a bundle, by id.
    public List<CellMembership> bundle(String name) {
        return cells.stream()
                .filter(cell -> cell.isRunning() && cell.bundle().equals(name))
                .toList();
    }

    public Optional<NodeState> node(int nodeId) {
        return nodes.stream().filter(node -> node.nodeId() == nodeId).findFirst();
    }

    /// The memory of the pinned blocks of a cell's tablets.
    public long pinnedBytes(long cellId) {
        return tabletsIn(cellId).stream().mapToLong(TabletState::pinnedBytes).sum();
    }

    /// The tablets of all tables in a cell.
    public List<TabletState> tabletsIn(long cellId) {
        return tables.stream()
                .flatMap(table -> table.tablets().stream())
                .filter(tablet -> tablet.cellId() == cellId)
                .toList();
    }
}
