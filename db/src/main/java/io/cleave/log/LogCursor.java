package io.cleave.log;

import io.cleave.base.Bytes;

/// Walks over the durable records of a log. Threads: one at a time.
public interface LogCursor extends AutoCloseable {
    /// Moves to the next record; false where the durable records end *now*: calling again later
    /// goes on from there. A record that is not what was written is a
    /// [io.cleave.base.CorruptionException].
    boolean next();

    long position();

    Bytes record();

    @Override
    void close();
}
