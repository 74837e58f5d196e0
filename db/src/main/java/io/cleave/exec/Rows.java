package io.cleave.exec;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// Rows of an operator in one run, pulled one after the other. Threads: the one that runs the
/// query.
interface Rows extends AutoCloseable {
    /// The next row, or null past the last. It is valid until the next call: whoever keeps a row
    /// copies it.
    Value @Nullable [] next();

    @Override
    default void close() {}
}
