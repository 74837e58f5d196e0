package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.List;

/// Ends multi-cell transactions that nobody else ends: the committing thread may be gone, or its
/// messages may be lost.
///
/// Threads: one of the cell's own; [#recover] is called before that thread starts.
final class TransactionUpkeep {
    /// For this long a prepared transaction is left to the thread that prepared it.
    static final Duration LEASE = Duration.ofSeconds(5);

    /// The minimum time between two rounds. The thread is woken together with the other background
    /// threads, for reasons that do not concern it; more rounds would only contend for the lock.
    private static final Duration ROUND = Duration.ofMillis(250);

    private final CellJournal journal;
    private final Participant participant;
    private final Coordinator coordinator;
    private final CellLinks links;
    private final Env env;

    /// When the last round was. Used only by its own thread.
    private long lastNanos;

    TransactionUpkeep(
            CellJournal journal,
            Participant participant,
            Coordinator coordinator,
            CellLinks links,
            Env env) {
        this.journal = journal;
        this.participant = participant;
        this.coordinator = coordinator;
        this.links = links;
        this.env = env;
        lastNanos = env.nanoTime();
    }

    /// Ends all transactions that were prepared before a restart. All cells are open, and none is
    /// read yet.
    void recover() {
        participant.all().forEach(this::resolve);
    }

    /// Runs one round. Returns false, because it need not be repeated soon.
    boolean runOnce() {
        long now = env.nanoTime();
        if (now - lastNanos < ROUND.toNanos()) {
            return false;
        }
        lastNanos = now;
        long before = now - LEASE.toNanos();
        participant.olderThan(before).forEach(part -> attempt(() -> resolve(part)));
        participant
                .durableUntold()
                .forEach((coordinatorId, ids) -> attempt(() -> tell(coordinatorId, ids)));
        for (Coordinator.Open open : coordinator.olderThan(before)) {
            for (long participantId : open.participants()) {
                attempt(() -> confirm(open, participantId));
            }
        }
        return false;
    }

    private void resolve(PreparedPart part) {
        long id = part.transactionId;
        participant.outcome(id, links.find(part.coordinatorId).resolve(id));
    }

    private void tell(long coordinatorId, List<Long> transactionIds) {
        links.find(coordinatorId).finished(transactionIds, journal.cellId());
        participant.told(coordinatorId, transactionIds);
    }

    private void confirm(Coordinator.Open open, long participantId) {
        links.find(participantId).confirm(open.transactionId(), open.timestamp());
        coordinator.finished(List.of(open.transactionId()), participantId);
    }

    /// If a cell cannot be reached, the next round tries again.
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (StatusException e) {
            journal.refuseIfLogFailed();
        }
    }
}
