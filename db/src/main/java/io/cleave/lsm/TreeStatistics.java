package io.cleave.lsm;

import java.util.List;

/// How much a tree holds.
///
/// @param rows about how many there are, however often they were written: see [Survivors]
/// @param leftBytes about what would be left if all of it were compacted now
/// @param runs sorted runs a read may have to look at, memtables included
/// @param groups bytes in table files by column group; keys count with the default group
/// @param pinnedBytes of blocks that stay in memory because the settings say so
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

    /// What it takes now, with what is good for nothing any more.
    public long storedBytes() {
        return memtableBytes + tableBytes;
    }
}
