package io.cleave.lsm.row;

/// Receives a notice when a read skips a newer version.
@FunctionalInterface
public interface ReadWatch {
    ReadWatch NONE = () -> {};

    /// A key of the read has a version newer than the snapshot: a write or an ERASE, whether or not
    /// the row existed at the snapshot. May be called several times for one key.
    void newerVersion();
}
