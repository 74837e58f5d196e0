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

/// A cell's parts of transactions over several cells: sets intents and pins, and takes them away
/// when the coordinator has decided. Also holds off what must not come between.
///
/// Threads: any; all state is guarded by the cell's lock.
final class Participant {
    private final Cell cell;
    private final CellState state;
    private final ReentrantLock lock;
    private final CellWaits waits;
    private final Env env;
    private final EndedTransactions ended;

    private final Map<Long, Part> parts = new HashMap<>();

    /// Commits whose coordinators need to hear that they are durable here.
    private List<Untold> untold = new ArrayList<>();

    private record Untold(
            long transactionId,
            long coordinatorId,
            CompletableFuture<@Nullable LogException> durable) {}

    Participant(Cell cell, ReentrantLock lock, CellWaits waits, EndedTransactions ended, Env env) {
        this.cell = cell;
        state = cell.state();
        this.lock = lock;
        this.waits = waits;
        this.ended = ended;
        this.env = env;
        state.transactions().prepared().forEach(this::restore);
    }

    /// What was prepared before a restart holds its keys again.
    private void restore(Prepare prepare) {
        long id = prepare.transactionId();
        var part =
                new Part(
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

    // ---- what others have to wait for; the lock is held

    /// Whether intents or pins of others are in the way of a commit.
    boolean hinders(List<TabletWrites> writes, ReadLocks locks) {
        return !parts.isEmpty()
                && hinders(Engagements.NOBODY, writes, locks.tablesIn(cell.id()), locks);
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

    /// Whether a tablet that is about to be changed would be held up.
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
        boolean coordinates = wanted.coordinatorId() == cell.id();
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
                        cell.refuse(wanted.writes(), wanted.locks(), wanted.writeSnapshot());
                if (refusal != null) {
                    return new PrepareResult.Refused(refusal);
                }
                List<LockTable> tables = wanted.locks().tablesIn(cell.id());
                if (!cell.isSealed(wanted.writes())
                        && !isClosed(wanted.writes(), tables)
                        && !hinders(
                                wanted.transactionId(), wanted.writes(), tables, wanted.locks())) {
                    break;
                }
                waits.await(deadline, cell.id());
            }
            Part part = newPart(wanted, record, recorded);
            parts.put(part.transactionId, part);
            intend(part);
            pin(part, wanted.locks());
            if (recorded) {
                state.transactions().apply(prepare);
                cell.append(prepared, part.durable::complete);
            } else {
                part.durable.complete(null);
            }
            return new PrepareResult.Ready();
        } finally {
            lock.unlock();
        }
    }

    private Part newPart(Preparation wanted, byte[] record, boolean recorded) {
        return new Part(
                wanted.transactionId(),
                wanted.coordinatorId(),
                wanted.participants(),
                wanted.writes(),
                wanted.locks(),
                wanted.locks().tablesIn(cell.id()),
                record,
                recorded,
                env.nanoTime());
    }

    /// With one written cell there is nothing to remember of the decision.
    private static byte[] decideOf(Preparation wanted) {
        List<TabletWrites> writes = wanted.writes();
        if (wanted.participants().isEmpty()) {
            return RecordCodec.encodeCommit(writes);
        }
        OfTransaction decide = new Decide(0, wanted.transactionId(), wanted.participants(), writes);
        return RecordCodec.encode(decide, writes);
    }

    private static byte[] outcomeOf(long transactionId, List<TabletWrites> writes) {
        var outcome = new Outcome(transactionId, new Decision.Abort(), writes);
        return RecordCodec.encode(outcome, writes);
    }

    private void intend(Part part) {
        for (TabletWrites writes : part.writes) {
            Tablet tablet = state.tablet(writes.tabletId());
            if (tablet != null) {
                tablet.engagements().intend(part.transactionId, writes.changes());
            }
        }
    }

    private static void pin(Part part, ReadLocks locks) {
        if (!part.pinned.isEmpty()) {
            locks.pin(part.pinned);
            part.pinned.forEach(table -> table.engagements().pin(part.transactionId, locks));
        }
    }

