package io.cleave.cluster;

import io.cleave.schema.KeyRange;

/// One tablet as its users may see it. Counts are of this process's life; rows and bytes are
/// estimates.
public record TabletInfo(
        long tabletId,
        long cellId,
        KeyRange range,
        long rows,
        long bytes,
        Traffic traffic,
        long startedMicros) {
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
