package io.cleave.tablet;

import io.cleave.base.CorruptionException;
import io.cleave.lsm.table.Slice;

/// A table file that cannot be opened, and what a tablet has lost with it.
///
/// @param why names the file
public record LostFile(long tabletId, long tableId, Slice slice, CorruptionException why) {
    /// A message for the operator. `table` is the table's name, or another description of it.
    public String text(String table) {
        return ("without %s (%s): about %d rows of tablet %d of %s are lost, and rows that the file"
                        + " changed or deleted may be back as they were before")
                .formatted(why.file(), why.what(), slice.rows(), tabletId, table);
    }

    /// The exception for refusing to open the cell because of this file.
    CorruptionException damage() {
        var damage =
                new CorruptionException(
                        why.file(),
                        why.fileOffset(),
                        "%s; about %d rows of tablet %d would be lost"
                                .formatted(why.what(), slice.rows(), tabletId));
        damage.initCause(why);
        return damage;
    }
}
