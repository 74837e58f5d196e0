package io.cleave.txn;

import io.cleave.value.Value;

/// Rows of a scan, one after the other.
public interface RowStream extends AutoCloseable {
    /// Goes to the next row; false past the last.
    boolean next();

    /// The current row, valid until the next call of [#next]; its array may be used again.
    Value[] row();

    @Override
    void close();
}
