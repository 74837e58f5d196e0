package io.cleave.log;

import org.jspecify.annotations.Nullable;

/// Called once with the outcome of an appended record.
///
/// Calls come in the order of positions, one at a time, on the log's thread or on that of a writer
/// that helps ([LogWriter#help]). A slow completion delays every commit, and one that throws fails
/// the writer.
@FunctionalInterface
public interface Completion {
    /// Without a failure, the record is durable. With a failure, the record may or may not exist
    /// when the log is read again.
    void completed(long position, @Nullable LogException failure);
}
