package io.cleave.cluster;

import io.cleave.lsm.TreeStatistics;
import io.cleave.schema.KeyRange;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletTraffic;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletStatistics;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A tablet as users see it. Counters start when the tablet is created, split, merged or moved, or
/// when the process starts. Rows and bytes are estimates of what a full compaction would leave.
///
/// @param ageMicros the time since the counters started
public record TabletInfo(
        long tabletId,
        long cellId,
        long epoch,
        KeyRange range,
        long rows,
        long bytes,
        Storage storage,
        TabletTraffic traffic,
        Load load,
        Health health,
        TabletCounters counters,
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

    /// Rows per second, over about the last minute.
    ///
    /// @param cpuCores CPU time spent on them, in cores
    public record Load(double readsPerSecond, double writesPerSecond, double cpuCores) {}

    /// What was written last, and whether it can be put into files.
    ///
    /// @param lastCommit the timestamp of the newest commit to the tablet, or to one that it was a
    ///   part of; 0 if there was none
    /// @param flushFailure why memtables cannot be flushed; empty while they can
    public record Health(long lastCommit, Optional<String> flushFailure) {}

    static TabletInfo of(Route route, long nowMicros) {
        TabletStatistics tablet = route.statistics();
        TabletTraffic traffic = tablet.traffic();
        TreeStatistics statistics = tablet.statistics();
        return new TabletInfo(
                route.tabletId(),
                route.cellId(),
                route.epoch(),
                route.range(),
                statistics.rows(),
                statistics.leftBytes(),
                storage(statistics),
                traffic,
                new Load(tablet.load().reads(), tablet.load().writes(), tablet.cpuCores()),
                new Health(statistics.newestTimestamp(), route.cell().flushFailure()),
                tablet.counters(),
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
