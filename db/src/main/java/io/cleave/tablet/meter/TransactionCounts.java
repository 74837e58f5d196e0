package io.cleave.tablet.meter;

import io.cleave.schema.TabletTraffic;

import java.util.concurrent.atomic.LongAdder;

/// Counts of transactions that wrote to one tablet, since it was opened in this cell.
///
/// Threads: any.
public final class TransactionCounts {
    private final LongAdder immediate = new LongAdder();
    private final LongAdder coordinated = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    /// Counts a commit within the tablet's cell.
    public void immediate() {
        immediate.increment();
    }

    /// Counts a multi-cell commit.
    public void coordinated() {
        coordinated.increment();
    }

    /// Counts a commit that was refused because of overload.
    public void rejected() {
        rejected.increment();
    }

    public TabletTraffic.Transactions sum(int inFlight) {
        return new TabletTraffic.Transactions(
                inFlight, immediate.sum(), coordinated.sum(), rejected.sum());
    }
}
