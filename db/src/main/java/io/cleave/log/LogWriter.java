package io.cleave.log;

import io.cleave.base.Bytes;

/// The one writer of a log. Threads: any; positions follow the order of the calls.
public interface LogWriter extends AutoCloseable {
    /// Numbers the writers of a log, growing; also written into the log.
    long epoch();

    /// Queues a record and returns its position at once. `completion` is called when the record is
    /// durable, or when it is certain that this writer will not say so: see [Completion]. Blocks
    /// only while more bytes are queued than the log's bound.
    ///
    /// A writer that has ended (fenced, failed or closed) queues nothing: the completion is called
    /// with the reason, on this thread, before the call returns.
    long append(Bytes record, Completion completion);

    /// The position the next append will get.
    long nextPosition();

    /// Waits until everything queued has been completed, and ends.
    @Override
    void close();
}
