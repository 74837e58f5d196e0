package io.cleave.txn;

/// A part of a scan that any thread may read, beside the threads that read the others; all are of
/// one snapshot. Valid as long as its transaction.
public interface ScanPart {
    /// To be called once.
    BatchStream open();
}
