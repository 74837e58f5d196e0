package io.cleave.txn;

import java.util.concurrent.atomic.LongAdder;

/// Counts commits by the number of their cells, and those that a move aborted. Threads: any.
public final class CommitCounters {
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

    /// Commit attempts within one cell: a single record.
    public long oneCell() {
        return oneCell.sum();
    }

    /// Commit attempts with two-phase commit.
    public long severalCells() {
        return severalCells.sum();
    }

    /// Transactions that were aborted only because a tablet moved.
    public long abortedByMove() {
        return abortedByMove.sum();
    }
}
