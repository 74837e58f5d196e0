package io.cleave.bench.balance;

import io.cleave.balance.BundleState;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.KeyFacts;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;
import io.cleave.balance.yt.move.BundleLoad;
import io.cleave.base.Bytes;
import io.cleave.schema.Balancer;
import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TabletCounter;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Window;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The tablets of a drawn bundle as policies see them. What a tablet has of the metric is what is
/// written to it, its CPU time, or its size.
final class PolicyCluster implements KeyFacts {
    static final String BUNDLE = "default";

    /// A table that is neither split nor merged by YDB's rules.
    private static final Partitioning FIXED =
            new Partitioning(false, 2048, false, Partitioning.NO_MERGES, 0);

    /// The mean CPU time of a cell: a busy one, whose tablets are not busy one by one.
    private static final double CELL_CORES = 4;

    private static final long SECONDS = 3600;
    private static final long OLD_MILLIS = SECONDS * 1000;

    private final BundleLoad load;
    private final Balancer balancer;
    private final long tabletBytes;
    private final double coresOfMetric;
    private final String config;
    private final List<Table> tables = new ArrayList<>();

    /// By table, in key order.
    private final List<List<Integer>> tabletsOf = new ArrayList<>();

    /// By the index of the tablet: the cell it is in now.
    private final int[] cells;

    private final Map<Long, Integer> indexes = new HashMap<>();

    /// @param config of the bundle, in YSON
    PolicyCluster(BundleLoad load, Balancer balancer, long tabletBytes, String config) {
        this.load = load;
        this.balancer = balancer;
        this.tabletBytes = tabletBytes;
        this.config = config;
        double all = 0;
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            all += load.metric(tablet);
        }
        coresOfMetric = CELL_CORES * load.cellCount() / all;
        cells = new int[load.tabletCount()];
        for (int table = 0; table < load.tableCount(); table++) {
            tables.add(table(table + 1));
            tabletsOf.add(new ArrayList<>());
        }
        for (int tablet = 0; tablet < load.tabletCount(); tablet++) {
            cells[tablet] = load.cellOf(tablet);
            tabletsOf.get(load.tableOf(tablet)).add(tablet);
            indexes.put(load.tabletId(tablet), tablet);
        }
    }

    private static Table table(long id) {
        var column =
                new Column(
                        1, "k", Primitive.UINT64, false, Column.DEFAULT_FAMILY, Optional.empty());
        return new Table(
                id,
                1,
                "/local/t" + id,
                List.of(column),
                List.of(0),
                2,
                List.of(ColumnFamily.DEFAULT),
                TableOptions.DEFAULT.with(FIXED),
                Map.of(),
                0,
                List.of(),
                0);
    }

    ClusterState state() {
        List<TableState> states = new ArrayList<>();
        for (int table = 0; table < tables.size(); table++) {
            List<TabletState> tablets = new ArrayList<>();
            int last = tabletsOf.get(table).size() - 1;
            for (int place = 0; place <= last; place++) {
                var range =
                        new KeyRange(
                                place == 0 ? Bytes.EMPTY : key(place),
                                place == last ? null : key(place + 1));
                tablets.add(tablet(tabletsOf.get(table).get(place), range));
            }
            states.add(new TableState(tables.get(table), BUNDLE, balancer, tablets));
        }
        List<CellMembership> members = new ArrayList<>();
        for (int cell = 0; cell < load.cellCount(); cell++) {
            members.add(
                    new CellMembership(load.cellId(cell), BUNDLE, load.nodeId(load.node(cell))));
        }
        YsonNode attributes =
                YsonNode.parse(Bytes.utf8("{tablet_balancer_config=" + config + "}")).orElseThrow();
        var bundle =
                new BundleState(BUNDLE, YsonWriter.write(attributes, YsonWriter.Format.BINARY));
        return new ClusterState(states, members, List.of(bundle));
    }

    private static Bytes key(int number) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of((long) number));
    }

    private TabletState tablet(int tablet, KeyRange range) {
        double metric = load.metric(tablet);
        var counters = new TabletCounters.Builder().measured(SECONDS);
        for (Window window : Window.values()) {
            counters.rate(TabletCounter.DYNAMIC_ROW_WRITE_DATA_WEIGHT, window, metric);
        }
        return new TabletState(
                load.tabletId(tablet),
                load.cellId(cells[tablet]),
                range,
                tabletBytes,
                1000,
                metric * coresOfMetric,
                metric * coresOfMetric,
                metric * coresOfMetric,
                0,
                0,
                0,
                OLD_MILLIS,
                0,
                0,
                0,
                tabletBytes,
                0,
                MountState.MOUNTED,
                counters.build());
    }

    /// Carries out the moves of an answer; returns how many there were. Nothing else may be in it.
    int carryOut(Map<Long, List<Decision>> answer) {
        int moves = 0;
        for (List<Decision> decisions : answer.values()) {
            for (Decision decision : decisions) {
                switch (decision) {
                    case Decision.Move move -> {
                        // The id of a cell is its index.
                        cells[Objects.requireNonNull(indexes.get(move.tabletId()))] =
                                (int) move.toCellId();
                        moves++;
                    }
                    case Decision.Leave _, Decision.Warn _ -> {}
                    case Decision.Split _, Decision.Merge _, Decision.Reshard _ ->
                            throw new IllegalStateException("not a move: " + decision);
                }
            }
        }
        return moves;
    }

    /// The load of the most loaded cell, as a multiple of the mean.
    double imbalance() {
        double[] loads = new double[load.cellCount()];
        double all = 0;
        double most = 0;
        for (int tablet = 0; tablet < cells.length; tablet++) {
            all += load.metric(tablet);
            loads[cells[tablet]] += load.metric(tablet);
        }
        for (double each : loads) {
            most = Math.max(most, each);
        }
        return most * loads.length / all;
    }

    @Override
    public List<SizePoint> sizes(long tabletId, int count) {
        throw new IllegalStateException("no tablet is cut");
    }

    @Override
    public List<KeySample> samples(long tabletId) {
        return List.of();
    }
}
