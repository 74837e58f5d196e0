package io.cleave.tablet.record;

import io.cleave.base.Bytes;

import java.util.List;

/// The changes of a commit to the rows of one tablet, in the order in which they are applied.
public record TabletWrites(long tabletId, List<KeyedChange> changes) {
    /// `change` is an encoded [io.cleave.lsm.row.RowChange].
    public record KeyedChange(Bytes key, Bytes change) {}

    public TabletWrites {
        changes = List.copyOf(changes);
    }
}