    void awaitPrepared(long transactionId) {
        Part part;
        lock.lock();
        try {
            part = parts.get(transactionId);
        } finally {
            lock.unlock();
        }
        if (part != null) {
            cell.awaitDurable(part.durable);
        }
    }

    // ---- the end; the lock is held

    /// Takes the part out, for it to be ended: null when it is not there (any more).
    @Nullable Part take(long transactionId) {
        ended.add(transactionId);
        return parts.remove(transactionId);
    }

    /// Applies the part's writes, and takes its intents and pins away.
    void commit(Part part, long timestamp) {
        commit(part, part.writes, timestamp);
    }

    private void commit(Part part, List<TabletWrites> applied, long timestamp) {
        for (TabletWrites writes : applied) {
            Tablet written = state.write(timestamp, writes);
            if (written != null) {
                written.transactions().coordinated();
            }
            cell.breakLocks(writes, part.locks);
        }
        release(part);
    }

    void release(Part part) {
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

    void outcome(long transactionId, Decision decision) {
        @Nullable Part part;
        lock.lock();
        try {
            part = take(transactionId);
            if (part == null) {
                return;
            }
            switch (decision) {
                case Decision.Commit(long timestamp) -> {
                    List<TabletWrites> writes = withoutOverwritten(part, timestamp);
                    commit(part, writes, timestamp);
                    if (part.recorded) {
                        appendCommit(part, writes, timestamp);
                    }
                }
                case Decision.Abort _, Decision.Unknown _ -> {
                    release(part);
                    if (part.recorded) {
                        append(
                                new Outcome(transactionId, new Decision.Abort(), List.of()),
                                new CompletableFuture<>());
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        if (part.recorded && decision instanceof Decision.Commit) {
            cell.appended(part.record.length);
            tellApplied(part);
        }
    }

    /// What is prepared holds others off, so nothing newer is there; unless the outcome was lost
    /// with a part of the log, which someone has accepted. The newer one stays then.
    private List<TabletWrites> withoutOverwritten(Part part, long timestamp) {
        if (part.locks != null) {
            return part.writes; // of this process
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

    private void appendCommit(Part part, List<TabletWrites> writes, long timestamp) {
        Check.that(part.coordinatorId != cell.id(), "an outcome for the coordinator");
        var durable = new CompletableFuture<@Nullable LogException>();
        byte[] record = part.locks == null ? outcomeOf(part.transactionId, writes) : part.record;
        RecordCodec.setTimestamp(record, timestamp);
        state.transactions()
                .apply(new Outcome(part.transactionId, new Decision.Commit(timestamp), writes));
        untold.add(new Untold(part.transactionId, part.coordinatorId, durable));
        cell.append(Bytes.wrap(record), durable::complete);
    }

    private void append(Outcome outcome, CompletableFuture<@Nullable LogException> durable) {
        state.transactions().apply(outcome);
        cell.append(RecordCodec.encode(outcome), durable::complete);
    }

    /// As soon as all have, the transaction is seen.
    private void tellApplied(Part part) {
        try {
            cell.transactions()
                    .links()
                    .find(part.coordinatorId)
                    .applied(part.transactionId, cell.id());
        } catch (StatusException _) {
            // It will hear of it when it hears that this is durable.
        }
    }

    /// Returns when the commit is durable here, whether it is done now or was before.
    void confirm(long transactionId, long timestamp) {
        outcome(transactionId, new Decision.Commit(timestamp));
        // Behind whatever was appended for it.
        var durable = new CompletableFuture<@Nullable LogException>();
        lock.lock();
        try {
            append(new Outcome(transactionId, new Decision.Commit(timestamp), List.of()), durable);
        } finally {
            lock.unlock();
        }
        cell.awaitDurable(durable);
    }

    // ---- for the upkeep

    /// Those that were prepared before `nanos`.
    List<Part> olderThan(long nanos) {
        lock.lock();
        try {
            return parts.values().stream().filter(part -> part.sinceNanos - nanos < 0).toList();
        } finally {
            lock.unlock();
        }
    }

    List<Part> all() {
        lock.lock();
        try {
            return List.copyOf(parts.values());
        } finally {
            lock.unlock();
        }
    }

    /// What has become durable and its coordinator has not been told, by coordinator.
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
