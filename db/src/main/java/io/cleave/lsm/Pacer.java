package io.cleave.lsm;

/// Holds the background back, so that those in the foreground find the disk and the processor free.
/// Whoever writes tables tells it after every few blocks.
public interface Pacer {
    /// At full speed.
    Pacer NONE = _ -> {};

    /// So many bytes more were written. Waits as long as is good; throws when the work is to be
    /// given up.
    void written(long bytes);
}
