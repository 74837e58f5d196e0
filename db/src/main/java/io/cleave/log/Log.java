package io.cleave.log;

import java.time.Duration;
import java.util.List;

/// An ordered sequence of records. Their *positions* are 0, 1, 2, … At most one writer can append
/// at a time: opening a writer fences the one before.
///
/// Invariants: positions have no gaps; every later process reads a record that was acknowledged as
/// durable, unchanged, until it is trimmed. Threads: any.
public interface Log extends AutoCloseable {
    /// The location of the log, for messages.
    String name();

    /// Opens the log for appending. An earlier writer is fenced: the group it is writing may still
    /// become durable, but its queued records, and records appended later, fail with
    /// [FencedException]. The records of the new writer follow all durable records of the old one.
    LogWriter openWriter();

    /// What was cut off or given up when the log was opened. Always empty for a log service that
    /// replicates its records and knows the last of them.
    default List<LogLoss> losses() {
        return List.of();
    }

    /// Notes that the caller has handled the consequences of the losses. Until then, every opening
    /// reports a loss, since a crash may have come in between.
    default void settleLosses() {}

    /// Reads durable records from position `from` on; [TrimmedException] if that record was
    /// trimmed.
    LogCursor read(long from);

    /// Waits until the record at this position is durable, up to the timeout; returns whether it
    /// is. A reader that tails the log waits for its next position, and then continues with its
    /// cursor.
    boolean awaitDurable(long position, Duration timeout) throws InterruptedException;

    /// Allows the log to delete records before this position. Space is freed in whole segments, so
    /// some of these records may stay readable.
    void trim(long before);

    /// The position of the oldest record that can be read.
    long firstPosition();

    /// The position after the newest durable record.
    long nextPosition();

    /// Waits until the queued records are durable, then closes the writer.
    @Override
    void close();
}
