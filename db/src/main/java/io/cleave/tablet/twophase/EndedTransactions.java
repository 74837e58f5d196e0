package io.cleave.tablet.twophase;

import java.util.LinkedHashSet;

/// Transactions that have ended in a cell, so that a late message does not start one of them again.
/// The newest ids are remembered one by one. An older transaction has ended unless it is open.
///
/// Threads: under the cell's lock.
final class EndedTransactions {
    private static final int MOST = 1 << 14;

    private final LinkedHashSet<Long> ids = new LinkedHashSet<>();

    /// All ids up to this one have ended, except for open transactions.
    private long through;

    /// Ids up to `through` were assigned before the cell was opened.
    EndedTransactions(long through) {
        this.through = through;
    }

    void add(long transactionId) {
        if (transactionId > through && ids.add(transactionId) && ids.size() > MOST) {
            through = Math.max(through, ids.removeFirst());
        }
    }

    /// Whether a transaction that is not open has ended.
    boolean contains(long transactionId) {
        return transactionId <= through || ids.contains(transactionId);
    }
}
