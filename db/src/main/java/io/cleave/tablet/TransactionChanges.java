package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.log.LogException;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.Coordinator;
import io.cleave.tablet.twophase.Participant;
import io.cleave.tablet.twophase.PreparedPart;
import io.cleave.tablet.twophase.TransactionStep;
import io.cleave.tablet.twophase.TransactionStep.Change;
import io.cleave.time.Timeline.CommitSlot;
import io.cleave.time.Timeline.OnStall;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Makes the changes of [TransactionStep]s in the tablets and the log of a cell, and knows which of
/// them are durable.
///
/// Threads: under the cell's lock.
final class TransactionChanges {
    // ---- constant after construction

    private final CellJournal journal;
    private final CellState state;
    private final TransactionHolds holds;

    // ---- own synchronisation

    /// Transactions whose decision has become durable since the last tick. The log adds them,
    /// because it must not wait for the lock.
    private final Queue<Long> durableDecisions = new ConcurrentLinkedQueue<>();

    /// Transactions whose outcome has become durable since the last tick.
    private final Queue<Long> durableOutcomes = new ConcurrentLinkedQueue<>();

    // ---- guarded by the lock

    /// Decisions that are in flight, by transaction id.
    private final Map<Long, InFlight> inFlight = new HashMap<>();

    /// The slot of the decision that is being made.
    private @Nullable CommitSlot begun;

    /// A decision that was not durable, or not applied everywhere, at the last look.
    static final class InFlight {
        final CommitSlot slot;
        final CompletableFuture<@Nullable LogException> durable = new CompletableFuture<>();

        /// Two events: the decision is durable; all participants have applied it.
        private final AtomicInteger missing;

        InFlight(CommitSlot slot, boolean isAlone) {
            this.slot = slot;
            missing = new AtomicInteger(isAlone ? 1 : 2);
        }

        /// Returns true when the slot can end. The caller ends it without holding the lock, because
        /// that answers the threads that wait for it.
        boolean oneLess() {
            return missing.decrementAndGet() == 0;
        }

        boolean isOver() {
            return missing.get() == 0;
        }
    }

    TransactionChanges(CellJournal journal, TransactionHolds holds) {
        this.journal = journal;
        state = journal.state();
        this.holds = holds;
    }

    /// The timestamp of a decision that is made now.
    long beginDecision() {
        CommitSlot slot = journal.lane().begin(OnStall.WAIT);
        begun = slot;
        return slot.timestamp();
    }

    /// The decision on a transaction; null if it is durable and applied everywhere, or not of this
    /// process.
    @Nullable InFlight inFlight(long transactionId) {
        return inFlight.get(transactionId);
    }

    /// All participants have applied these transactions. Returns the slots that can end.
    List<CommitSlot> appliedEverywhere(List<Long> transactionIds) {
        List<CommitSlot> passed = new ArrayList<>();
        for (long id : transactionIds) {
            InFlight decision = inFlight.get(id);
            if (decision != null && decision.oneLess()) {
                passed.add(decision.slot);
            }
        }
        return passed;
    }

    /// Tells which records have become durable since the last call.
    void tellDurable(Participant participant, Coordinator coordinator) {
        drain(durableOutcomes, participant::outcomeDurable);
        drain(durableDecisions, coordinator::decisionDurable);
        inFlight.values().removeIf(InFlight::isOver);
    }

    private static void drain(Queue<Long> ids, Consumer<Long> to) {
        for (Long id = ids.poll(); id != null; id = ids.poll()) {
            to.accept(id);
        }
    }

    /// `confirmed` is called when a confirmation is durable.
    void make(Change change, Consumer<@Nullable LogException> confirmed) {
        OfTransaction record = change.record();
        if (record != null) {
            state.transactions().apply(record);
        }
        switch (change) {
            case Change.Prepare(PreparedPart part, Bytes encoded) -> {
                holds.hold(part);
                if (record == null) {
                    part.durable().complete(null);
                } else {
                    journal.append(encoded, part.durable()::complete);
                }
            }
            case Change.Decided(PreparedPart part, long timestamp) -> decided(part, timestamp);
            case Change.Committed(PreparedPart part, long timestamp) -> {
                List<TabletWrites> applied = holds.commit(part, timestamp);
                if (record != null) {
                    appendOutcome(part, applied, timestamp);
                }
            }
            case Change.Aborted(PreparedPart part) -> {
                holds.release(part);
                if (record != null) {
                    journal.append(RecordCodec.encode(record), _ -> {});
                }
            }
            case Change.Confirmed confirmation ->
                    journal.append(RecordCodec.encode(confirmation.record()), confirmed);
            case Change.Forgotten forgotten ->
                    journal.append(RecordCodec.encode(forgotten.record()), _ -> {});
        }
    }

    private void decided(PreparedPart part, long timestamp) {
        long id = part.transactionId();
        CommitSlot slot = Objects.requireNonNull(begun);
        begun = null;
        var decision = new InFlight(slot, part.participants().isEmpty());
        inFlight.put(id, decision);
        holds.commit(part, timestamp);
        RecordCodec.setTimestamp(part.record(), timestamp);
        journal.append(
                Bytes.wrap(part.record()),
                failure -> {
                    if (failure == null) {
                        durableDecisions.add(id);
                        if (decision.oneLess()) {
                            journal.timeline().end(slot);
                        }
                    }
                    decision.durable.complete(failure);
                });
    }

    private void appendOutcome(PreparedPart part, List<TabletWrites> applied, long timestamp) {
        long id = part.transactionId();
        byte[] record = part.isRestored() ? PreparedPart.outcomeRecord(id, applied) : part.record();
        RecordCodec.setTimestamp(record, timestamp);
        journal.append(
                Bytes.wrap(record),
                failure -> {
                    if (failure == null) {
                        durableOutcomes.add(id);
                    }
                });
    }

    /// The number of bytes that these changes have put into memtables.
    static long bytes(List<Change> changes) {
        long bytes = 0;
        for (Change change : changes) {
            bytes +=
                    switch (change) {
                        case Change.Decided(PreparedPart part, _) -> part.record().length;
                        case Change.Committed(PreparedPart part, _) ->
                                part.isRecorded() ? part.record().length : 0;
                        case Change.Prepare _,
                                Change.Aborted _,
                                Change.Confirmed _,
                                Change.Forgotten _ ->
                                0;
                    };
        }
        return bytes;
    }
}
