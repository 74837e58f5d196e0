package io.cleave.tablet.twophase;

import io.cleave.tablet.lock.LockState;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;

import java.util.List;

/// Answers for a cell that was removed. A cell is removed when no transaction has a lock or an
/// intent in it, and when all others have learned its decisions and outcomes. So a late message
/// needs no work: the cell has no decision that anybody may still need, and what is to be written
/// there has moved to another cell.
///
/// Threads: any.
public record GoneCell(long id) implements CellLink {
    @Override
    public void admit(List<TabletWrites> writes) {}

    @Override
    public PrepareResult prepare(Preparation preparation) {
        return preparation.writes().isEmpty()
                ? new PrepareResult.Ready()
                : new PrepareResult.Refused(
                        new CommitResult.Moved(preparation.writes().getFirst().tabletId()));
    }

    @Override
    public LockState awaitPrepared(long transactionId) {
        return LockState.NONE;
    }

    @Override
    public DecideResult decide(long transactionId) {
        return new DecideResult.Refused();
    }

    @Override
    public void outcome(long transactionId, CommitDecision decision) {}

    @Override
    public void confirm(long transactionId, long timestamp) {}

    @Override
    public CommitDecision resolve(long transactionId) {
        return new CommitDecision.Unknown();
    }

    @Override
    public void applied(long transactionId, long participantId) {}

    @Override
    public void finished(List<Long> transactionIds, long participantId) {}
}
