package io.cleave.lsm.table;

import io.cleave.lsm.row.Fields;
import io.cleave.lsm.row.Row;

import org.jspecify.annotations.Nullable;

/// A position in the blocks of a column family that is stored apart from the keys. Keeps the block
/// of the row that was read last.
final class FamilyCursor {
    private final TableReader table;
    private final int family;
    private final FamilyIndex index;
    private final BlockCache.Use use;
    private final ReadAhead ahead;
    private @Nullable Fields fields;
    private int firstRow;
    private int endRow;

    FamilyCursor(TableReader table, int family, BlockCache.Use use) {
        this.table = table;
        this.family = family;
        this.use = use;
        ahead = new ReadAhead(table, 1 + family);
        index = table.index().families().get(family);
    }

    /// Reads the fields of a row; `row` is its number in the table.
    void read(int row, Row into) {
        Fields at = fields;
        if (at == null || row < firstRow || row >= endRow) {
            int number = index.find(row);
            at = table.familyBlock(family, number, use, ahead).fields;
            firstRow = index.firstRows[number];
            endRow = index.firstRows[number + 1];
            fields = at;
        }
        at.read(row - firstRow, into);
    }
}
