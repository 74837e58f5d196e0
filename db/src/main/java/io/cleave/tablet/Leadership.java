package io.cleave.tablet;

/// Whether this process is the one that leads, so that what it has is the newest there is. Where
/// others may come to lead it is known only up to some time: whoever is cut off from those who
/// decide does not hear that another leads.
///
/// Threads: any; it is asked for each snapshot.
@FunctionalInterface
public interface Leadership {
    long FOREVER = Long.MAX_VALUE;

    /// Nobody else ever leads.
    Leadership ALONE = () -> FOREVER;

    /// Up to when nobody else leads for certain, as [io.cleave.base.Env#nanoTime]; or [#FOREVER].
    long certainUntilNanos();
}
