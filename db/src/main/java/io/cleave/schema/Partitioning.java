package io.cleave.schema;

/// When a table's tablets split and merge.
///
/// @param sizeMegabytes from which size on a tablet is split. Where `bySize` is off it waits for
///   that to be on, and [#NO_SIZE] means that nobody has named one meanwhile
/// @param minCount merges stop here; [#NO_MERGES] means that there are none, which is how a profile
///   with splits alone is kept, as in YDB
/// @param maxCount splits stop here, as far as a table says it; 0 means that it says nothing
public record Partitioning(
        boolean bySize, long sizeMegabytes, boolean byLoad, long minCount, long maxCount) {
    public static final long NO_SIZE = 0;
    public static final long NO_MERGES = 0;

    /// What a table has that says nothing: YDB documents 2000 MB and describes 2048.
    public static final Partitioning DEFAULT = new Partitioning(true, 2048, false, 1, 0);

    /// The most tablets of a table that names no maximum, as YDB's manual has it.
    private static final long DEFAULT_MAX_COUNT = 50;

    /// The number of tablets at which splits stop. A table that names no maximum may always have as
    /// many tablets as it is to have at least.
    public long maxTablets() {
        return maxCount == 0 ? Math.max(DEFAULT_MAX_COUNT, minCount) : maxCount;
    }
}
