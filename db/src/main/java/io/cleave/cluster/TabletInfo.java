package io.cleave.cluster;

import io.cleave.lsm.TreeStatistics;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;

import java.util.Map;
import java.util.stream.Collectors;

/// One tablet as its users may see it. Counts are since it is what it is where it is, or since the
/// process started; rows and bytes are estimates of what is left if everything were compacted now.
///
/// @param startedMicros when that was
/// @param ageMicros how long ago
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
    /// What its files are.
    ///
    /// @param fileBytes of each column family; keys count with the default one
    /// @param runs sorted runs that a read may have to look at, memtables included
    /// @param garbageBytes of files and memtables: about what is erased or overwritten
    /// @param pinnedBytes of blocks that stay in memory because a family says so
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

    /// How often key filters were asked, and how often a key that they let through was there, or
    /// was not.
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

    /// Those that wrote here. In flight are those over several cells that are prepared and not yet
    /// decided.
    public record Transactions(long inFlight, long immediate, long coordinated, long rejected) {
        private static Transactions of(Tablet.Transactions counted) {
            return new Transactions(
                    counted.inFlight(),
                    counted.immediate(),
                    counted.coordinated(),
                    counted.rejected());
        }
    }

    /// Rows in a second, over the last minute or so.
    ///
    /// @param cpuCores of CPU time spent for them
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
                statistics.groups().stream()
                        .collect(
                                Collectors.toMap(
                                        TreeStatistics.Group::name, TreeStatistics.Group::bytes)),
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
