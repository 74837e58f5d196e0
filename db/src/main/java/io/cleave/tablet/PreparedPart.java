package io.cleave.tablet;

import io.cleave.log.LogException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A cell's part of a multi-cell transaction, from its prepare to its end.
final class PreparedPart {
    final long transactionId;
    final long coordinatorId;

    /// The cells with writes, without the coordinator.
    final List<Long> participants;

    final List<TabletWrites> writes;

    /// The read locks that are pinned; null if the part was prepared before a restart.
    final @Nullable ReadLocks locks;

    /// The lock tables in which `locks` are pinned.
    final List<LockTable> pinned;

    /// The record that commits the part, complete except for its timestamp: a decide or commit
    /// record in the coordinator, an outcome record in the other cells.
    final byte[] record;

    /// Whether the prepare is in the log. Then the outcome must be logged too.
    final boolean recorded;

    final long sinceNanos;

    /// Completed when the prepare is durable.
    final CompletableFuture<@Nullable LogException> durable = new CompletableFuture<>();

    PreparedPart(
            long transactionId,
            long coordinatorId,
            List<Long> participants,
            List<TabletWrites> writes,
            @Nullable ReadLocks locks,
            List<LockTable> pinned,
            byte[] record,
            boolean recorded,
            long sinceNanos) {
        this.transactionId = transactionId;
        this.coordinatorId = coordinatorId;
        this.participants = participants;
        this.writes = writes;
        this.locks = locks;
        this.pinned = pinned;
        this.record = record;
        this.recorded = recorded;
        this.sinceNanos = sinceNanos;
    }
}
