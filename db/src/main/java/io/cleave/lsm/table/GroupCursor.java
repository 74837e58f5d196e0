package io.cleave.lsm.table;

import io.cleave.lsm.row.Cells;
import io.cleave.lsm.row.Row;

import org.jspecify.annotations.Nullable;

/// A position in the blocks of a column group that is stored apart from the keys. Keeps the block
/// of the row that was read last.
final class GroupCursor {
    private final TableReader table;
    private final int group;
    private final GroupIndex index;
    private final BlockCache.Use use;
    private final ReadAhead ahead;
    private @Nullable Cells cells;
    private int firstRow;
    private int endRow;

    GroupCursor(TableReader table, int group, BlockCache.Use use) {
        this.table = table;
        this.group = group;
        this.use = use;
        ahead = new ReadAhead(table, 1 + group);
        index = table.index().groups().get(group);
    }

    /// Reads the cells of a row; `row` is its number in the table.
    void read(int row, Row into) {
        Cells at = cells;
        if (at == null || row < firstRow || row >= endRow) {
            int number = index.find(row);
            at = table.groupBlock(group, number, use, ahead).cells;
            firstRow = index.firstRows[number];
            endRow = index.firstRows[number + 1];
            cells = at;
        }
        at.read(row - firstRow, into);
    }
}
