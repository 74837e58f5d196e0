package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.tablet.CellRecord.Decide;
import io.cleave.tablet.CellRecord.OfTransaction;
import io.cleave.tablet.CellRecord.Outcome;
import io.cleave.tablet.CellRecord.Prepare;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// The participant role of a cell in multi-cell transactions. Sets intents and pins, and removes
/// them when the coordinator has decided. Blocks conflicting commits in between.
///
/// Threads: any; all state is guarded by the cell's lock.
final class Participant {
    private final CellJournal journal;
    private final CellState state;

    /// The journal's lock.
    private final ReentrantLock lock;

    private final CellWaits waits;
    private final Flusher flusher;
    private final CellLinks links;
    private final Env env;
    private final EndedTransactions ended;

    private final Map<Long, PreparedPart> parts = new HashMap<>();

    /// Commits that are not yet reported as durable to their coordinators.
    private List<Untold> untold = new ArrayList<>();

    private record Untold(
            long transactionId,
            long coordinatorId,
            CompletableFuture<@Nullable LogException> durable) {}

    Participant(CellJournal journal, CellWaits waits, Flusher flusher, CellLinks links, Env env) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        this.waits = waits;
        this.flusher = flusher;
        this.links = links;
        this.env = env;
        ended = new EndedTransactions(journal.timeline().newId());
        state.transactions().prepared().forEach(this::restore);
    }

    /// A transaction that was prepared before a restart holds its keys again.
    private void restore(Prepare prepare) {
        long id = prepare.transactionId();
        var part =
                new PreparedPart(
                        id,
                        prepare.coordinatorId(),
                        List.of(),
                        prepare.writes(),
                        null,
                        List.of(),
                        outcomeOf(id, prepare.writes()),
                        true,
                        env.nanoTime());
        part.durable.complete(null);
        parts.put(id, part);
        intend(part);
    }

    // ---- conflicts; the lock is held

    /// Whether intents or pins of other transactions block a commit.
    boolean hinders(List<TabletWrites> writes, ReadLocks locks) {
        return !parts.isEmpty()
                && hinders(Engagements.NOBODY, writes, locks.tablesIn(journal.cellId()), locks);
    }

    private boolean hinders(
            long transactionId,
            List<TabletWrites> writes,
            List<LockTable> tables,
            ReadLocks locks) {
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet != null
                    && tablet.engagements().hinderWrites(transactionId, part.changes())) {
                return true;
            }
        }
        for (LockTable table : tables) {
            if (table.engagements().hinderReads(transactionId, locks)) {
                return true;
            }
        }
        return false;
    }

    /// Whether one of the tablets is about to be split, merged or moved, so that it takes no
    /// prepares.
    private boolean isClosed(List<TabletWrites> writes, List<LockTable> tables) {
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet != null && tablet.engagements().isClosed()) {
                return true;
            }
        }
        return tables.stream().anyMatch(table -> table.engagements().isClosed());
    }

    // ---- prepare

    PrepareResult prepare(Preparation wanted) {
        boolean coordinates = wanted.coordinatorId() == journal.cellId();
        boolean recorded = !coordinates && !wanted.writes().isEmpty();
        byte[] record =
                coordinates ? decideOf(wanted) : outcomeOf(wanted.transactionId(), wanted.writes());
        var prepare = new Prepare(wanted.transactionId(), wanted.coordinatorId(), wanted.writes());
        Bytes prepared = Bytes.wrap(RecordCodec.encode(prepare, wanted.writes()));
        long deadline = waits.deadline();
        lock.lock();
        try {
            while (true) {
                if (parts.containsKey(wanted.transactionId())) {
                    return new PrepareResult.Ready();
                }
                if (ended.contains(wanted.transactionId())) {
                    return new PrepareResult.Ended();
                }
                CommitResult refusal =
                        state.refuse(wanted.writes(), wanted.locks(), wanted.writeSnapshot());
                if (refusal != null) {
                    return new PrepareResult.Refused(refusal);
                }
                List<LockTable> tables = wanted.locks().tablesIn(journal.cellId());
                if (!state.isSealed(wanted.writes())
                        && !isClosed(wanted.writes(), tables)
                        && !hinders(
                                wanted.transactionId(), wanted.writes(), tables, wanted.locks())) {
                    break;
                }
                waits.await(deadline);
            }
            PreparedPart part = newPart(wanted, record, recorded);
            parts.put(part.transactionId, part);
            intend(part);
            pin(part, wanted.locks());
            if (recorded) {
                state.transactions().apply(prepare);
                journal.append(prepared, part.durable::complete);
            } else {
                part.durable.complete(null);
            }
            return new PrepareResult.Ready();
        } finally {
            lock.unlock();
        }
    }

    private PreparedPart newPart(Preparation wanted, byte[] record, boolean recorded) {
        return new PreparedPart(
                wanted.transactionId(),
                wanted.coordinatorId(),
                wanted.participants(),
                wanted.writes(),
                wanted.locks(),
                wanted.locks().tablesIn(journal.cellId()),
                record,
                recorded,
                env.nanoTime());
    }

    /// If only one cell has writes, the decision need not be remembered, so a plain commit is
    /// enough.
    private static byte[] decideOf(Preparation wanted) {
        List<TabletWrites> writes = wanted.writes();
        if (wanted.participants().isEmpty()) {
            return RecordCodec.encodeCommit(writes);
        }
        OfTransaction decide = new Decide(0, wanted.transactionId(), wanted.participants(), writes);
        return RecordCodec.encode(decide, writes);
    }

    private static byte[] outcomeOf(long transactionId, List<TabletWrites> writes) {
        var outcome = new Outcome(transactionId, new CommitDecision.Abort(), writes);
        return RecordCodec.encode(outcome, writes);
    }

    private void intend(PreparedPart part) {
        for (TabletWrites writes : part.writes) {
            Tablet tablet = state.tablet(writes.tabletId());
            if (tablet != null) {
                tablet.engagements().intend(part.transactionId, writes.changes());
            }
        }
    }

    private static void pin(PreparedPart part, ReadLocks locks) {
        if (!part.pinned.isEmpty()) {
            locks.pin(part.pinned);
            part.pinned.forEach(table -> table.engagements().pin(part.transactionId, locks));
        }
    }

    void awaitPrepared(long transactionId) {
        PreparedPart part;
        lock.lock();
        try {
            part = parts.get(transactionId);
        } finally {
            lock.unlock();
        }
        if (part != null) {
            journal.awaitDurable(part.durable);
        }
    }

    // ---- the end; the lock is held

    /// Removes the part so that the caller can end it. Null if there is no such part, or not any
    /// more.
    @Nullable PreparedPart take(long transactionId) {
        ended.add(transactionId);
        return parts.remove(transactionId);
    }

    /// Applies the part's writes, and releases its intents and pins.
    void commit(PreparedPart part, long timestamp) {
        commit(part, part.writes, timestamp);
    }

    private void commit(PreparedPart part, List<TabletWrites> applied, long timestamp) {
        for (TabletWrites writes : applied) {
            Tablet written = state.write(timestamp, writes);
            if (written != null) {
                written.transactions().coordinated();
            }
            state.breakLocks(writes, part.locks);
        }
        release(part);
    }

    void release(PreparedPart part) {
        for (TabletWrites writes : part.writes) {
            Tablet tablet = state.tablet(writes.tabletId());
            if (tablet != null) {
                tablet.engagements().release(part.transactionId, writes.changes());
            }
        }
        part.pinned.forEach(table -> table.engagements().unpin(part.transactionId));
        if (!part.pinned.isEmpty() && part.locks != null) {
            part.locks.unpin(part.pinned);
        }
        waits.wake();
    }

    // ---- outcome

    void outcome(long transactionId, CommitDecision decision) {
        @Nullable PreparedPart part;
        lock.lock();
        try {
            part = take(transactionId);
            if (part == null) {
                return;
            }
            switch (decision) {
                case CommitDecision.Commit(long timestamp) -> {
                    List<TabletWrites> writes = withoutOverwritten(part, timestamp);
                    commit(part, writes, timestamp);
                    if (part.recorded) {
                        appendCommit(part, writes, timestamp);
                    }
                }
                case CommitDecision.Abort _, CommitDecision.Unknown _ -> {
                    release(part);
                    if (part.recorded) {
                        append(
                                new Outcome(transactionId, new CommitDecision.Abort(), List.of()),
                                new CompletableFuture<>());
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        if (part.recorded && decision instanceof CommitDecision.Commit) {
            flusher.appended(part.record.length);
            tellApplied(part);
        }
    }

    /// Removes changes to keys that have a newer version. Intents block other writers, so normally
    /// there is none. A newer version exists only if the outcome was lost with a part of the log
    /// and that loss was accepted. Then the newer version stays.
    private List<TabletWrites> withoutOverwritten(PreparedPart part, long timestamp) {
        if (part.locks != null) {
            return part.writes; // prepared by this process
        }
        List<TabletWrites> left = new ArrayList<>();
        for (TabletWrites writes : part.writes) {
            Tablet tablet = state.tablet(writes.tabletId());
            left.add(
                    new TabletWrites(
                            writes.tabletId(),
                            writes.changes().stream()
                                    .filter(
                                            change ->
                                                    tablet == null
                                                            || !tablet.writtenSince(
                                                                    change.key(), timestamp))
                                    .toList()));
        }
        return left;
    }

    private void appendCommit(PreparedPart part, List<TabletWrites> writes, long timestamp) {
        Check.that(part.coordinatorId != journal.cellId(), "an outcome for the coordinator");
        var durable = new CompletableFuture<@Nullable LogException>();
        byte[] record = part.locks == null ? outcomeOf(part.transactionId, writes) : part.record;
        RecordCodec.setTimestamp(record, timestamp);
        state.transactions()
                .apply(
                        new Outcome(
                                part.transactionId, new CommitDecision.Commit(timestamp), writes));
        untold.add(new Untold(part.transactionId, part.coordinatorId, durable));
        journal.append(Bytes.wrap(record), durable::complete);
    }

    private void append(Outcome outcome, CompletableFuture<@Nullable LogException> durable) {
        state.transactions().apply(outcome);
        journal.append(RecordCodec.encode(outcome), durable::complete);
    }

    /// The transaction becomes visible as soon as all participants have applied it.
    private void tellApplied(PreparedPart part) {
        try {
            links.find(part.coordinatorId).applied(part.transactionId, journal.cellId());
        } catch (StatusException _) {
            // The coordinator learns it later, when the outcome is reported as durable.
        }
    }

    /// Returns when the commit is durable here. It may have been applied earlier.
    void confirm(long transactionId, long timestamp) {
        outcome(transactionId, new CommitDecision.Commit(timestamp));
        // This record follows every other record of the transaction.
        var durable = new CompletableFuture<@Nullable LogException>();
        lock.lock();
        try {
            append(
                    new Outcome(transactionId, new CommitDecision.Commit(timestamp), List.of()),
                    durable);
        } finally {
            lock.unlock();
        }
        journal.awaitDurable(durable);
    }

    // ---- for the upkeep

    /// The parts that were prepared before `nanos`.
    List<PreparedPart> olderThan(long nanos) {
        lock.lock();
        try {
            return parts.values().stream().filter(part -> part.sinceNanos - nanos < 0).toList();
        } finally {
            lock.unlock();
        }
    }

    List<PreparedPart> all() {
        lock.lock();
        try {
            return List.copyOf(parts.values());
        } finally {
            lock.unlock();
        }
    }

    /// Commits that are durable but not yet reported, by coordinator.
    Map<Long, List<Long>> durableUntold() {
        lock.lock();
        try {
            Map<Long, List<Long>> byCoordinator = new HashMap<>();
            for (Untold each : untold) {
                if (each.durable.isDone() && each.durable.resultNow() == null) {
                    byCoordinator
                            .computeIfAbsent(each.coordinatorId, _ -> new ArrayList<>())
                            .add(each.transactionId);
                }
            }
            return byCoordinator;
        } finally {
            lock.unlock();
        }
    }

    void told(long coordinatorId, List<Long> transactionIds) {
        lock.lock();
        try {
            Set<Long> told = Set.copyOf(transactionIds);
            List<Untold> left = new ArrayList<>();
            for (Untold each : untold) {
                if (each.coordinatorId != coordinatorId || !told.contains(each.transactionId)) {
                    left.add(each);
                }
            }
            untold = left;
        } finally {
            lock.unlock();
        }
    }
}
