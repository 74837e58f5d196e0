package io.cleave.txn;

import java.util.concurrent.atomic.LongAdder;

/// Counts which way commits took. Threads: any.
public final class CommitWays {
    private final LongAdder oneCell = new LongAdder();
    private final LongAdder severalCells = new LongAdder();
    private final LongAdder abortedByMove = new LongAdder();

    void countOneCell() {
        oneCell.increment();
    }

    void countSeveralCells() {
        severalCells.increment();
    }

    void countAbortedByMove() {
        abortedByMove.increment();
    }

    /// Attempts that took the short way: one record.
    public long oneCell() {
        return oneCell.sum();
    }

    /// Attempts in two phases.
    public long severalCells() {
        return severalCells.sum();
    }

    /// Transactions that were in nobody's way but that of a tablet that moved.
    public long abortedByMove() {
        return abortedByMove.sum();
    }
}
