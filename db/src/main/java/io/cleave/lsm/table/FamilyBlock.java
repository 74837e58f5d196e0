package io.cleave.lsm.table;

import io.cleave.lsm.row.Fields;

/// A block of a column family that is stored apart from the keys: the fields of some rows.
final class FamilyBlock extends Block {
    final Fields fields;

    FamilyBlock(byte[] bytes, Fields.Shapes like) {
        super(bytes);
        fields = new Fields(bytes, 0, bytes.length, like);
    }
}
