package io.cleave.tablet.record;

import io.cleave.base.Bytes;

import java.util.List;

/// The changes of a commit to the rows of one tablet, in the order in which they are applied.
///
/// @param tableVersion the version of the table for which the changes were made. The tablet refuses
///   the commit if it requires a later one. Not logged: it matters only until the commit is
///   accepted.
public record TabletWrites(long tabletId, List<KeyedChange> changes, long tableVersion) {
    /// `change` is an encoded [io.cleave.lsm.row.RowChange].
    public record KeyedChange(Bytes key, Bytes change) {}

    /// Changes to a table whose description never changes, such as a table of the catalog.
    public TabletWrites(long tabletId, List<KeyedChange> changes) {
        this(tabletId, changes, 0);
    }

    public TabletWrites {
        changes = List.copyOf(changes);
    }
}
