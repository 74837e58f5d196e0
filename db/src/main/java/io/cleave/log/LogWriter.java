package io.cleave.log;

import io.cleave.base.Bytes;

import java.util.Optional;
import java.util.function.Consumer;

/// The only writer of a log. Threads: any; positions follow the order of the calls.
public interface LogWriter extends AutoCloseable {
    /// The number of this writer. It is greater than that of every earlier writer, and is stored in
    /// the log.
    long epoch();

    /// Queues a record and returns its position at once. `completion` is called when the record is
    /// durable, or when this writer can no longer confirm that it is: see [Completion]. Blocks only
    /// while more bytes are queued than the log allows.
    ///
    /// A writer that has ended (fenced, failed or closed) queues nothing. It calls the completion
    /// with the reason, on the calling thread, before it returns.
    long append(Bytes record, Completion completion);

    /// Whether [#append] of a record of this size would not block, if no other thread appends
    /// before.
    boolean hasRoom(int recordBytes);

    /// As [#append], for a caller that calls [#help] next and then waits for the completion. The
    /// log then need not wake its own thread. If the caller does not help, the record is committed
    /// with the next one that is helped, or when the log's thread runs next.
    long appendAwaited(Bytes record, Completion completion);

    /// Called by a thread that is about to wait for a completion. If no thread is committing, and
    /// the log considers it useful, this thread writes and syncs the queued records and calls their
    /// completions. Otherwise the call returns at once. The caller must not hold locks that others
    /// need, since the call may take as long as a sync. An interrupt does not end the call, and is
    /// not lost.
    void help();

    /// Why appended records have not become durable for an unusually long time; empty if there is
    /// no such delay. The writer continues by itself as soon as it can, and loses nothing
    /// meanwhile.
    default Optional<String> stall() {
        return Optional.empty();
    }

    /// Registers a listener that is called repeatedly with the reason while the writer stalls, from
    /// a thread of the log. The listener may close the writer.
    default void whileStalled(Consumer<String> listener) {}

    /// Throws [FencedException] if another writer, in any process, had opened the log when this was
    /// called. Throws another [LogException] if this writer has ended or cannot tell. Must be
    /// called before any action outside the log that only the log's writer may take.
    void checkNotFenced();

    /// The position of the next appended record.
    long nextPosition();

    /// Waits until all queued records are completed, then ends the writer.
    @Override
    void close();
}
