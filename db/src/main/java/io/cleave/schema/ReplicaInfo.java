package io.cleave.schema;

/// The state of a read replica of a cell.
///
/// @param zone the availability zone of its process
/// @param reachedMicros the newest timestamp up to which it has everything; 0 if there is none
/// @param behindMicros how long ago, on the monotonic clock, that was the newest timestamp of all
public record ReplicaInfo(
        String zone,
        long cellId,
        int number,
        long reachedMicros,
        long behindMicros,
        long halfLagMicros,
        long highLagMicros,
        long appliedRecords,
        long waitingRecords,
        long reads,
        long restarts,
        long memtableBytes,
        int tablets) {}
