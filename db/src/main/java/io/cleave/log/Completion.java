package io.cleave.log;

import org.jspecify.annotations.Nullable;

/// Told once what became of an appended record.
///
/// Called in the order of positions, one at a time, on the log's thread or that of a writer that
/// helps ([LogWriter#help]): what takes long holds up every commit, and what throws fails the
/// writer.
@FunctionalInterface
public interface Completion {
    /// Without a failure the record is durable. With one it may or may not be there when the log is
    /// read again.
    void completed(long position, @Nullable LogException failure);
}
