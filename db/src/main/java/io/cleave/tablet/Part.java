package io.cleave.tablet;

import io.cleave.log.LogException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A cell's part of a transaction over several, from its prepare to its end.
final class Part {
    final long transactionId;
    final long coordinatorId;

    /// The cells with writes, other than the coordinator.
    final List<Long> participants;

    final List<TabletWrites> writes;

    /// Whose pins it has; null when they went with an earlier process.
    final @Nullable ReadLocks locks;

    /// Where those are.
    final List<LockTable> pinned;

    /// What ends it with a commit, but for its timestamp: a decide or commit in the coordinator, an
    /// outcome elsewhere.
    final byte[] record;

    /// Whether the log has its prepare: so it must have its outcome.
    final boolean recorded;

    final long sinceNanos;

    /// When the prepare is durable.
    final CompletableFuture<@Nullable LogException> durable = new CompletableFuture<>();

    Part(
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
