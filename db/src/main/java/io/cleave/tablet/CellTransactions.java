package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.tablet.TransactionChanges.InFlight;
import io.cleave.tablet.lock.Engagements;
import io.cleave.tablet.lock.LockState;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.CellLink;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.tablet.twophase.Coordinator;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.tablet.twophase.GoneCell;
import io.cleave.tablet.twophase.Participant;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.tablet.twophase.PreparedPart;
import io.cleave.tablet.twophase.TransactionStep;
import io.cleave.tablet.twophase.TransactionStep.Change;
import io.cleave.tablet.twophase.TransactionStep.Message;
import io.cleave.time.Timeline.CommitSlot;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A cell's side of multi-cell transactions: it is a participant of some and the coordinator of
/// others. [Participant] and [Coordinator] decide what is to be done; this class locks, logs, sends
/// and waits.
///
/// Threads: any.
public final class CellTransactions implements CellLink {
    // ---- constant after construction

    private final CellJournal journal;
    private final CellState state;
    private final CellWaits waits;
    private final Admission admission;
    private final Flusher flusher;
    private final Env env;

    // ---- own synchronisation

    /// Null until the cell has joined the others.
    private volatile @Nullable CellLinks links;

    // ---- guarded by the lock

    /// The cell's lock.
    private final ReentrantLock lock;

    private final TransactionHolds holds;
    private final Participant participant;
    private final Coordinator coordinator;
    private final TransactionChanges changes;

    /// Set for good, under the lock, when the cell needs no transactions any more, because it is
    /// being removed.
    private volatile boolean hasEnded;

