package io.cleave.cluster;

import io.cleave.lsm.TreeStatistics;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;

import java.util.Map;
import java.util.stream.Collectors;

/// One tablet as its users may see it. Counts are of this process's life; rows and bytes are
/// estimates.
public record TabletInfo(
        long tabletId,
        long cellId,
        KeyRange range,
        long rows,
        long bytes,
        Storage storage,
        Traffic traffic,
        long startedMicros) {
    /// What its files are.
    ///
    /// @param fileBytes of each column family; keys count with the default one
    /// @param runs sorted runs that a read may have to look at, memtables included
    /// @param pinnedBytes of blocks that stay in memory because a family says so
    public record Storage(
            long memtableBytes,
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
            long lastUpdateMicros) {}

    static TabletInfo of(Route route) {
        Tablet tablet = route.tablet();
        Tablet.Traffic traffic = tablet.traffic();
        TreeStatistics statistics = tablet.statistics();
        return new TabletInfo(
                tablet.id(),
                route.cell().id(),
                tablet.range(),
                statistics.rows(),
                statistics.bytes(),
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
                        traffic.lastUpdateMicros()),
                traffic.startedMicros());
    }

    private static Storage storage(TreeStatistics statistics) {
        return new Storage(
                statistics.memtableBytes(),
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
