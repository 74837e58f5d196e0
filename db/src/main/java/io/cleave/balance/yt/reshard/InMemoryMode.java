package io.cleave.balance.yt.reshard;

/// What of a table is kept in memory: nothing, its blocks as they are on disk, or decoded blocks.
public enum InMemoryMode {
    NONE,
    COMPRESSED,
    UNCOMPRESSED
}
