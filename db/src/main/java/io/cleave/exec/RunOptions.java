package io.cleave.exec;

/// How runs go about their work. The results are the same whatever it says.
///
/// @param batches whether scans go by batches of columns where they can
/// @param partBytes how much of a table one thread reads before it takes the next part
/// @param maxBatchRanges a read of more key ranges goes range by range
/// @param memoryBytes what the sorts, groups and joins of one run may keep in memory
/// @param waits whether a run waits when the memory of all runs is in use; one that is cut short
///   after a few rows need not
public record RunOptions(
        boolean batches, long partBytes, int maxBatchRanges, long memoryBytes, boolean waits) {
    public static final RunOptions DEFAULT = new RunOptions(true, 16L << 20, 64, 256L << 20, true);

    /// Everything row by row, on the thread of the caller.
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
