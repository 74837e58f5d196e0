package io.cleave.tablet;

/// When a cell flushes, in bytes: `memtableBytes` over all its tablets; a tablet whose oldest
/// unflushed row holds back more than `replayBytes` of log; a state record each `stateBytes` of
/// log. Commits wait while `stallBytes` are not flushed, and at most `stallMillis`.
public record CellOptions(
        long memtableBytes, long replayBytes, long stateBytes, long stallBytes, long stallMillis) {
    public static final CellOptions DEFAULT =
            new CellOptions(64L << 20, 128L << 20, 32L << 20, 256L << 20, 10_000);
}
