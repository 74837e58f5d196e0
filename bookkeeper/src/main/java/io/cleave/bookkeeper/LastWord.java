package io.cleave.bookkeeper;

import io.cleave.base.Env;

import java.time.Duration;

/// When a writer that has become quiet has to say that its last entry is confirmed.
///
/// Bookies learn with each entry which ones before it are, and those who follow the log learn it
/// from them. So when no more comes for [#QUIET], an entry without records says it of the last one.
///
/// Threads: one at a time, under the writer's lock.
final class LastWord {
    /// Longer than most wait between two commits, and short for those who follow.
    private static final Duration QUIET = Duration.ofMillis(5);

    private final Env env;

    /// No entry after the last one that has records says that it is confirmed. So is a new ledger:
    /// bookies know it only when they have an entry.
    private boolean isUntold = true;

    /// Since when all entries are answered for, as [Env#nanoTime].
    private long quietNanos;

    LastWord(Env env) {
        this.env = env;
        quietNanos = env.nanoTime();
    }

    /// An entry with records goes to the ledger, or a ledger begins.
    void untold() {
        isUntold = true;
    }

    void told() {
        isUntold = false;
    }

    /// All entries are answered for.
    void quiet() {
        quietNanos = env.nanoTime();
    }

    boolean isWanted() {
        return isUntold;
    }

    /// How long it is until it is to be said, if nothing more comes.
    Duration in() {
        return Duration.ofNanos(QUIET.toNanos() - (env.nanoTime() - quietNanos));
    }

    boolean isDue() {
        return isUntold && !in().isPositive();
    }
}
