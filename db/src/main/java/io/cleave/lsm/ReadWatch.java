package io.cleave.lsm;

/// Told what a read passes over.
@FunctionalInterface
public interface ReadWatch {
    ReadWatch NONE = () -> {};

    /// A key of the read has a version newer than the snapshot: a write or an ERASE, whether or not
    /// the row was there at the snapshot. May come several times for one key.
    void newerVersion();
}
