package io.cleave.log;

import java.time.Duration;
import java.util.List;

/// An ordered sequence of records, numbered 0, 1, 2, … by their *position*. At any moment at most
/// one writer can append: opening a writer fences the one before.
///
/// Invariants: positions have no gaps; a record that was acknowledged as durable is read back by
/// every later process, unchanged, until it is trimmed. Threads: any.
public interface Log extends AutoCloseable {
    /// For messages: where a person would look for this log.
    String name();

    /// Opens the log for appending. An earlier writer is fenced: its group under way may still
    /// become durable, all it has queued fails with [FencedException], and so does all it is given
    /// later. Records of the new writer follow everything the old one made durable.
    LogWriter openWriter();

    /// What opening it has cut off or given up. Where others keep the records, and know the last of
    /// them, there is nothing.
    default List<LogLoss> losses() {
        return List.of();
    }

    /// Reads durable records, from position `from` on; [TrimmedException] if it is gone already.
    LogCursor read(long from);

    /// Waits until the record at this position is durable, at most so long, and says whether it is.
    /// A reader that tails the log asks for what comes next, and then goes on with its cursor.
    boolean awaitDurable(long position, Duration timeout) throws InterruptedException;

    /// Records before this position are no longer needed. Space is given back in whole segments, so
    /// some of them may stay readable.
    void trim(long before);

    /// The oldest record that can be read.
    long firstPosition();

    /// One past the newest durable record.
    long nextPosition();

    /// Waits until what the writer has queued is durable, then ends it.
    @Override
    void close();
}
