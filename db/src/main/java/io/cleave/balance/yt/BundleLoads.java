package io.cleave.balance.yt;

import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.NodeState;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.balance.yt.move.BundleLoad;
import io.cleave.balance.yt.move.NodeMemory;
import io.cleave.schema.MountState;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Collects the tablets in the cells of each bundle, as moves look at them. The tablets of all
/// tables count, because they load the cells.
final class BundleLoads {
    private BundleLoads() {}

    /// The loads of these bundles.
    static Map<BalancedBundle, BundleLoad> of(ClusterState state, List<BalancedBundle> bundles) {
        Map<String, Part> parts = new LinkedHashMap<>();
        Map<Integer, NodeMemory> memories = memories(state);
        bundles.forEach(bundle -> parts.put(bundle.name(), new Part(bundle, memories)));
        Map<Long, Place> places = new HashMap<>();
        for (CellMembership cell : state.running()) {
            Part part = parts.get(cell.bundle());
            if (part != null) {
                places.put(cell.cellId(), new Place(part, part.addCell(cell)));
            }
        }
        for (TableState table : state.tables()) {
            for (int index = 0; index < table.tablets().size(); index++) {
                Place place = places.get(table.tablets().get(index).cellId());
                if (place != null) {
                    place.part().add(table, index, place.cell());
                }
            }
        }
        Map<BalancedBundle, BundleLoad> loads = new LinkedHashMap<>();
        parts.values().forEach(part -> loads.put(part.bundle, part.builder.build()));
        return loads;
    }

    /// The memory of the nodes whose limit is known. A node has as many slots as it has cells now.
    private static Map<Integer, NodeMemory> memories(ClusterState state) {
        Map<Integer, Integer> cellCounts = new HashMap<>();
        state.cells().forEach(cell -> cellCounts.merge(cell.nodeId(), 1, Integer::sum));
        Map<Integer, NodeMemory> memories = new HashMap<>();
        for (NodeState node : state.nodes()) {
            int cells = cellCounts.getOrDefault(node.nodeId(), 1);
            memories.put(
                    node.nodeId(),
                    new NodeMemory(node.maxPinnedBytes(), node.pinnedBytes(), cells));
        }
        return memories;
    }

    /// A cell as the index that it has in the load of its bundle.
    private record Place(Part part, int cell) {}

    private static final class Part {
        private final BalancedBundle bundle;
        private final Map<Integer, NodeMemory> memories;
        private final BundleLoad.Builder builder = new BundleLoad.Builder();

        /// The indexes of nodes, by id.
        private final Map<Integer, Integer> nodes = new HashMap<>();

        /// The id of the table whose tablets are being added, and its index; -1 at first.
        private long currentId = -1;

        private int table = -1;

        /// The metrics of that table; null if it has none.
        private double @Nullable [] metrics;

        Part(BalancedBundle bundle, Map<Integer, NodeMemory> memories) {
            this.bundle = bundle;
            this.memories = memories;
        }

        int addCell(CellMembership cell) {
            int node =
                    nodes.computeIfAbsent(
                            cell.nodeId(),
                            id ->
                                    builder.addNode(
                                            id, memories.getOrDefault(id, NodeMemory.UNLIMITED)));
            return builder.addCell(cell.cellId(), node);
        }

        void add(TableState of, int index, int cell) {
            if (of.table().id() != currentId) {
                currentId = of.table().id();
                table = builder.addTable(bundle.movable(of));
                metrics = bundle.metrics(of);
            }
            TabletState tablet = of.tablets().get(index);
            MountState state = tablet.mountState();
            boolean isActive = state == MountState.MOUNTED || state == MountState.FROZEN;
            int _ =
                    builder.addTablet(
                            tablet.tabletId(),
                            cell,
                            table,
                            metrics == null ? 0 : metrics[index],
                            tablet.pinnedBytes(),
                            isActive);
        }
    }
}
