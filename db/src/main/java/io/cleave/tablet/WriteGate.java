package io.cleave.tablet;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

/// Whether cells of tables take commits at all. Whoever watches the disks closes it while there is
/// no room. The catalog's cell is not asked: to drop a table is a way to make room. Threads: any.
public final class WriteGate {
    private volatile @Nullable String reason;

    public void close(String why) {
        reason = why;
    }

    public void open() {
        reason = null;
    }

    /// UNAVAILABLE while it is closed.
    void check(long cellId) {
        String why = reason;
        if (why != null && cellId != Cell.SYSTEM_ID) {
            throw new StatusException(
                    Status.UNAVAILABLE, "cell %d takes no writes: %s".formatted(cellId, why));
        }
    }
}
