package io.cleave.schema;

/// When a table's tablets split and merge. `maxCount` 0 means no limit was set.
public record Partitioning(
        boolean bySize, long sizeMegabytes, boolean byLoad, long minCount, long maxCount) {
    /// What a table has that says nothing: YDB documents 2000 MB and describes 2048.
    public static final Partitioning DEFAULT = new Partitioning(true, 2048, false, 1, 0);
}
