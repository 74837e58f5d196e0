package io.cleave.balance;

import io.cleave.schema.KeyRange;

/// What was measured of a tablet.
///
/// @param cores of CPU time spent in it for reads and writes, over the load window
/// @param lateCores the same over the later half of it
/// @param peakCores the most over the merge window
/// @param queue commits that waited for it, on average over the load window
/// @param peakQueue the most over the merge window
/// @param rejects commits refused because of it, in a second
/// @param parentCores of the tablet that was cut by load and of which this one came; 0 for others
/// @param largestKeyBytes of the rows written since it is what it is
/// @param largestRowBytes the same of what was written to a row
public record TabletState(
        long tabletId,
        KeyRange range,
        long bytes,
        long rows,
        double cores,
        double lateCores,
        double peakCores,
        double queue,
        double peakQueue,
        double rejects,
        long ageMillis,
        double parentCores,
        long largestKeyBytes,
        long largestRowBytes) {}
