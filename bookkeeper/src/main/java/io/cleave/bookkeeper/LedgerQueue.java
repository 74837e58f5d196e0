package io.cleave.bookkeeper;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.log.Completion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// The records of a writer that are not completed yet, in the order of their positions: batches
/// that are sent and not all told, and behind them those that wait to be sent.
///
/// Threads: one at a time, under the writer's lock.
final class LedgerQueue {
    private final long bytesBound;

    /// Not sent yet; the last one may still grow.
    private final Deque<LedgerBatch> waiting = new ArrayDeque<>();

    /// Sent, and not all of its completions are told.
    private final Deque<LedgerBatch> inFlight = new ArrayDeque<>();

    /// Of all records.
    private long bytes;

    private long nextPosition;

    LedgerQueue(long firstPosition, long bytesBound) {
        nextPosition = firstPosition;
        this.bytesBound = bytesBound;
    }

    /// A record larger than the bound goes alone.
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

    /// Where what is sent next begins.
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

    /// The first that waits: it is in flight now.
    LedgerBatch take() {
        LedgerBatch batch = waiting.removeFirst();
        inFlight.add(batch);
        return batch;
    }

    /// The oldest one in flight is completed.
    void completed(LedgerBatch batch) {
        LedgerBatch oldest = inFlight.removeFirst();
        Check.that(oldest == batch, "%d before %d", batch.first(), oldest.first());
        bytes -= batch.bytes();
    }

    /// Those in flight that end up to this position.
    List<LedgerBatch> inFlightUpTo(long position) {
        return inFlight.stream().filter(batch -> batch.end() <= position).toList();
    }

    /// What is in flight has to be sent again.
    void sendAgain() {
        while (!inFlight.isEmpty()) {
            waiting.addFirst(inFlight.removeLast());
        }
    }

    /// Takes out what is not sent.
    List<LedgerBatch> dropWaiting() {
        var dropped = new ArrayList<>(waiting);
        dropped.forEach(batch -> bytes -= batch.bytes());
        waiting.clear();
        return dropped;
    }

    /// Takes out everything.
    List<LedgerBatch> dropAll() {
        sendAgain();
        return dropWaiting();
    }
}
