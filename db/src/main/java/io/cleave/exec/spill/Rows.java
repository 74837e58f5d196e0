package io.cleave.exec.spill;

import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

/// The rows of an operator in one run, pulled one after the other. Threads: the one that runs the
/// query.
public interface Rows extends AutoCloseable {
    /// The next row; null after the last one. The array is valid until the next call: a caller that
    /// keeps the row must copy it.
    Value @Nullable [] next();

    @Override
    default void close() {}
}
