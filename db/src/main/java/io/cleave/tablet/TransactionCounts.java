package io.cleave.tablet;

import java.util.concurrent.atomic.LongAdder;

/// How transactions that wrote to one tablet went, since it is what it is where it is.
///
/// Threads: any.
final class TransactionCounts {
    private final LongAdder immediate = new LongAdder();
    private final LongAdder coordinated = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    /// One was committed within the tablet's cell.
    void immediate() {
        immediate.increment();
    }

    /// One was committed over several cells.
    void coordinated() {
        coordinated.increment();
    }

    /// One was turned away because there was too much to do.
    void rejected() {
        rejected.increment();
    }

    Tablet.Transactions sum(int inFlight) {
        return new Tablet.Transactions(
                inFlight, immediate.sum(), coordinated.sum(), rejected.sum());
    }
}
