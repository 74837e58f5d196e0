package io.cleave.schema;

/// How much of a row's past is read.
///
/// @param count of the versions
/// @param bytes the memory of the versions; the one that passes the limit is the last
public record VersionLimits(int count, long bytes) {}
