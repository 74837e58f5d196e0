package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.tablet.pace.MemtableBudget;

import java.io.UncheckedIOException;
import java.time.Duration;

/// The background threads of a cell: one flushes, one compacts, and one ends open transactions. A
/// long compaction therefore never delays a flush that writers wait for.
///
/// Failed work is tried again; a blob that could not be written is only garbage. While memtables
/// cannot be flushed, writes are refused and reads continue. Only a failed log stops the threads,
/// until the cell is opened anew.
///
/// Threads: any.
final class CellUpkeep implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CellUpkeep.class.getName());

    /// How long an idle background thread sleeps before it checks for work by itself. A check
    /// visits all tablets, and there may be many.
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final long cellId;
    private final Flusher flusher;
    private final Compactor compactor;
    private final TransactionUpkeep transactions;
    private final MemtableBudget budget;
    private final UpkeepSignals signals;
    private final Env env;

    CellUpkeep(
            long cellId,
            Flusher flusher,
            Compactor compactor,
            TransactionUpkeep transactions,
            MemtableBudget budget,
            UpkeepSignals signals,
            Env env) {
        this.cellId = cellId;
        this.flusher = flusher;
        this.compactor = compactor;
        this.transactions = transactions;
        this.budget = budget;
        this.signals = signals;
        this.env = env;
    }

    void start() {
        budget.join(flusher);
        loop("flush-" + cellId, flusher::runOnce, IDLE);
        loop("compact-" + cellId, compactor::compactOnce, IDLE);
        loop("transactions-" + cellId, transactions::runOnce, UpkeepSignals.PAUSE);
    }

    /// Stops the background threads and waits for them. Unflushed memtables remain in the log.
    @Override
    public void close() {
        budget.leave(flusher);
        signals.close();
    }

    /// One unit of work; returns false if there was none.
    private interface Chore {
        boolean run() throws InterruptedException;
    }

    private void loop(String name, Chore chore, Duration longest) {
        signals.threadStarts();
        env.spawnBackground(
                name,
                () -> {
                    try {
                        while (!signals.isOver()) {
                            runOnce(name, chore, longest);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        compactor.close();
                        signals.threadEnded();
                    }
                });
    }

    private void runOnce(String name, Chore chore, Duration longest) throws InterruptedException {
        long seen = signals.wakes();
        try {
            if (!chore.run()) {
                signals.pause(seen, longest);
            }
        } catch (RuntimeException | Error e) {
            if (!signals.isOver()) {
                report(name, e);
                signals.pause(signals.wakes(), UpkeepSignals.AFTER_FAILURE);
            }
        }
    }

    private static void report(String name, Throwable e) {
        if (e instanceof UncheckedIOException || e instanceof StatusException) {
            LOGGER.log(System.Logger.Level.WARNING, name + " failed: " + e.getMessage());
        } else {
            LOGGER.log(System.Logger.Level.ERROR, name + " failed", e);
        }
    }
}
