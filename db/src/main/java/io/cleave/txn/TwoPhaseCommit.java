package io.cleave.txn;

import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.tablet.lock.LockState;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.CellLink;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.tablet.twophase.DecideResult;
import io.cleave.tablet.twophase.Preparation;
import io.cleave.tablet.twophase.PrepareResult;
import io.cleave.time.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedSet;

/// One attempt of a multi-cell commit: see `docs/transactions.md`. If it does not finish, because
/// of an exception or the end of the process, the cells end the transaction by themselves.
///
/// Threads: the committing thread.
final class TwoPhaseCommit {
    private final Timeline timeline;
    private final CellLinks links;
    private final NavigableMap<Long, List<TabletWrites>> writes;
    private final TransactionLocks locks;
    private final @Nullable Long writeSnapshot;
    private final Env env;
    private final long id;

    /// The cells that may have prepared.
    private final List<CellLink> asked = new ArrayList<>();

    /// `writes` are by cell id.
    TwoPhaseCommit(
            Timeline timeline,
            CellLinks links,
            NavigableMap<Long, List<TabletWrites>> writes,
            TransactionLocks locks,
            @Nullable Long writeSnapshot,
            Env env) {
        this.timeline = timeline;
        this.links = links;
        this.writes = writes;
        this.locks = locks;
        this.writeSnapshot = writeSnapshot;
        this.env = env;
        id = timeline.newId();
    }

    /// Returns what [io.cleave.tablet.CellService#commit] would return.
    CommitResult run() {
        writes.forEach((cellId, part) -> links.find(cellId).admit(part));
        CellLink coordinator = links.find(writes.firstKey());
        @Nullable CommitResult refusal = null;
        boolean prepared = false;
        try {
            refusal = prepareAll(coordinator.id());
            prepared = refusal == null;
        } finally {
            if (!prepared) {
                end(asked, new CommitDecision.Abort());
            }
        }
        return refusal == null ? decide(coordinator) : refusal;
    }

    /// Returns null if all cells are prepared.
    private @Nullable CommitResult prepareAll(long coordinatorId) {
        SortedSet<Long> cellIds = locks.cellIds();
        cellIds.addAll(writes.keySet());
        List<Long> participants = new ArrayList<>(writes.keySet());
        participants.remove(coordinatorId);
        for (long cellId : cellIds) {
            CellLink cell = links.find(cellId);
            List<TabletWrites> part = writes.getOrDefault(cellId, List.of());
            var preparation =
                    new Preparation(
                            id,
                            coordinatorId,
                            participants,
                            part,
                            locks.owner().id(),
                            writeSnapshot);
            asked.add(cell);
            switch (cell.prepare(preparation)) {
                case PrepareResult.Ready _ -> {}
                case PrepareResult.Refused(CommitResult why) -> {
                    return why;
                }
                case PrepareResult.Ended _ -> {
                    return again();
                }
            }
        }
        boolean pinned = true;
        for (CellLink cell : asked) {
            LockState state = cell.awaitPrepared(id);
            locks.found(state.cellIds());
            pinned &= state.pinned();
        }
        // A lock may have moved to another cell before it was pinned, and so was not pinned there.
        return pinned && cellIds.containsAll(locks.cellIds()) ? null : again();
    }

    private CommitResult decide(CellLink coordinator) {
        DecideResult result;
        if (env.mayFail("the thread that has prepared")) {
            return new CommitResult.Lost("bad luck before the decision");
        }
        try {
            result = coordinator.decide(id);
        } catch (StatusException e) {
            return ask(coordinator);
        }
        return switch (result) {
            case DecideResult.Decided(long timestamp) -> finish(coordinator, timestamp);
            case DecideResult.Refused _ -> {
                end(asked, new CommitDecision.Abort());
                yield again();
            }
            case DecideResult.Lost(String why) -> new CommitResult.Lost(why);
        };
    }

    /// It is unknown whether the coordinator received the request to decide, so it is asked.
    private CommitResult ask(CellLink coordinator) {
        CommitDecision decision;
        try {
            decision = coordinator.resolve(id);
        } catch (StatusException e) {
            return new CommitResult.Lost(String.valueOf(e.getMessage()));
        }
        return switch (decision) {
            case CommitDecision.Commit(long timestamp) -> finish(coordinator, timestamp);
            case CommitDecision.Abort abort -> {
                end(asked, abort);
                yield again();
            }
            case CommitDecision.Unknown _ ->
                    new CommitResult.Lost(
                            "cell %d no longer knows the outcome of the transaction"
                                    .formatted(coordinator.id()));
        };
    }

    private CommitResult finish(CellLink coordinator, long timestamp) {
        List<CellLink> others =
                asked.stream().filter(cell -> cell.id() != coordinator.id()).toList();
        if (env.mayFail("the thread that has the decision")) {
            return new CommitResult.Lost("bad luck after the decision");
        }
        end(others, new CommitDecision.Commit(timestamp));
        String why = timeline.await(timestamp);
        return why == null ? new CommitResult.Done(timestamp) : new CommitResult.Lost(why);
    }

    private void end(List<CellLink> cells, CommitDecision decision) {
        for (CellLink cell : cells) {
            try {
                cell.outcome(id, decision);
            } catch (StatusException _) {
                // The cell asks the coordinator when its lease has expired.
            }
        }
    }

    /// Nothing was written, and another attempt may be made.
    private CommitResult again() {
        return new CommitResult.Moved(writes.firstEntry().getValue().getFirst().tabletId());
    }
}
