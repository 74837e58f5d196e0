package io.cleave.tablet;

/// How much a cell lets wait, in bytes.
///
/// @param memtableBytes in the memtables of all cells of the process; more are flushed
/// @param replayBytes of log that a restart may have to read, beside the rest of a segment that the
///   log cannot give up yet: a tablet that holds back half as much is flushed, and commits wait
///   rather than go past it
/// @param stateBytes of log between two records of the state
/// @param stallBytes in memtables of all cells, flushing ones included: commits wait
/// @param stallMillis how long a commit waits before it is refused
/// @param flushAgeMillis how long a memtable keeps rows that are erased; then it is flushed, for
///   files give up their space only when the erases have come to them
public record CellOptions(
        long memtableBytes,
        long replayBytes,
        long stateBytes,
        long stallBytes,
        long stallMillis,
        long flushAgeMillis) {
    private static final long FLUSH_AGE_MILLIS = 180_000;

    public static final CellOptions DEFAULT =
            new CellOptions(128L << 20, 240L << 20, 32L << 20, 384L << 20, 10_000);

    /// The same with no more than so many bytes in memtables: a third of them is flushed, and the
    /// rest is for what comes while that goes on.
    public CellOptions within(long mostMemtableBytes) {
        return new CellOptions(
                Math.min(memtableBytes, mostMemtableBytes / 3),
                replayBytes,
                stateBytes,
                Math.min(stallBytes, mostMemtableBytes),
                stallMillis,
                flushAgeMillis);
    }

    /// With the usual age.
    public CellOptions(
            long memtableBytes,
            long replayBytes,
            long stateBytes,
            long stallBytes,
            long stallMillis) {
        this(memtableBytes, replayBytes, stateBytes, stallBytes, stallMillis, FLUSH_AGE_MILLIS);
    }

    /// The same with another age.
    public CellOptions withFlushAgeMillis(long millis) {
        return new CellOptions(
                memtableBytes, replayBytes, stateBytes, stallBytes, stallMillis, millis);
    }
}
