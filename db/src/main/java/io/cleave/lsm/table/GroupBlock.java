package io.cleave.lsm.table;

import io.cleave.lsm.row.Cells;

/// A block of a column group that is stored apart from the keys: the cells of some rows.
final class GroupBlock extends Block {
    final Cells cells;

    GroupBlock(byte[] bytes, Cells.Shapes like) {
        super(bytes);
        cells = new Cells(bytes, 0, bytes.length, like);
    }
}
