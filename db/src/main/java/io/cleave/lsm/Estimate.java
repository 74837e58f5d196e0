package io.cleave.lsm;

/// An estimate of the data in a range of keys. A row counts once for each memtable and table that
/// has a version of it, and erased rows in memtables count too, until compaction merges them. Bytes
/// are the size in memtables and tables.
public record Estimate(long rows, long bytes) {}
