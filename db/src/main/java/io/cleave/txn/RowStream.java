package io.cleave.txn;

import io.cleave.value.Value;

/// Rows of a scan, one after the other. Threads: one at a time.
public interface RowStream extends AutoCloseable {
    /// Moves to the next row; false after the last.
    boolean next();

    /// The current row, valid until the next call of [#next], which may reuse the array.
    Value[] row();

    @Override
    void close();
}
