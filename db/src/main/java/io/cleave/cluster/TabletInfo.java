package io.cleave.cluster;

import io.cleave.lsm.TreeStatistics;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;

import java.util.Map;
import java.util.stream.Collectors;

/// A tablet as users see it. Counters start when the tablet is created, split, merged or moved, or
/// when the process starts. Rows and bytes are estimates of what a full compaction would leave.
///
/// @param startedMicros when the counters started
/// @param ageMicros the time since then
public record TabletInfo(
        long tabletId,
        long cellId,
        long epoch,
        KeyRange range,
        long rows,
        long bytes,
        Storage storage,
        Traffic traffic,
        Load load,
        long startedMicros,
        long ageMicros) {
    /// The files and memory of the tablet.
    ///
    /// @param fileBytes by column family; keys are counted in the default family
    /// @param runs sorted runs that a read may have to search, including memtables
    /// @param garbageBytes estimate of the erased and overwritten bytes in files and memtables
    /// @param pinnedBytes blocks kept in memory because their family requires it
    public record Storage(
            long memtableBytes,
            long garbageBytes,
            Map<String, Long> fileBytes,
            long files,
            long runs,
            long maxLevel,
            long pinnedBytes,
            Filter filter) {
        public Storage {
            fileBytes = Map.copyOf(fileBytes);
        }

        public long fileBytes(String family) {
            return fileBytes.getOrDefault(family, 0L);
        }
    }

    /// How often key filters were checked, and how often a key that they let through existed or did
    /// not exist.
    public record Filter(long checks, long truePositives, long falsePositives) {}

    public record Traffic(
            long rowReads,
            long rowUpdates,
            long rowDeletes,
            long rangeReads,
            long rangeReadRows,
            long locksAcquired,
            long locksBroken,
            long lastAccessMicros,
            long lastUpdateMicros,
            long locksOfAll,
            Transactions transactions) {}

    /// Transactions that wrote to the tablet. `inFlight` counts multi-cell transactions that are
    /// prepared and not yet decided.
    public record Transactions(long inFlight, long immediate, long coordinated, long rejected) {
        private static Transactions of(Tablet.Transactions counted) {
            return new Transactions(
                    counted.inFlight(),
                    counted.immediate(),
                    counted.coordinated(),
                    counted.rejected());
        }
    }

    /// Rows per second, over about the last minute.
    ///
    /// @param cpuCores CPU time spent on them, in cores
    public record Load(double readsPerSecond, double writesPerSecond, double cpuCores) {}

    static TabletInfo of(Route route, long nowMicros) {
        Tablet tablet = route.tablet();
        Tablet.Traffic traffic = tablet.traffic();
        TreeStatistics statistics = tablet.statistics();
        return new TabletInfo(
                tablet.id(),
                route.cell().id(),
                tablet.epoch(),
                tablet.range(),
                statistics.rows(),
                statistics.leftBytes(),
                storage(statistics),
                new Traffic(
                        traffic.rowReads(),
                        traffic.rowUpdates(),
                        traffic.rowDeletes(),
                        traffic.rangeReads(),
                        traffic.rangeReadRows(),
                        traffic.locksAcquired(),
                        traffic.locksBroken(),
                        traffic.lastAccessMicros(),
                        traffic.lastUpdateMicros(),
                        traffic.locksOfAll(),
                        Transactions.of(traffic.transactions())),
                new Load(tablet.load().reads(), tablet.load().writes(), tablet.cpuCores()),
                traffic.startedMicros(),
                Math.max(0, nowMicros - traffic.startedMicros()));
    }

    private static Storage storage(TreeStatistics statistics) {
        return new Storage(
                statistics.memtableBytes(),
                Math.max(0, statistics.storedBytes() - statistics.leftBytes()),
                statistics.families().stream()
                        .collect(
                                Collectors.toMap(
                                        TreeStatistics.Family::name, TreeStatistics.Family::bytes)),
                statistics.levels().stream().mapToLong(TreeStatistics.Level::tables).sum(),
                statistics.runs(),
                statistics.levels().stream()
                        .filter(level -> level.tables() > 0)
                        .mapToLong(TreeStatistics.Level::level)
                        .max()
                        .orElse(0),
                statistics.pinnedBytes(),
                new Filter(
                        statistics.filter().checks(),
                        statistics.filter().truePositives(),
                        statistics.filter().falsePositives()));
    }
}
