package io.cleave.catalog;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.tablet.Cell;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;

import java.util.List;

/// Commits rows of the system tables. Only the catalog writes them, so no commit is refused.
final class SystemWrites {
    private SystemWrites() {}

    /// Returns when the rows are durable. Throws `lost` if that is not known.
    static void commit(Cell cell, List<TabletWrites> writes, Status lost) {
        switch (cell.commit(writes, new ReadLocks(), null)) {
            case CommitResult.Done _ -> {}
            case CommitResult.Lost(String why) -> throw new StatusException(lost, why);
            case CommitResult.Broken _,
                    CommitResult.Gone _,
                    CommitResult.Moved _,
                    CommitResult.Outdated _ ->
                    throw new IllegalStateException("the catalog was changed by another writer");
        }
    }
}