    CellTransactions(
            CellJournal journal, CellWaits waits, Admission admission, Flusher flusher, Env env) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        this.waits = waits;
        this.admission = admission;
        this.flusher = flusher;
        this.env = env;
        holds = new TransactionHolds(journal, waits);
        participant = new Participant(journal.timeline().newId());
        coordinator = new Coordinator(participant);
        changes = new TransactionChanges(journal, holds);
        for (CellRecord.Prepare prepare : state.transactions().prepared()) {
            PreparedPart part = PreparedPart.restored(prepare, nowMicros());
            participant.restore(part);
            holds.hold(part);
        }
        state.transactions().decided().forEach(each -> coordinator.restore(each, nowMicros()));
    }

    private long nowMicros() {
        return env.nanoTime() / 1000;
    }

    TransactionHolds holds() {
        return holds;
    }

    /// Tells the cell how to reach the other cells. Needed if there is more than one cell. When all
    /// cells have joined, call [#recover].
    public void join(CellLinks others) {
        links = others;
    }

    /// How the cell reaches the others.
    public CellLinks links() {
        CellLinks known = links;
        if (known == null) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell %d is not connected to the other cells yet; retry".formatted(id()));
        }
        return known;
    }

    @Override
    public long id() {
        return journal.cellId();
    }

    @Override
    public void admit(List<TabletWrites> writes) {
        try {
            admission.admit(writes, RecordCodec.enoughFor(writes));
        } catch (StatusException e) {
            // The prepare tells where the tablets are.
            if (!hasEnded) {
                throw e;
            }
        }
    }

    @Override
    public PrepareResult prepare(Preparation wanted) {
        byte[] record = PreparedPart.commitRecord(wanted, id());
        var prepare =
                new CellRecord.Prepare(
                        wanted.transactionId(), wanted.coordinatorId(), wanted.writes());
        Bytes encoded = Bytes.wrap(RecordCodec.encode(prepare, wanted.writes()));
        long deadline = waits.deadline();
        ReadLocks locks;
        lock.lock();
        try {
            while (true) {
                if (hasEnded) {
                    return new GoneCell(id()).prepare(wanted);
                }
                PrepareResult repeated = participant.repeated(wanted.transactionId());
                if (repeated != null) {
                    return repeated;
                }
                locks = state.locks().find(wanted.ownerId());
                CommitResult refusal = state.refuse(wanted.writes(), locks, wanted.writeSnapshot());
                if (refusal != null) {
                    return new PrepareResult.Refused(refusal);
                }
                if (!holds.hinder(wanted, locks)) {
                    break;
                }
                waits.await(deadline);
            }
            PreparedPart part = PreparedPart.of(wanted, locks, record, id(), nowMicros());
            return take(() -> participant.prepare(part, encoded), _ -> {}).answer();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public LockState awaitPrepared(long transactionId) {
        PreparedPart part;
        lock.lock();
        try {
            part = participant.prepared(transactionId);
        } finally {
            lock.unlock();
        }
        if (part == null) {
            return LockState.NONE;
        }
        journal.awaitDurable(part.durable());
        return part.locks().state();
    }

    @Override
    public void outcome(long transactionId, CommitDecision decision) {
        run(transactionId, () -> participant.outcome(transactionId, decision), _ -> {});
    }

    @Override
    public void confirm(long transactionId, long timestamp) {
        var confirmed = new CompletableFuture<@Nullable LogException>();
        run(
                transactionId,
                () -> {
                    if (hasEnded) {
                        // It was sent before this cell has ended, which takes no records now.
                        confirmed.complete(null);
                        return TransactionStep.nothing();
                    }
                    return participant.confirm(transactionId, timestamp);
                },
                confirmed::complete);
        journal.awaitDurable(confirmed);
    }

    @Override
    public DecideResult decide(long transactionId) {
        Ran<DecideResult> decided =
                run(
                        transactionId,
                        () ->
                                coordinator.decide(
                                        transactionId, changes::beginDecision, nowMicros()),
                        _ -> {});
        LogException failure = decided.inFlight == null ? null : decided.inFlight.durable.join();
        return failure == null ? decided.answer : new DecideResult.Lost(journal.failed(failure));
    }

    @Override
    public CommitDecision resolve(long transactionId) {
        Ran<CommitDecision> resolved =
                run(transactionId, () -> coordinator.resolve(transactionId), _ -> {});
        if (resolved.inFlight != null) {
            journal.awaitDurable(resolved.inFlight.durable);
        }
        return resolved.answer;
    }

    @Override
    public void applied(long transactionId, long participantId) {
        run(transactionId, () -> coordinator.applied(transactionId, participantId), _ -> {});
    }

    @Override
    public void finished(List<Long> transactionIds, long participantId) {
        run(Engagements.NOBODY, () -> coordinator.finished(transactionIds, participantId), _ -> {});
    }

    /// Takes part in no more transactions, if the cell has no tablet and is in no transaction now:
    /// none that is open has a lock here, and no other cell has to learn anything from this one.
    /// Returns whether that is so. Later prepares are answered as for a cell that is gone.
    boolean end() {
        lock.lock();
        try {
            changes.tellDurable(participant, coordinator);
            hasEnded =
                    state.tablets().isEmpty()
                            && state.locks().isEmpty()
                            && participant.isIdle()
                            && coordinator.isIdle();
            return hasEnded;
        } finally {
            lock.unlock();
        }
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /// Whether an open transaction of this cell names the other cell.
    boolean names(long cellId) {
        lock.lock();
        try {
            changes.tellDurable(participant, coordinator);
            return participant.names(cellId) || coordinator.names(cellId);
        } finally {
            lock.unlock();
        }
    }

    /// Ends transactions that a crash has left open. Call it when all cells are open and have
    /// joined, before anyone reads or writes.
    public void recover() {
        List<Message> messages;
        lock.lock();
        try {
            messages = participant.recover().messages();
        } finally {
            lock.unlock();
        }
        messages.forEach(this::send);
    }

    /// The messages that are due because others have been silent for the time of a lease, or
    /// because records have become durable.
    List<Message> tick(Duration lease) {
        long expiredMicros = nowMicros() - lease.toNanos() / 1000;
        List<Message> messages = new ArrayList<>();
        lock.lock();
        try {
            changes.tellDurable(participant, coordinator);
            messages.addAll(participant.tick(expiredMicros).messages());
            messages.addAll(coordinator.tick(expiredMicros).messages());
        } finally {
            lock.unlock();
        }
        return messages;
    }

    /// Sends a message and takes in the answer. Throws if the answer is lost.
    void send(Message message) {
        CellLink cell = links().find(message.cellId());
        switch (message) {
            case Message.Applied(_, long transactionId) -> cell.applied(transactionId, id());
            case Message.Resolve(_, long transactionId) ->
                    outcome(transactionId, cell.resolve(transactionId));
            case Message.Finished(_, List<Long> transactionIds) -> {
                cell.finished(transactionIds, id());
                told(transactionIds);
            }
            case Message.Confirm(long cellId, long transactionId, long timestamp) -> {
                cell.confirm(transactionId, timestamp);
                finished(List.of(transactionId), cellId);
            }
        }
    }

    private void told(List<Long> transactionIds) {
        lock.lock();
        try {
            participant.told(transactionIds);
        } finally {
            lock.unlock();
        }
    }

    /// An answer, and the decision that must be durable before it is given; null if it is.
    private record Ran<A extends @Nullable Object>(A answer, @Nullable InFlight inFlight) {}

    /// Takes in a message and does what it asks for. Does not wait until it is durable; `confirmed`
    /// is called then, if the step has a confirmation.
    private <A extends @Nullable Object> Ran<A> run(
            long transactionId,
            Supplier<TransactionStep<A>> message,
            Consumer<@Nullable LogException> confirmed) {
        TransactionStep<A> step;
        InFlight decision;
        List<CommitSlot> passed;
        lock.lock();
        try {
            step = take(message, confirmed);
            passed = changes.appliedEverywhere(step.everywhere());
            decision = changes.inFlight(transactionId);
        } finally {
            lock.unlock();
        }
        passed.forEach(journal.timeline()::end);
        flusher.appended(TransactionChanges.bytes(step.changes()));
        for (Message each : step.messages()) {
            try {
                send(each);
            } catch (StatusException _) {
                // The next tick repeats what matters.
            }
        }
        return new Ran<>(step.answer(), decision);
    }

    /// The lock is held.
    private <A extends @Nullable Object> TransactionStep<A> take(
            Supplier<TransactionStep<A>> message, Consumer<@Nullable LogException> confirmed) {
        return journal.change(
                _ -> {
                    TransactionStep<A> step = message.get();
                    for (Change change : step.changes()) {
                        changes.make(change, confirmed);
                    }
                    return step;
                });
    }
}
