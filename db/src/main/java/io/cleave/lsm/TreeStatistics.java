package io.cleave.lsm;

import java.util.List;

/// Statistics of a tree.
///
/// @param rows the estimated number of rows, however often they were written: see [Survivors]
/// @param leftBytes the estimated size after a compaction of the whole tree
/// @param runs the number of sorted runs a read may have to look at, memtables included
/// @param groups bytes in table files by column group; keys count with the default group
/// @param pinnedBytes bytes of blocks that the settings pin in memory
public record TreeStatistics(
        long rows,
        long leftBytes,
        long memtableBytes,
        long tableBytes,
        int runs,
        List<Level> levels,
        List<Group> groups,
        FilterStatistics filter,
        long pinnedBytes) {
    public record Level(int level, int tables, long bytes, long rows) {}

    public record Group(String name, long bytes) {}

    public TreeStatistics {
        levels = List.copyOf(levels);
        groups = List.copyOf(groups);
    }

    /// The current size, garbage included.
    public long storedBytes() {
        return memtableBytes + tableBytes;
    }
}
