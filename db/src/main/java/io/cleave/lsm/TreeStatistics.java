package io.cleave.lsm;

import java.util.List;

/// How much a tree holds. Rows are an estimate: a key that is in several places counts several
/// times until compaction brings them together.
///
/// @param runs sorted runs a read may have to look at, memtables included
public record TreeStatistics(
        long rows, long memtableBytes, long tableBytes, int runs, List<Level> levels) {
    public record Level(int level, int tables, long bytes, long rows) {}

    public TreeStatistics {
        levels = List.copyOf(levels);
    }

    public long bytes() {
        return memtableBytes + tableBytes;
    }
}
