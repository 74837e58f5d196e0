package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A cell's side of multi-cell transactions: it is a participant of some and the coordinator of
/// others.
///
/// Threads: any.
public final class CellTransactions implements CellLink {
    private final CellJournal journal;
    private final Admission admission;
    private final Participant participant;
    private final Coordinator coordinator;
    private final TransactionUpkeep upkeep;

    /// Null until the cell has joined the others.
    private volatile @Nullable CellLinks links;

    CellTransactions(
            CellJournal journal, CellWaits waits, Admission admission, Flusher flusher, Env env) {
        this.journal = journal;
        this.admission = admission;
        CellLinks others = cellId -> links().find(cellId);
        participant = new Participant(journal, waits, flusher, others, env);
        coordinator = new Coordinator(journal, participant, flusher, env);
        upkeep = new TransactionUpkeep(journal, participant, coordinator, others, env);
    }

    /// Tells the cell how to reach the other cells. Needed if there is more than one cell. When all
    /// cells have joined, call [#recover].
    public void join(CellLinks others) {
        links = others;
    }

    /// Ends transactions that a crash has left open. Call it when all cells are open and have
    /// joined, before anyone reads or writes.
    public void recover() {
        upkeep.recover();
    }

    /// How the cell reaches the others.
    public CellLinks links() {
        CellLinks known = links;
        if (known == null) {
            throw new StatusException(
                    Status.UNAVAILABLE, "cell %d has joined no others".formatted(journal.cellId()));
        }
        return known;
    }

    TransactionUpkeep upkeep() {
        return upkeep;
    }

    Participant participant() {
        return participant;
    }

    @Override
    public long id() {
        return journal.cellId();
    }

    @Override
    public void admit(List<TabletWrites> writes) {
        admission.admit(writes, RecordCodec.enoughFor(writes));
    }

    @Override
    public PrepareResult prepare(Preparation preparation) {
        return participant.prepare(preparation);
    }

    @Override
    public void awaitPrepared(long transactionId) {
        participant.awaitPrepared(transactionId);
    }

    @Override
    public DecideResult decide(long transactionId) {
        return coordinator.decide(transactionId);
    }

    @Override
    public void outcome(long transactionId, CommitDecision decision) {
        participant.outcome(transactionId, decision);
    }

    @Override
    public void confirm(long transactionId, long timestamp) {
        participant.confirm(transactionId, timestamp);
    }

    @Override
    public CommitDecision resolve(long transactionId) {
        return coordinator.resolve(transactionId);
    }

    @Override
    public void applied(long transactionId, long participantId) {
        coordinator.applied(transactionId, participantId);
    }

    @Override
    public void finished(List<Long> transactionIds, long participantId) {
        coordinator.finished(transactionIds, participantId);
    }
}
