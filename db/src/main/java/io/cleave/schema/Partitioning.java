package io.cleave.schema;

/// When a table's tablets split and merge.
///
/// @param sizeMegabytes the size at which a tablet is split. While `bySize` is off, it is kept for
///   the time when `bySize` is switched on; [#NO_SIZE] means that no size was set meanwhile
/// @param minCount the number of tablets at which merges stop; [#NO_MERGES] disables merges, as in
///   YDB for a profile with splits only
/// @param maxCount the number of tablets at which splits stop; 0 if the table does not set it
public record Partitioning(
        boolean bySize, long sizeMegabytes, boolean byLoad, long minCount, long maxCount) {
    public static final long NO_SIZE = 0;
    public static final long NO_MERGES = 0;

    /// The settings of a table that sets none. YDB's manual says 2000 MB, but its servers describe
    /// such a table with 2048.
    public static final Partitioning DEFAULT = new Partitioning(true, 2048, false, 1, 0);

    /// The maximum number of tablets of a table that does not set it, from YDB's manual.
    private static final long DEFAULT_MAX_COUNT = 50;

    /// The number of tablets at which splits stop. A table that sets no maximum may always have at
    /// least `minCount` tablets.
    public long maxTablets() {
        return maxCount == 0 ? Math.max(DEFAULT_MAX_COUNT, minCount) : maxCount;
    }
}
