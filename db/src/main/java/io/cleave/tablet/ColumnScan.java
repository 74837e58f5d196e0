package io.cleave.tablet;

import io.cleave.value.Vector;

/// The rows of a part of one tablet at one snapshot, in key order, a batch at a time and column by
/// column. What a scan still has to read is a value: the route, the range after the last batch, the
/// columns and the snapshot. Threads: one at a time.
public interface ColumnScan extends AutoCloseable {
    /// The vectors that [#next] fills, one for each column that is read. A column that is read
    /// twice has one vector.
    Vector[] columns();

    /// Sets a callback that runs every few hundred keys. It may throw to end the scan.
    void onStep(Runnable step);

    /// Replaces the content of the vectors by the next rows. Returns their number; 0 at the end.
    int next();

    @Override
    void close();
}
