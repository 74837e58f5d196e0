package io.cleave.cluster;

import io.cleave.schema.KeyRange;

import java.util.Map;

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
}
