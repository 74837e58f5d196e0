package io.cleave.log;

import io.cleave.base.Bytes;

import java.util.Optional;
import java.util.function.Consumer;

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

    /// Whether [#append] of so many bytes would go through at once, if nobody else appends before.
    boolean hasRoom(int recordBytes);

    /// As [#append], by a caller who calls [#help] next and then waits for the completion: so the
    /// log need not wake a thread of its own. A record that is not helped goes with the next one
    /// that is, or when the log comes to look.
    long appendAwaited(Bytes record, Completion completion);

    /// For one who is about to wait for a completion. If nobody is committing, and the log thinks
    /// it better so, this thread writes and syncs what is queued and calls the completions; else it
    /// returns at once. To be called without locks that others need to go on: it may take as long
    /// as a sync. An interrupt neither ends it nor is lost.
    void help();

    /// Why what was appended is not durable after unusually long; empty while all is well. The
    /// writer goes on by itself as soon as it can, and loses nothing meanwhile.
    default Optional<String> stall() {
        return Optional.empty();
    }

    /// Calls again and again while it stalls, with the reason, from a thread of the log. Who is
    /// called may close the writer.
    default void whileStalled(Consumer<String> listener) {}

    /// Throws [FencedException] if another writer had opened the log when this was called, in
    /// whatever process, and another [LogException] if it has ended or cannot tell. What only the
    /// log's writer may do outside the log comes after this.
    void checkNotFenced();

    /// The position the next append will get.
    long nextPosition();

    /// Waits until everything queued has been completed, and ends.
    @Override
    void close();
}
