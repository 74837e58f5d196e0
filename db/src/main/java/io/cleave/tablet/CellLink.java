package io.cleave.tablet;

import java.util.List;

/// A cell as those see it who commit over several: the thread that commits, and the other cells.
///
/// Every call may be made twice, and then changes nothing. Each may throw a `StatusException`: then
/// nobody knows whether the cell was reached, and what was begun is ended by leases. See
/// `docs/transactions.md`.
public interface CellLink {
    long id();

    /// Returns when there is room for the writes: to be called before anything is prepared
    /// anywhere.
    void admit(List<TabletWrites> writes);

    /// Sets intents and pins, once no other transaction's are in the way. Does not wait for the
    /// disk.
    PrepareResult prepare(Preparation preparation);

    /// Returns when what was prepared is durable.
    void awaitPrepared(long transactionId);

    /// To the coordinator, when all are prepared: returns when the decision is durable.
    DecideResult decide(long transactionId);

    /// Ends what was prepared. Does not wait for the disk.
    void outcome(long transactionId, Decision decision);

    /// As an outcome that is a commit; returns when it is durable.
    void confirm(long transactionId, long timestamp);

    /// Asks the coordinator. Without a decision it will never decide.
    Decision resolve(long transactionId);

    /// To the coordinator: the participant has applied the writes.
    void applied(long transactionId, long participantId);

    /// To the coordinator: the participant's outcomes of these are durable.
    void finished(List<Long> transactionIds, long participantId);
}
