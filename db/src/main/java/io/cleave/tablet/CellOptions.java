package io.cleave.tablet;

import io.cleave.memory.MemoryBudget;

/// Limits of the work that a cell lets wait, in bytes and milliseconds.
///
/// @param memtableBytes of all cells of the process; above it memtables are flushed
/// @param replayBytes of log that a restart may have to read, not counting the rest of a segment
///   that the log cannot trim yet. A tablet that holds back half as much is flushed. Commits wait
///   so that the log does not grow beyond it.
/// @param stateBytes of log between two records of the state
/// @param stallBytes in memtables of all cells, including memtables being flushed; at this limit
///   commits wait
/// @param stallMillis how long a commit waits before it is refused
/// @param flushAgeMillis how long a memtable keeps erased rows before it is flushed. Files free
///   their space only when the erases have reached them.
public record CellOptions(
        long memtableBytes,
        long replayBytes,
        long stateBytes,
        long stallBytes,
        long stallMillis,
        long flushAgeMillis) {
    private static final long FLUSH_AGE_MILLIS = 180_000;

    public static final CellOptions DEFAULT =
            new CellOptions(
                    128L << 20, 240L << 20, 32L << 20, MemoryBudget.MOST_MEMTABLE_BYTES, 10_000);

    /// These options with at most `mostMemtableBytes` in memtables. Flushes start at a third of it;
    /// the rest is for rows that arrive while a flush runs.
    public CellOptions within(long mostMemtableBytes) {
        return new CellOptions(
                Math.min(memtableBytes, mostMemtableBytes / 3),
                replayBytes,
                stateBytes,
                Math.min(stallBytes, mostMemtableBytes),
                stallMillis,
                flushAgeMillis);
    }

    /// Options with the default flush age.
    public CellOptions(
            long memtableBytes,
            long replayBytes,
            long stateBytes,
            long stallBytes,
            long stallMillis) {
        this(memtableBytes, replayBytes, stateBytes, stallBytes, stallMillis, FLUSH_AGE_MILLIS);
    }

    public CellOptions withFlushAgeMillis(long millis) {
        return new CellOptions(
                memtableBytes, replayBytes, stateBytes, stallBytes, stallMillis, millis);
    }
}
