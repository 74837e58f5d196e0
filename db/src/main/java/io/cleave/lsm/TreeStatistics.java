package io.cleave.lsm;

import java.util.List;

/// Statistics of a tree.
///
/// @param rows the estimated number of rows, however often they were written: see [Survivors]
/// @param leftBytes the estimated size after a compaction of the whole tree
/// @param unflushedBytes the estimated size of the files that the memtables become: they are
///   compressed as well as the present files
/// @param runs the number of sorted runs a read may have to look at, memtables included
/// @param families bytes in table files by column family; keys count with the default family
/// @param pinnedBytes memory of the blocks that are pinned because the settings say so. A block of
///   a file that several trees share counts for one of them
/// @param newestTimestamp of the newest write; 0 if there was none. A part of another tree may give
///   a write of its neighbour
public record TreeStatistics(
        long rows,
        long leftBytes,
        long memtableBytes,
        long tableBytes,
        long unflushedBytes,
        int runs,
        List<Level> levels,
        List<Family> families,
        FilterStatistics filter,
        long pinnedBytes,
        long newestTimestamp) {
    public record Level(int level, int tables, long bytes, long rows) {}

    public record Family(String name, long bytes) {}

    public TreeStatistics {
        levels = List.copyOf(levels);
        families = List.copyOf(families);
    }

    /// The current size, garbage included.
    public long storedBytes() {
        return memtableBytes + tableBytes;
    }
}
