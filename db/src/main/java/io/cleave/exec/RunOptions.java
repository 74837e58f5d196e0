package io.cleave.exec;

/// Options of runs. They do not change results, except the last digits of floating-point
/// aggregates, which depend on the parts of a scan.
///
/// @param batches whether scans read batches of columns where they can
/// @param partBytes how much of a table one thread reads before it takes the next part
/// @param maxBatchRanges a read of more key ranges than this reads row by row, range by range
/// @param memoryBytes limit of the memory that the sorts, groups and joins of one run may keep
/// @param waits whether a run waits when the memory of all runs is in use; a run that is ended
///   after a few rows need not wait
public record RunOptions(
        boolean batches, long partBytes, int maxBatchRanges, long memoryBytes, boolean waits) {
    public static final RunOptions DEFAULT = new RunOptions(true, 16L << 20, 64, 256L << 20, true);

    /// Options for a run that reads row by row, on the thread of its caller.
    public RunOptions byRow() {
        return new RunOptions(false, partBytes, maxBatchRanges, memoryBytes, waits);
    }

    /// For a thread that must not wait.
    public RunOptions withoutWaiting() {
        return new RunOptions(batches, partBytes, maxBatchRanges, memoryBytes, false);
    }

    public RunOptions withMemory(long bytes) {
        return new RunOptions(batches, partBytes, maxBatchRanges, bytes, waits);
    }

    public RunOptions withPartBytes(long bytes) {
        return new RunOptions(batches, bytes, maxBatchRanges, memoryBytes, waits);
    }
}
