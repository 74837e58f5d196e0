package io.cleave.tablet.record;

import io.cleave.base.Bytes;
import io.cleave.schema.RowDemands;
import io.cleave.schema.RowLock;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The changes of a commit to the rows of one tablet, in the order in which they are applied.
///
/// @param tableVersion the version of the table for which the changes were made. The tablet refuses
///   the commit if it requires a later one. Not logged: it matters only until the commit is
///   accepted.
/// @param demands row locks and what they demand; null if the commit has none. Not logged, for the
///   same reason.
public record TabletWrites(
        long tabletId, List<KeyedChange> changes, long tableVersion, @Nullable RowDemands demands) {
    /// `change` is an encoded [io.cleave.lsm.row.RowChange].
    public record KeyedChange(Bytes key, Bytes change) {}

    /// Changes to a table whose description never changes, such as a table of the catalog.
    public TabletWrites(long tabletId, List<KeyedChange> changes) {
        this(tabletId, changes, 0);
    }

    public TabletWrites(long tabletId, List<KeyedChange> changes, long tableVersion) {
        this(tabletId, changes, tableVersion, null);
    }

    public TabletWrites {
        changes = List.copyOf(changes);
    }

    /// Row locks without a write.
    public List<RowLock> locks() {
        return demands == null ? List.of() : demands.locks();
    }
}
