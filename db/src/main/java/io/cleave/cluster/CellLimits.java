package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;

/// The maximum number of user cells. Each cell has threads and a log that is synced separately.
/// Pure.
public final class CellLimits {
    public static final int MAX_CELLS = 1000;

    private CellLimits() {}

    /// Throws if there is no room for one more cell.
    static void checkCells(CatalogView view) {
        if (view.cells().size() >= MAX_CELLS) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "there are %d cells, which is the most: remove one first"
                            .formatted(view.cells().size()));
        }
    }
}
