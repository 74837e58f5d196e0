package io.cleave.tablet;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

/// Tells whether cells accept commits at all. The disk watcher closes it while disk space is short.
/// It does not apply to the catalog's cell, because dropping a table makes room. Threads: any.
public final class WriteGate {
    private volatile @Nullable String reason;

    public void close(String why) {
        reason = why;
    }

    public void open() {
        reason = null;
    }

    /// Throws UNAVAILABLE while the gate is closed, except for the catalog's cell.
    void check(long cellId) {
        String why = reason;
        if (why != null && cellId != CellJournal.SYSTEM_ID) {
            throw new StatusException(
                    Status.UNAVAILABLE, "cell %d takes no writes: %s".formatted(cellId, why));
        }
    }
}
