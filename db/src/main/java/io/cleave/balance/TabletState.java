package io.cleave.balance;

import io.cleave.schema.KeyRange;
import io.cleave.schema.MountState;
import io.cleave.schema.TabletCounters;

/// The measurements of a tablet, and the cell it is in.
///
/// @param bytes the size of its rows, without erased and overwritten data
/// @param cores CPU time of its reads and writes over the load window, in cores
/// @param lateCores `cores` over the later half of the load window
/// @param peakCores the maximum of `cores` over the merge window
/// @param queue average number of commits waiting for it over the load window
/// @param peakQueue the maximum of `queue` over the merge window
/// @param rejects commits refused because of it, per second
/// @param parentCores load of the tablet that was split by load into this one; 0 for others
/// @param largestKeyBytes the longest key written since the tablet was created
/// @param largestRowBytes the largest change written to a row since the tablet was created
/// @param fileBytes the size of its files, as they are stored, with those that its memtables will
///   become; a flush changes little in it
/// @param pinnedBytes its blocks that are kept in memory because a setting says so
/// @param mountState that of its first key
/// @param counters what it has done, and how fast lately
public record TabletState(
        long tabletId,
        long cellId,
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
        long largestRowBytes,
        long fileBytes,
        long pinnedBytes,
        MountState mountState,
        TabletCounters counters) {}
