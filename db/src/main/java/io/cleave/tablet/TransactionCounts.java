package io.cleave.tablet;

import io.cleave.schema.TabletTraffic;

import java.util.concurrent.atomic.LongAdder;

/// Counts of transactions that wrote to one tablet, since it was opened in this cell.
///
/// Threads: any.
final class TransactionCounts {
    private final LongAdder immediate = new LongAdder();
    private final LongAdder coordinated = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    /// Counts a commit within the tablet's cell.
    void immediate() {
        immediate.increment();
    }

    /// Counts a multi-cell commit.
    void coordinated() {
        coordinated.increment();
    }

    /// Counts a commit that was refused because of overload.
    void rejected() {
        rejected.increment();
    }

    TabletTraffic.Transactions sum(int inFlight) {
        return new TabletTraffic.Transactions(
                inFlight, immediate.sum(), coordinated.sum(), rejected.sum());
    }
}
