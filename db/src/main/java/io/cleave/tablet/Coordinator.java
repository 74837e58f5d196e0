package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.log.LogException;
import io.cleave.tablet.CellRecord.Decide;
import io.cleave.tablet.CellRecord.Decided;
import io.cleave.tablet.CellRecord.Forget;
import io.cleave.tablet.Timeline.CommitSlot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// The coordinator role of a cell: its decisions on multi-cell transactions. A decision is kept
/// until all participants have reported that their outcome is durable.
///
/// Threads: any; all state is guarded by the cell's lock.
final class Coordinator {
    private static final int MOST_FORGOTTEN = 1 << 12;

    private final CellJournal journal;
    private final CellState state;

    /// The journal's lock.
    private final ReentrantLock lock;

    private final Participant participant;
    private final Flusher flusher;
    private final Timeline timeline;
    private final Env env;

    private final Map<Long, Kept> kept = new HashMap<>();

    /// The timestamps of the last forgotten decisions, because a decision may be asked for twice.
    private final Map<Long, Long> forgotten =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
                    return size() > MOST_FORGOTTEN;
                }
            };

    Coordinator(CellJournal journal, Participant participant, Flusher flusher, Env env) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        timeline = journal.timeline();
        this.participant = participant;
        this.flusher = flusher;
        this.env = env;
        for (Decided decided : state.transactions().decided()) {
            var restored = new Kept(decided, null, env.nanoTime());
            restored.durable.complete(null);
            kept.put(decided.transactionId(), restored);
        }
    }

    /// A decision, and the participants that have not confirmed it yet.
    static final class Kept {
        final Decided decided;
        final long sinceNanos;
        final CompletableFuture<@Nullable LogException> durable = new CompletableFuture<>();

        /// In flight until the decision is durable and applied everywhere. Null after a restart,
        /// because then all cells apply open decisions before anyone reads.
        private final @Nullable CommitSlot slot;

        private final AtomicInteger missing;

        // Guarded by the cell's lock.
        private final Set<Long> unapplied;
        private final Set<Long> unfinished;

        Kept(Decided decided, @Nullable CommitSlot slot, long sinceNanos) {
            this.decided = decided;
            this.slot = slot;
            this.sinceNanos = sinceNanos;
            unapplied = new HashSet<>(decided.participants());
            unfinished = new HashSet<>(decided.participants());
            missing = new AtomicInteger(1 + unapplied.size());
        }

        /// Returns the slot if the decision is now durable and applied everywhere. The caller must
        /// end the slot without holding the cell's lock, because ending it answers the threads that
        /// wait for it.
        private @Nullable CommitSlot oneLess() {
            return missing.decrementAndGet() == 0 ? slot : null;
        }
    }

    DecideResult decide(long transactionId) {
        Kept decision;
        long bytes = 0;
        lock.lock();
        try {
            Kept before = kept.get(transactionId);
            if (before == null) {
                PreparedPart part = participant.take(transactionId);
                if (part == null) {
                    Long decided = forgotten.get(transactionId);
                    return decided == null
                            ? new DecideResult.Refused()
                            : new DecideResult.Decided(decided);
                }
                decision = decide(part);
                bytes = part.record.length;
            } else {
                decision = before;
            }
        } finally {
            lock.unlock();
        }
        flusher.appended(bytes);
        LogException failure = decision.durable.join();
        return failure == null
                ? new DecideResult.Decided(decision.decided.timestamp())
                : new DecideResult.Lost(journal.failed(failure));
    }

    private Kept decide(PreparedPart part) {
        return journal.change(
                _ -> {
                    CommitSlot slot = timeline.begin();
                    long timestamp = slot.timestamp();
                    long id = part.transactionId;
                    var decided = new Decided(timestamp, id, part.participants);
                    var decision = new Kept(decided, slot, env.nanoTime());
                    kept.put(id, decision);
                    participant.commit(part, timestamp);
                    if (!part.participants.isEmpty()) {
                        state.transactions()
                                .apply(new Decide(timestamp, id, part.participants, List.of()));
                    }
                    RecordCodec.setTimestamp(part.record, timestamp);
                    journal.append(
                            Bytes.wrap(part.record),
                            failure -> {
                                if (failure == null) {
                                    end(decision.oneLess());
                                }
                                decision.durable.complete(failure);
                            });
                    return decision;
                });
    }

    CommitDecision resolve(long transactionId) {
        Kept decision;
        lock.lock();
        try {
            decision = kept.get(transactionId);
            if (decision == null) {
                PreparedPart part = participant.take(transactionId);
                if (part == null) {
                    return new CommitDecision.Unknown();
                }
                participant.release(part);
                return new CommitDecision.Abort();
            }
        } finally {
            lock.unlock();
        }
        // A decision that is not durable may be gone after a crash.
        journal.awaitDurable(decision.durable);
        return new CommitDecision.Commit(decision.decided.timestamp());
    }

    void applied(long transactionId, long participantId) {
        @Nullable CommitSlot everywhere = null;
        lock.lock();
        try {
            Kept decision = kept.get(transactionId);
            if (decision != null) {
                everywhere = applied(decision, participantId);
            }
        } finally {
            lock.unlock();
        }
        end(everywhere);
    }

    private static @Nullable CommitSlot applied(Kept decision, long participantId) {
        return decision.unapplied.remove(participantId) ? decision.oneLess() : null;
    }

    private void end(@Nullable CommitSlot slot) {
        if (slot != null) {
            timeline.end(slot);
        }
    }

    void finished(List<Long> transactionIds, long participantId) {
        List<CommitSlot> everywhere = new ArrayList<>();
        lock.lock();
        try {
            List<Long> known = new ArrayList<>();
            for (long id : transactionIds) {
                Kept decision = kept.get(id);
                if (decision != null) {
                    CommitSlot slot = applied(decision, participantId);
                    if (slot != null) {
                        everywhere.add(slot);
                    }
                    decision.unfinished.remove(participantId);
                    if (decision.unfinished.isEmpty()) {
                        known.add(id);
                    }
                }
            }
            if (!known.isEmpty()) {
                known.forEach(this::forget);
                var forget = new Forget(known);
                state.transactions().apply(forget);
                // If this record is lost, the participants confirm again and the decisions are
                // forgotten again.
                journal.append(RecordCodec.encode(forget), _ -> {});
            }
        } finally {
            lock.unlock();
            // Runs even if the record could not be appended: these transactions are applied
            // everywhere.
            everywhere.forEach(timeline::end);
        }
    }

    private void forget(long transactionId) {
        Kept decision = kept.remove(transactionId);
        if (decision != null) {
            forgotten.put(transactionId, decision.decided.timestamp());
        }
    }

    // ---- for the upkeep

    /// A decision that some participants have not reported as durable.
    record Open(long transactionId, long timestamp, List<Long> participants) {}

    /// Decisions made before `nanos` that are still open. Decisions without participants are
    /// forgotten.
    List<Open> olderThan(long nanos) {
        lock.lock();
        try {
            kept.values().stream()
                    .filter(
                            decision ->
                                    decision.decided.participants().isEmpty()
                                            && decision.sinceNanos - nanos < 0
                                            && decision.durable.isDone())
                    .map(decision -> decision.decided.transactionId())
                    .toList()
                    .forEach(this::forget);
            return kept.values().stream()
                    // A decision that is not durable may be gone after a crash.
                    .filter(
                            decision ->
                                    decision.sinceNanos - nanos < 0 && decision.durable.isDone())
                    .map(
                            decision ->
                                    new Open(
                                            decision.decided.transactionId(),
                                            decision.decided.timestamp(),
                                            List.copyOf(decision.unfinished)))
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
