package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// A cell's side of multi-cell transactions: it is a participant of some and the coordinator of
/// others.
///
/// Threads: any.
public final class CellTransactions implements CellLink {
    private final Cell cell;
    private final Participant participant;
    private final Coordinator coordinator;
    private final TransactionUpkeep upkeep;
    private volatile @Nullable CellLinks links;

    /// `lock` is the cell's.
    CellTransactions(Cell cell, ReentrantLock lock, CellWaits waits, Env env) {
        this.cell = cell;
        Timeline timeline = cell.timeline();
        var ended = new EndedTransactions(timeline.newId());
        participant = new Participant(cell, lock, waits, ended, env);
        coordinator = new Coordinator(cell, lock, participant, timeline, env);
        upkeep = new TransactionUpkeep(cell, participant, coordinator, env);
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
                    Status.UNAVAILABLE, "cell %d has joined no others".formatted(cell.id()));
        }
        return known;
    }

    TransactionUpkeep upkeep() {
        return upkeep;
    }

    /// Whether intents or pins of other transactions block a commit. The cell's lock is held.
    boolean hinder(List<TabletWrites> writes, ReadLocks locks) {
        return participant.hinders(writes, locks);
    }

    /// Whether there are intents or pins in a range. The cell's lock is held.
    static boolean hinder(Tablet tablet, KeyRange range) {
        return tablet.engagements().hinder(range);
    }

    @Override
    public long id() {
        return cell.id();
    }

    @Override
    public void admit(List<TabletWrites> writes) {
        cell.admit(writes);
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
