package io.cleave.lsm;

/// About how much is in a range of keys. A row counts once for each memtable and table that has a
/// version of it, and an erased row in a memtable counts too, until compaction brings them
/// together; bytes are what memtables and tables take.
public record Estimate(long rows, long bytes) {}
