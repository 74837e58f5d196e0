package io.cleave.tablet;

import java.util.LinkedHashSet;

/// Transactions that are over in a cell, so that a message which comes late begins none of them
/// anew. The newest are remembered one by one; of older ones, those that are not open are over.
///
/// Threads: under the cell's lock.
final class EndedTransactions {
    private static final int MOST = 1 << 14;

    private final LinkedHashSet<Long> ids = new LinkedHashSet<>();

    /// All up to this one are over, but for those that are open.
    private long through;

    /// Ids up to `through` were given out before the cell was opened.
    EndedTransactions(long through) {
        this.through = through;
    }

    void add(long transactionId) {
        if (transactionId > through && ids.add(transactionId) && ids.size() > MOST) {
            through = Math.max(through, ids.removeFirst());
        }
    }

    /// Of one that is not open.
    boolean contains(long transactionId) {
        return transactionId <= through || ids.contains(transactionId);
    }
}
