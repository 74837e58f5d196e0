package io.cleave.tablet.lock;

import java.util.Set;

/// Where the read locks of a transaction are, as far as a cell knows.
///
/// @param cellIds the cells that have locks of the transaction
/// @param pinned whether all of the locks are pinned; pinned locks do not move to another cell
public record LockState(Set<Long> cellIds, boolean pinned) {
    public static final LockState NONE = new LockState(Set.of(), true);

    public LockState {
        cellIds = Set.copyOf(cellIds);
    }
}
