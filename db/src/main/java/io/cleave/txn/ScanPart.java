package io.cleave.txn;

/// A part of a scan. Different threads may read different parts at the same time; all parts have
/// the same snapshot. Valid as long as its transaction.
public interface ScanPart {
    /// Must be called only once.
    BatchStream open();
}
