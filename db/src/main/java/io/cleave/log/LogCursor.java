package io.cleave.log;

import io.cleave.base.Bytes;

/// Reads the durable records of a log in order. Threads: one at a time.
public interface LogCursor extends AutoCloseable {
    /// Moves to the next record. Returns false at the current end of the durable records; a later
    /// call continues from there. Throws [io.cleave.base.CorruptionException] if a record is not
    /// what was written.
    boolean next();

    long position();

    Bytes record();

    @Override
    void close();
}
