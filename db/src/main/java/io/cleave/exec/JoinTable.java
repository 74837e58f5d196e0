package io.cleave.exec;

import org.jspecify.annotations.Nullable;

/// The rows of the right side of a [HashJoin], by key. Threads: one.
interface JoinTable extends AutoCloseable {
    /// The rows of one key.
    abstract class KeyRows {
        /// Once a left row had the key.
        boolean matched;

        abstract Rows rows();
    }

    /// Null if no row has the key.
    @Nullable KeyRows find(RowKey key);

    /// The rows whose key is matched, or those of all other keys, NULL among them.
    Rows rows(boolean matched);

    @Override
    void close();
}
