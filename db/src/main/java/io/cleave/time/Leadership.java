package io.cleave.time;

/// Tells whether this process is the leader, so that its data is the newest. If other processes can
/// become leader, this is certain only up to some time: a process that is cut off does not hear
/// that another one leads.
///
/// Threads: any; called for each snapshot.
@FunctionalInterface
public interface Leadership {
    long FOREVER = Long.MAX_VALUE;

    /// No other process can ever lead.
    Leadership ALONE = () -> FOREVER;

    /// The time until which certainly no other process leads, as [io.cleave.base.Env#nanoTime]; or
    /// [#FOREVER].
    long certainUntilNanos();
}
