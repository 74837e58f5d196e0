package io.cleave.balance.yt.whatif;

import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// How many tablets a bundle has, how large they are, and how even its cells are.
///
/// @param tables the sizes of the tablets of each table, by its path
/// @param cells what is in each cell, by its id
public record BundleFigures(SequencedMap<String, Sizes> tables, SequencedMap<Long, Load> cells) {
    /// The sizes of tablets in bytes.
    public record Sizes(int count, long min, long mean, long max) {
        static final Sizes NONE = new Sizes(0, 0, 0, 0);

        private static Sizes of(Collection<TabletState> tablets) {
            var all = tablets.stream().mapToLong(TabletState::bytes).summaryStatistics();
            return all.getCount() == 0
                    ? NONE
                    : new Sizes(
                            (int) all.getCount(),
                            all.getMin(),
                            Math.round(all.getAverage()),
                            all.getMax());
        }
    }

    /// What the tablets of a cell have together.
    ///
    /// @param memoryBytes their blocks that are kept in memory because a setting says so
    /// @param load the CPU time of their reads and writes, in cores
    public record Load(int tablets, long bytes, long memoryBytes, double load) {
        static final Load NONE = new Load(0, 0, 0, 0);

        private Load with(TabletState tablet) {
            return new Load(
                    tablets + 1,
                    bytes + tablet.bytes(),
                    memoryBytes + tablet.pinnedBytes(),
                    load + tablet.cores());
        }
    }

    /// How even the cells are: what the fullest has, divided by the mean; 1 if they are even. NaN
    /// if the cells have nothing of it.
    public record Balance(double tablets, double bytes, double memory, double load) {}

    /// @param bundle its tables are listed; those of others only load its cells
    static BundleFigures of(ClusterState state, String bundle) {
        var tables = new TreeMap<String, Sizes>();
        var cells = new LinkedHashMap<Long, Load>();
        for (CellMembership cell : state.cells()) {
            cells.put(cell.cellId(), Load.NONE);
        }
        for (TableState table : state.tables()) {
            if (table.bundle().equals(bundle)) {
                tables.put(table.table().path(), Sizes.of(table.tablets()));
            }
            for (TabletState tablet : table.tablets()) {
                cells.computeIfPresent(tablet.cellId(), (_, load) -> load.with(tablet));
            }
        }
        return new BundleFigures(tables, cells);
    }

    public int tabletCount() {
        return tables.values().stream().mapToInt(Sizes::count).sum();
    }

    public Balance balance() {
        return new Balance(
                unevenness(Load::tablets),
                unevenness(Load::bytes),
                unevenness(Load::memoryBytes),
                unevenness(Load::load));
    }

    private double unevenness(ToDoubleFunction<Load> figure) {
        var all = cells.values().stream().mapToDouble(figure).summaryStatistics();
        return all.getSum() > 0 ? all.getMax() / all.getAverage() : Double.NaN;
    }
}
