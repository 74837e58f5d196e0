package io.cleave.tablet.twophase;

import io.cleave.tablet.record.CellRecord.Decided;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.twophase.TransactionStep.Change;
import io.cleave.tablet.twophase.TransactionStep.Message;
import io.cleave.tablet.twophase.TransactionStep.Message.Confirm;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/// The coordinator role of a cell: its decisions on multi-cell transactions, as a state machine
/// like [Participant]. A decision is kept until all participants have reported that their outcome
/// is durable.
///
/// Threads: under the cell's lock.
public final class Coordinator {
    private static final int MOST_FORGOTTEN = 1 << 12;

    /// Of the same cell. The coordinator decides on what it has prepared itself.
    private final Participant participant;

    /// Decisions that participants may still ask for, by transaction id, the oldest first.
    private final Map<Long, Kept> kept = new LinkedHashMap<>();

    /// The timestamps of the last forgotten decisions, because a decision may be asked for twice.
    private final Map<Long, Long> forgotten =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
                    return size() > MOST_FORGOTTEN;
                }
            };

    public Coordinator(Participant participant) {
        this.participant = participant;
    }

    private static final class Kept {
        final Decided decided;
        final long sinceMicros;
        boolean isDurable;

        /// Participants that have not applied the transaction, as far as is known.
        final Set<Long> unapplied;

        /// Participants whose outcome is not durable, as far as is known.
        final Set<Long> unfinished;

        Kept(Decided decided, long sinceMicros) {
            this.decided = decided;
            this.sinceMicros = sinceMicros;
            unapplied = new TreeSet<>(decided.participants());
            unfinished = new TreeSet<>(decided.participants());
        }

        /// Whether this was the last participant that had to apply the transaction.
        boolean appliedBy(long participantId) {
            return unapplied.remove(participantId) && unapplied.isEmpty();
        }
    }

    /// A decision that was made before a restart.
    public void restore(Decided decided, long nowMicros) {
        var restored = new Kept(decided, nowMicros);
        restored.isDurable = true;
        kept.put(decided.transactionId(), restored);
    }

    /// Whether all decisions are durable, and no participant may ask for one any more.
    public boolean isIdle() {
        return kept.values().stream()
                .allMatch(decision -> decision.isDurable && decision.unfinished.isEmpty());
    }

    /// Whether the other cell has to learn a decision, or to say that its outcome is durable.
    public boolean names(long cellId) {
        return kept.values().stream()
                .anyMatch(
                        decision ->
                                decision.unapplied.contains(cellId)
                                        || decision.unfinished.contains(cellId));
    }

    /// Commits a transaction that is prepared in all its cells. `clock` is asked for the timestamp,
    /// if the decision is made now.
    public TransactionStep<DecideResult> decide(
            long transactionId, LongSupplier clock, long nowMicros) {
        Kept before = kept.get(transactionId);
        if (before != null) {
            return TransactionStep.answer(new DecideResult.Decided(before.decided.timestamp()));
        }
        PreparedPart part = participant.take(transactionId);
        if (part == null) {
            Long decided = forgotten.get(transactionId);
            return TransactionStep.answer(
                    decided == null
                            ? new DecideResult.Refused()
                            : new DecideResult.Decided(decided));
        }
        long timestamp = clock.getAsLong();
        var decided = new Decided(timestamp, transactionId, part.participants());
        kept.put(transactionId, new Kept(decided, nowMicros));
        return TransactionStep.answer(
                new DecideResult.Decided(timestamp), new Change.Decided(part, timestamp));
    }

    /// Tells the decision. If the transaction is prepared and not decided, it is aborted first, so
    /// that it can never be committed.
    public TransactionStep<CommitDecision> resolve(long transactionId) {
        Kept decision = kept.get(transactionId);
        if (decision != null) {
            return TransactionStep.answer(new CommitDecision.Commit(decision.decided.timestamp()));
        }
        PreparedPart part = participant.take(transactionId);
        return part == null
                ? TransactionStep.answer(new CommitDecision.Unknown())
                : TransactionStep.answer(new CommitDecision.Abort(), new Change.Aborted(part));
    }

    /// The log has made a decision durable.
    public void decisionDurable(long transactionId) {
        Kept decision = kept.get(transactionId);
        if (decision != null) {
            decision.isDurable = true;
        }
    }

    /// A participant has applied the transaction.
    public TransactionStep<@Nullable Void> applied(long transactionId, long participantId) {
        Kept decision = kept.get(transactionId);
        return decision != null && decision.appliedBy(participantId)
                ? new TransactionStep<>(null, List.of(), List.of(transactionId), List.of())
                : TransactionStep.nothing();
    }

    /// The outcomes of these transactions are durable in a participant.
    public TransactionStep<@Nullable Void> finished(List<Long> transactionIds, long participantId) {
        List<Long> everywhere = new ArrayList<>();
        List<Long> known = new ArrayList<>();
        for (long id : transactionIds) {
            Kept decision = kept.get(id);
            if (decision != null) {
                if (decision.appliedBy(participantId)) {
                    everywhere.add(id);
                }
                decision.unfinished.remove(participantId);
                if (decision.unfinished.isEmpty()) {
                    known.add(id);
                }
            }
        }
        known.forEach(this::forget);
        List<Change> changes = known.isEmpty() ? List.of() : List.of(new Change.Forgotten(known));
        return new TransactionStep<>(null, changes, everywhere, List.of());
    }

    private void forget(long transactionId) {
        Kept decision = kept.remove(transactionId);
        if (decision != null) {
            forgotten.put(transactionId, decision.decided.timestamp());
        }
    }

    /// Tells the participants again of decisions that were made before `expiredMicros` and are
    /// durable. A decision without participants need not be kept any longer.
    public TransactionStep<@Nullable Void> tick(long expiredMicros) {
        List<Long> alone = new ArrayList<>();
        List<Message> messages = new ArrayList<>();
        for (Kept decision : kept.values()) {
            if (decision.isDurable && decision.sinceMicros < expiredMicros) {
                Decided decided = decision.decided;
                if (decided.participants().isEmpty()) {
                    alone.add(decided.transactionId());
                }
                for (long cellId : decision.unfinished) {
                    messages.add(new Confirm(cellId, decided.transactionId(), decided.timestamp()));
                }
            }
        }
        alone.forEach(this::forget);
        return TransactionStep.send(messages);
    }
}
