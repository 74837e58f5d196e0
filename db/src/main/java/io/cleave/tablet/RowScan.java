package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.value.Value;

/// The rows of a part of one tablet at one snapshot, in the direction of the scan. What a scan
/// still has to read is a value: the route, the range after the last row, the columns and the
/// snapshot. Threads: one at a time.
public interface RowScan extends AutoCloseable {
    /// Sets a callback that runs every few hundred keys, including keys without a live row. It may
    /// throw to end the scan.
    void onStep(Runnable step);

    /// Moves to the next row; false at the end.
    boolean next();

    /// The key of the current row.
    Bytes key();

    /// The values of the current row, decoded by this call.
    Value[] row();

    @Override
    void close();
}
