package io.cleave.tablet.twophase;

import io.cleave.tablet.lock.LockState;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.TabletWrites;

import java.util.List;

/// A cell as a participant or coordinator of a multi-cell commit. Called by the committing thread
/// and by other cells.
///
/// Every call is idempotent. Every call may throw a `StatusException`: then it is unknown whether
/// the cell was reached, and leases end what was started. See `docs/transactions.md`.
public interface CellLink {
    long id();

    /// Returns when there is room for the writes. Must be called before anything is prepared in any
    /// cell.
    void admit(List<TabletWrites> writes);

    /// Sets intents and pins as soon as no other transaction is in the way. Does not wait until
    /// they are durable.
    PrepareResult prepare(Preparation preparation);

    /// Returns when the prepared writes are durable. The answer says where the read locks of the
    /// transaction are by then: a lock may have moved to another cell before it was pinned.
    LockState awaitPrepared(long transactionId);

    /// Called on the coordinator when all participants are prepared. Returns when the decision is
    /// durable.
    DecideResult decide(long transactionId);

    /// Ends a prepared transaction. Does not wait until the outcome is durable.
    void outcome(long transactionId, CommitDecision decision);

    /// Like `outcome` with a commit, but returns when the outcome is durable.
    void confirm(long transactionId, long timestamp);

    /// Asks the coordinator for the decision. If there is none yet, the coordinator will never
    /// decide to commit.
    CommitDecision resolve(long transactionId);

    /// Tells the coordinator that the participant has applied the writes.
    void applied(long transactionId, long participantId);

    /// Tells the coordinator that the participant's outcomes of these transactions are durable.
    void finished(List<Long> transactionIds, long participantId);
}
