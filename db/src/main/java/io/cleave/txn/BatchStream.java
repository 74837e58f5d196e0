package io.cleave.txn;

import org.jspecify.annotations.Nullable;

/// Rows of a scan in batches. Threads: one at a time.
public interface BatchStream extends AutoCloseable {
    /// The next rows, at least one, or null past the last. The batch is used again by the next
    /// call.
    @Nullable ColumnBatch next();

    @Override
    void close();
}
