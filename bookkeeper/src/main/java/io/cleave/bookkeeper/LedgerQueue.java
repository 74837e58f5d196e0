package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.log.Completion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// The records of a writer that are not completed yet, in position order: first the batches that
/// are sent and whose completions are not all called, then those that wait to be sent.
///
/// Threads: one at a time, under the writer's lock.
final class LedgerQueue {
    private final long bytesBound;

    /// Not sent yet; the last batch may still grow.
    private final Deque<LedgerBatch> waiting = new ArrayDeque<>();

    /// Sent, and not all of its completions were called.
    private final Deque<LedgerBatch> inFlight = new ArrayDeque<>();

    /// The size of all records.
    private long bytes;

    private long nextPosition;

    LedgerQueue(long firstPosition, long bytesBound) {
        nextPosition = firstPosition;
        this.bytesBound = bytesBound;
    }

    /// A record larger than the bound is admitted alone.
    boolean isFullFor(int recordBytes) {
        return bytes > 0 && bytes + recordBytes > bytesBound;
    }

    void add(Bytes record, Completion completion, long nowNanos) {
        if (waiting.isEmpty() || !waiting.getLast().hasRoomFor(record)) {
            waiting.add(new LedgerBatch(nextPosition, nowNanos));
        }
        waiting.getLast().add(record, completion);
        bytes += record.length();
        nextPosition++;
    }

    long nextPosition() {
        return nextPosition;
    }

    /// The position of the next record to send.
    long nextSent() {
        return waiting.isEmpty() ? nextPosition : waiting.getFirst().first();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    int inFlight() {
        return inFlight.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && inFlight.isEmpty();
    }

    @Nullable LedgerBatch oldest() {
        return inFlight.isEmpty() ? waiting.peekFirst() : inFlight.peekFirst();
    }

    /// Moves the first waiting batch to those in flight.
    LedgerBatch take() {
        LedgerBatch batch = waiting.removeFirst();
        inFlight.add(batch);
        return batch;
    }

    /// Called when the oldest batch in flight is completed.
    void completed(LedgerBatch batch) {
        LedgerBatch oldest = inFlight.removeFirst();
        Check.that(oldest == batch, "%d before %d", batch.first(), oldest.first());
        bytes -= batch.bytes();
    }

    /// The batches in flight that end at or before this position.
    List<LedgerBatch> inFlightUpTo(long position) {
        return inFlight.stream().filter(batch -> batch.end() <= position).toList();
    }

    /// Moves the batches in flight back, so that they are sent again.
    void sendAgain() {
        while (!inFlight.isEmpty()) {
            waiting.addFirst(inFlight.removeLast());
        }
    }

    /// Removes the batches that are not sent. Their positions are free again: a ledger that is
    /// begun after this must not leave them out.
    List<LedgerBatch> dropWaiting() {
        var dropped = new ArrayList<>(waiting);
        dropped.forEach(batch -> bytes -= batch.bytes());
        nextPosition = nextSent();
        waiting.clear();
        return dropped;
    }

    /// Removes all batches.
    List<LedgerBatch> dropAll() {
        sendAgain();
        return dropWaiting();
    }
}
