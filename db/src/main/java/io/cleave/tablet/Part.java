package io.cleave.tablet;

import io.cleave.log.LogException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A cell's part of a transaction over several, from its prepare to its end.
///
/// @param locks whose pins it has; null when they went with an earlier process
/// @param pinned where those are
/// @param record what ends it with a commit, but for its timestamp: a decide or commit in the
///     coordinator, an outcome elsewhere
/// @param recorded whether the log has its prepare: so it must have its outcome
/// @param durable when the prepare is
/// @param sinceNanos when it was prepared
record Part(
        long transactionId,
        long coordinatorId,
        List<Long> participants,
        List<TabletWrites> writes,
        @Nullable ReadLocks locks,
        List<LockTable> pinned,
        byte[] record,
        boolean recorded,
        CompletableFuture<@Nullable LogException> durable,
        long sinceNanos) {}
