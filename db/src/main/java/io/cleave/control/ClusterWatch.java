package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.NodeState;
import io.cleave.balance.TableState;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.cluster.Cells.PinnedMemory;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Balancer;
import io.cleave.schema.CellStage;
import io.cleave.schema.Table;
import io.cleave.tree.BalancerConfig;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The recent load of all tablets, and the facts about their keys that a policy asks for.
///
/// Threads: one at a time.
final class ClusterWatch implements KeyFacts {
    private static final System.Logger LOGGER = System.getLogger(ClusterWatch.class.getName());

    /// This process leads all cells.
    private static final int NODE_ID = 1;

    private final Tablets tablets;
    private final BalanceSettings settings;

    /// By table id.
    private final Map<Long, TableWatch> tables = new HashMap<>();

    /// The table of each tablet, as of the last look.
    private final Map<Long, TableWatch> tableOf = new HashMap<>();

    ClusterWatch(Tablets tablets, BalanceSettings settings) {
        this.tablets = tablets;
        this.settings = settings;
    }

    /// Takes a new measurement of every table.
    ClusterState look(long nowNanos) {
        List<TableState> states = new ArrayList<>();
        Set<Long> there = new HashSet<>();
        tableOf.clear();
        List<Table> all = tablets.tables();
        Map<Long, Table> owners = WatchedCluster.owners(all);
        for (Table table : all) {
            there.add(table.id());
            try {
                states.add(look(table, WatchedCluster.balancer(table, owners), nowNanos));
            } catch (StatusException e) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        () -> "%s was not measured: %s".formatted(table.path(), e.getMessage()));
            } catch (RuntimeException e) {
                // The other tables are still looked at, and this one is looked at again in the next
                // round.
                LOGGER.log(System.Logger.Level.WARNING, table.path() + " could not be measured", e);
            }
        }
        tables.keySet().retainAll(there);
        CatalogView view = tablets.held().view();
        List<CellMembership> cells = new ArrayList<>();
        view.bundles()
                .forEach(
                        (bundle, cellIds) -> {
                            for (long cellId : cellIds) {
                                CellStage stage =
                                        view.cells().getOrDefault(cellId, CellStage.RUNNING);
                                cells.add(new CellMembership(cellId, bundle, NODE_ID, stage));
                            }
                        });
        PinnedMemory memory = tablets.cells().pinnedMemory();
        var node = new NodeState(NODE_ID, memory.usedBytes(), memory.maxBytes());
        String database = tablets.database();
        return new ClusterState(
                states,
                cells,
                WatchedCluster.bundles(view, database),
                List.of(node),
                BalancerConfig.bytes(view, database),
                Optional.empty());
    }

    /// Lets the next look compute the figures of all tablets anew, and not only of those that have
    /// changed.
    void forgetFigures() {
        tables.values().forEach(TableWatch::forgetFigures);
    }

    private TableState look(Table table, Balancer balancer, long nowNanos) {
        TableWatch watch =
                tables.computeIfAbsent(
                        table.id(), _ -> new TableWatch(settings, tablets.timeline()));
        TableState state = watch.look(table, balancer, tablets.map(table), nowNanos);
        state.tablets().forEach(tablet -> tableOf.put(tablet.tabletId(), watch));
        return state;
    }

    /// The current state of a table's tablets, with the locks counted since the previous call.
    List<TopTablets.Sample> samples(TableState table, long micros) {
        return Optional.ofNullable(tables.get(table.table().id()))
                .map(watch -> watch.samples(table, micros))
                .orElse(List.of());
    }

    /// Records that these tablets came from a tablet with this load that was split by load.
    void cutByLoad(long tableId, Collection<Long> children, double cores) {
        Optional.ofNullable(tables.get(tableId))
                .ifPresent(watch -> watch.cutByLoad(children, cores));
    }

    @Override
    public List<SizePoint> sizes(long tabletId, int count) {
        TableWatch watch = tableOf.get(tabletId);
        return watch == null ? List.of() : watch.sizes(tabletId, count);
    }

    @Override
    public List<KeySample> samples(long tabletId) {
        TableWatch watch = tableOf.get(tabletId);
        return watch == null ? List.of() : watch.samples(tabletId);
    }
}
