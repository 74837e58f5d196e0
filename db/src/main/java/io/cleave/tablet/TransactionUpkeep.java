package io.cleave.tablet;

import io.cleave.base.Env;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.List;

/// Ends transactions over several cells that nobody else ends: the thread that began a commit may
/// be gone, or what it said was lost.
///
/// Threads: one of the cell's own; [#recover] before it is started.
final class TransactionUpkeep {
    /// For so long a prepared transaction is left to the one who prepared it.
    static final Duration LEASE = Duration.ofSeconds(5);

    /// It is woken with the rest of the upkeep, which has nothing to do with it; more often than
    /// this it only takes the lock from others.
    private static final Duration ROUND = Duration.ofMillis(250);

    private final Cell cell;
    private final Participant participant;
    private final Coordinator coordinator;
    private final Env env;

    /// Of its own thread: when the last round was.
    private long lastNanos;

    TransactionUpkeep(Cell cell, Participant participant, Coordinator coordinator, Env env) {
        this.cell = cell;
        this.participant = participant;
        this.coordinator = coordinator;
        this.env = env;
        lastNanos = env.nanoTime();
    }

    /// Ends all that was prepared before a restart. All cells are open, and none is read yet.
    void recover() {
        participant.all().forEach(this::resolve);
    }

    /// One round; false, for it need not be repeated soon.
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

    private void resolve(Part part) {
        long id = part.transactionId;
        participant.outcome(id, cell.transactions().links().find(part.coordinatorId).resolve(id));
    }

    private void tell(long coordinatorId, List<Long> transactionIds) {
        cell.transactions().links().find(coordinatorId).finished(transactionIds, cell.id());
        participant.told(coordinatorId, transactionIds);
    }

    private void confirm(Coordinator.Open open, long participantId) {
        cell.transactions()
                .links()
                .find(participantId)
                .confirm(open.transactionId(), open.timestamp());
        coordinator.finished(List.of(open.transactionId()), participantId);
    }

    /// A cell that cannot be reached is asked again in the next round.
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (StatusException e) {
            cell.refuseIfLogFailed();
        }
    }
}
