package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.tablet.twophase.TransactionStep.Message;

import java.time.Duration;

/// Ends multi-cell transactions that nobody else ends: the committing thread may be gone, or its
/// messages may be lost.
///
/// Threads: one of the cell's own.
final class TransactionUpkeep {
    /// For this long a prepared transaction is left to the thread that prepared it.
    static final Duration LEASE = Duration.ofSeconds(5);

    /// The minimum time between two rounds. The thread is woken together with the other background
    /// threads, for reasons that do not concern it; more rounds would only contend for the lock.
    private static final Duration ROUND = Duration.ofMillis(250);

    private final CellJournal journal;
    private final CellTransactions transactions;
    private final Env env;

    /// When the last round was. Used only by its own thread.
    private long lastNanos;

    TransactionUpkeep(CellJournal journal, CellTransactions transactions, Env env) {
        this.journal = journal;
        this.transactions = transactions;
        this.env = env;
        lastNanos = env.nanoTime();
    }

    /// Runs one round. Returns false, because it need not be repeated soon.
    boolean runOnce() {
        long now = env.nanoTime();
        if (now - lastNanos < ROUND.toNanos()) {
            return false;
        }
        lastNanos = now;
        for (Message message : transactions.tick(LEASE)) {
            try {
                transactions.send(message);
            } catch (StatusException e) {
                // If a cell cannot be reached, the next round tries again.
                journal.refuseIfLogFailed();
            }
        }
        return false;
    }
}
