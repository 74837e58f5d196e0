package io.cleave.lsm.table;

/// Slows down background writes, so that foreground requests find the disk and the CPU free. Code
/// that writes tables calls it after every few blocks.
public interface Pacer {
    /// Never waits.
    Pacer NONE = _ -> {};

    /// Reports that `bytes` more bytes were written. May wait; throws if the work is to be
    /// abandoned.
    void written(long bytes);
}
