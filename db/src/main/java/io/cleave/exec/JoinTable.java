package io.cleave.exec;

import io.cleave.exec.spill.RowKey;
import io.cleave.exec.spill.Rows;

import org.jspecify.annotations.Nullable;

/// The rows of the right side of a [HashJoin], by key. Threads: one.
interface JoinTable extends AutoCloseable {
    /// The rows of one key.
    abstract class KeyRows {
        /// Whether a left row had this key.
        boolean matched;

        abstract Rows rows();
    }

    /// Null if no row has the key.
    @Nullable KeyRows find(RowKey key);

    /// If `matched`, the rows whose key was matched. Otherwise all other rows, including those
    /// whose key has a NULL.
    Rows rows(boolean matched);

    @Override
    void close();
}
