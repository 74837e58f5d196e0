package io.cleave.cluster;

import io.cleave.tablet.Cell;
import io.cleave.tablet.CellHost;

/// Opens, closes and removes user cells while the server runs. The node implements this: it knows
/// where the logs are.
///
/// Threads: [CellLifecycle] calls it, for one cell at a time.
public interface CellHosting {
    /// What all cells of the process share.
    CellHost shared();

    /// Opens a cell and starts it. Creates its log if there is none. Throws a `StatusException`,
    /// with the log closed again, if that is not possible now.
    Cell open(long cellId);

    /// Closes a cell that nothing needs any more, and its log. Does nothing if it is not open.
    void close(long cellId);

    /// Removes the log of a cell that is not open, if there is one. The log is durably gone when
    /// this returns. Throws a `StatusException` if that is not possible now.
    void removeLog(long cellId);
}
