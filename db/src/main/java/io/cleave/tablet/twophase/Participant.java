package io.cleave.tablet.twophase;

import io.cleave.base.Bytes;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.twophase.TransactionStep.Change;
import io.cleave.tablet.twophase.TransactionStep.Change.Aborted;
import io.cleave.tablet.twophase.TransactionStep.Change.Committed;
import io.cleave.tablet.twophase.TransactionStep.Change.Confirmed;
import io.cleave.tablet.twophase.TransactionStep.Change.Prepare;
import io.cleave.tablet.twophase.TransactionStep.Message;
import io.cleave.tablet.twophase.TransactionStep.Message.Applied;
import io.cleave.tablet.twophase.TransactionStep.Message.Finished;
import io.cleave.tablet.twophase.TransactionStep.Message.Resolve;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The participant role of a cell in multi-cell transactions, as a state machine. Each method takes
/// one message and returns what the cell has to do. It waits for nothing, and reads neither clock
/// nor log. Every message may come twice, late, or never.
///
/// Threads: under the cell's lock.
public final class Participant {
    private final EndedTransactions ended;

    /// Prepared transactions without an outcome, by id, the oldest first.
    private final Map<Long, PreparedPart> parts = new LinkedHashMap<>();

    /// Commits whose coordinators do not know yet that they are durable, by transaction id.
    private final Map<Long, Untold> untold = new LinkedHashMap<>();

    private record Untold(long coordinatorId, boolean isDurable) {}

    /// Transactions up to `endedThrough` have ended, except for those that are restored.
    public Participant(long endedThrough) {
        ended = new EndedTransactions(endedThrough);
    }

    /// A transaction that was prepared before a restart holds its keys again.
    public void restore(PreparedPart part) {
        parts.put(part.transactionId(), part);
    }

    /// Whether no transaction is prepared, and every coordinator knows that its commits are durable
    /// here.
    public boolean isIdle() {
        return parts.isEmpty() && untold.isEmpty();
    }

    /// Whether a transaction is open here that the other cell coordinates.
    public boolean names(long cellId) {
        return parts.values().stream().anyMatch(part -> part.coordinatorId() == cellId)
                || untold.values().stream().anyMatch(each -> each.coordinatorId() == cellId);
    }

    /// The answer to a prepare that needs no work; null if the transaction is new.
    public @Nullable PrepareResult repeated(long transactionId) {
        if (parts.containsKey(transactionId)) {
            return new PrepareResult.Ready();
        }
        return ended.contains(transactionId) ? new PrepareResult.Ended() : null;
    }

    /// Nothing is in the way of the transaction, which is new. `encoded` is the record of the
    /// prepare.
    public TransactionStep<PrepareResult> prepare(PreparedPart part, Bytes encoded) {
        parts.put(part.transactionId(), part);
        return TransactionStep.answer(new PrepareResult.Ready(), new Prepare(part, encoded));
    }

    /// Null if the transaction is not prepared, or has its outcome.
    public @Nullable PreparedPart prepared(long transactionId) {
        return parts.get(transactionId);
    }

    /// Ends a transaction here, so that a late prepare does not begin it again. Returns its part,
    /// or null if it is not prepared.
    @Nullable PreparedPart take(long transactionId) {
        ended.add(transactionId);
        return parts.remove(transactionId);
    }

    /// The outcome of a transaction. The coordinator does not forget a commit that this cell has
    /// not confirmed, so a transaction that it does not know is aborted.
    public TransactionStep<@Nullable Void> outcome(long transactionId, CommitDecision decision) {
        PreparedPart part = take(transactionId);
        if (part == null) {
            return TransactionStep.nothing();
        }
        return switch (decision) {
            case CommitDecision.Commit(long timestamp) -> commit(part, timestamp);
            case CommitDecision.Abort _, CommitDecision.Unknown _ ->
                    TransactionStep.answer(null, new Aborted(part));
        };
    }

    private TransactionStep<@Nullable Void> commit(PreparedPart part, long timestamp) {
        var committed = new Committed(part, timestamp);
        if (!part.isRecorded()) {
            return TransactionStep.answer(null, committed);
        }
        untold.put(part.transactionId(), new Untold(part.coordinatorId(), false));
        // The transaction becomes visible as soon as all participants have applied it.
        var applied = new Applied(part.coordinatorId(), part.transactionId());
        return new TransactionStep<>(null, List.of(committed), List.of(), List.of(applied));
    }

    /// Like `outcome` with a commit; the answer is given when the last change is durable.
    public TransactionStep<@Nullable Void> confirm(long transactionId, long timestamp) {
        TransactionStep<@Nullable Void> commit =
                outcome(transactionId, new CommitDecision.Commit(timestamp));
        List<Change> changes = new ArrayList<>(commit.changes());
        changes.add(new Confirmed(transactionId, timestamp));
        return new TransactionStep<>(null, changes, List.of(), commit.messages());
    }

    /// The log has made the outcome of a committed transaction durable.
    public void outcomeDurable(long transactionId) {
        untold.computeIfPresent(transactionId, (_, each) -> new Untold(each.coordinatorId, true));
    }

    /// The coordinator has answered a [Finished].
    public void told(List<Long> transactionIds) {
        transactionIds.forEach(untold::remove);
    }

    /// Asks for the decisions on all prepared transactions, after a restart.
    public TransactionStep<@Nullable Void> recover() {
        return TransactionStep.send(resolveAll(Long.MAX_VALUE));
    }

    /// Asks for the decisions on transactions that were prepared before `expiredMicros`, and
    /// reports commits that have become durable.
    public TransactionStep<@Nullable Void> tick(long expiredMicros) {
        List<Message> messages = resolveAll(expiredMicros);
        Map<Long, List<Long>> durable = new LinkedHashMap<>();
        untold.forEach(
                (id, each) -> {
                    if (each.isDurable) {
                        durable.computeIfAbsent(each.coordinatorId, _ -> new ArrayList<>()).add(id);
                    }
                });
        durable.forEach((cellId, ids) -> messages.add(new Finished(cellId, ids)));
        return TransactionStep.send(messages);
    }

    private List<Message> resolveAll(long expiredMicros) {
        List<Message> messages = new ArrayList<>();
        for (PreparedPart part : parts.values()) {
            if (part.sinceMicros() < expiredMicros) {
                messages.add(new Resolve(part.coordinatorId(), part.transactionId()));
            }
        }
        return messages;
    }
}
