package io.cleave.txn;

import org.jspecify.annotations.Nullable;

/// Rows of a scan in batches. Threads: one at a time.
public interface BatchStream extends AutoCloseable {
    /// The next rows, at least one, or null after the last. The next call reuses the returned
    /// batch.
    @Nullable ColumnBatch next();

    @Override
    void close();
}
