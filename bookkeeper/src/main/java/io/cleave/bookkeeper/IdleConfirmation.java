package io.cleave.bookkeeper;

import io.cleave.base.Env;

import java.time.Duration;

/// Decides when an idle writer must announce that its last entry is confirmed.
///
/// With each entry, bookies learn which earlier entries are confirmed, and followers of the log
/// learn it from the bookies. So if nothing is written for [#QUIET], an entry without records
/// confirms the last one.
///
/// Threads: one at a time, under the writer's lock.
final class IdleConfirmation {
    /// Longer than most pauses between two commits, and short for followers.
    private static final Duration QUIET = Duration.ofMillis(5);

    private final Env env;

    /// Whether no later entry confirms the last entry with records. Also true for a new ledger,
    /// because bookies know a ledger only when they have an entry of it.
    private boolean isUntold = true;

    /// Since when all entries are answered, as [Env#nanoTime].
    private long quietNanos;

    IdleConfirmation(Env env) {
        this.env = env;
        quietNanos = env.nanoTime();
    }

    /// Called when an entry with records is sent, or when a ledger begins.
    void untold() {
        isUntold = true;
    }

    void told() {
        isUntold = false;
    }

    /// Called when all entries are answered.
    void quiet() {
        quietNanos = env.nanoTime();
    }

    boolean isWanted() {
        return isUntold;
    }

    /// The time until the announcement is due, if nothing more is written.
    Duration in() {
        return Duration.ofNanos(QUIET.toNanos() - (env.nanoTime() - quietNanos));
    }

    boolean isDue() {
        return isUntold && !in().isPositive();
    }
}
