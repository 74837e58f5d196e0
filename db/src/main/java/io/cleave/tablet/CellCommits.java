package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.log.LogWriter;
import io.cleave.tablet.CommitResult.Moved;
import io.cleave.tablet.Timeline.CommitSlot;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Commits to the tablets of one cell; each commit is one record. Threads: any.
final class CellCommits {
    private final Cell cell;
    private final ReentrantLock lock;
    private final CellWaits waits;
    private final LogWriter writer;
    private final CellUpkeep upkeep;

    /// `lock` is the cell's.
    CellCommits(
            Cell cell, ReentrantLock lock, CellWaits waits, LogWriter writer, CellUpkeep upkeep) {
        this.cell = cell;
        this.lock = lock;
        this.waits = waits;
        this.writer = writer;
        this.upkeep = upkeep;
    }

    CommitResult commit(List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        byte[] record = RecordCodec.encodeCommit(writes);
        cell.admit(writes, record.length);
        CommitSlot slot;
        lock.lock();
        try {
            CommitResult refusal = awaitTurn(writes, locks, writeSnapshot);
            if (refusal != null) {
                return refusal;
            }
            slot = apply(record, writes, locks, AppendedBy.WAITER);
        } finally {
            lock.unlock();
        }
        writer.help();
        upkeep.appended(record.length);
        return cell.result(slot);
    }

    boolean commitLater(List<TabletWrites> writes, ReadLocks locks, Consumer<CommitResult> ended) {
        byte[] record = RecordCodec.encodeCommit(writes);
        CellState state = cell.state();
        if (!state.changeQueues().haveRoom(writes, state::tablet)
                || !upkeep.admitsNow(writes, record.length)
                || !lock.tryLock()) {
            return false;
        }
        CommitSlot slot;
        try {
            if (!isTurn(writes, locks) || !writer.hasRoom(record.length)) {
                return false;
            }
            slot = apply(record, writes, locks, AppendedBy.LOG);
        } finally {
            lock.unlock();
        }
        upkeep.appended(record.length);
        slot.whenPassed(failure -> ended.accept(cell.result(slot, failure)));
        return true;
    }

    /// Whether the commit can proceed now.
    @GuardedBy("lock")
    private boolean isTurn(List<TabletWrites> writes, ReadLocks locks) {
        return !cell.isSealed(writes)
                && !locks.areLeaving(cell.id())
                && cell.refuse(writes, locks, null) == null
                && locks.isWithin(cell.id())
                && !cell.transactions().hinder(writes, locks);
    }

    /// Waits until no other transaction is in the way. Returns null then, or the reason why the
    /// commit is refused.
    @GuardedBy("lock")
    private @Nullable CommitResult awaitTurn(
            List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        long deadline = waits.deadline();
        while (true) {
            // This check comes first. A sealed tablet may be retired at any time under the lock of
            // another cell, but it is sealed and unsealed under this cell's lock.
            if (!cell.isSealed(writes) && !locks.areLeaving(cell.id())) {
                CommitResult refusal = cell.refuse(writes, locks, writeSnapshot);
                if (refusal != null) {
                    return refusal;
                }
                if (!locks.isWithin(cell.id())) {
                    return new Moved(writes.getFirst().tabletId());
                }
                if (!cell.transactions().hinder(writes, locks)) {
                    return null;
                }
            }
            waits.await(deadline, cell.id());
        }
    }

    /// Who writes the record to disk: the thread that waits for it, or the log's own thread.
    private enum AppendedBy {
        WAITER,
        LOG
    }

    @GuardedBy("lock")
    private CommitSlot apply(byte[] record, List<TabletWrites> writes, ReadLocks locks, AppendedBy by) {
        try {
            CommitSlot slot = begin();
            RecordCodec.setTimestamp(record, slot.timestamp());
            for (TabletWrites tablet : writes) {
                Tablet written = cell.state().write(slot.timestamp(), tablet);
                if (written != null) {
                    written.transactions().immediate();
                }
                cell.breakLocks(tablet, locks);
            }
            switch (by) {
                case WAITER -> appendAwaited(Bytes.wrap(record), slot);
                case LOG -> cell.append(Bytes.wrap(record), slot);
            }
            return slot;
        } catch (RuntimeException | Error e) {
            cell.brokeOff(e);
            throw e;
        }
    }

    /// The memory of the catalog must equal its disk. So a change of the catalog waits until its
    /// outcome is known, even while the log stalls.
    private CommitSlot begin() {
        Timeline timeline = cell.timeline();
        return cell.id() == Cell.SYSTEM_ID ? timeline.begin() : timeline.beginImpatient();
    }

    /// Like [Cell#append]. The caller must help the log's writer as soon as it has released the
    /// lock.
    @GuardedBy("lock")
    private void appendAwaited(Bytes record, CommitSlot slot) {
        Timeline timeline = cell.timeline();
        cell.state().log().appended(writer.nextPosition(), record.length());
        writer.appendAwaited(
                record,
                (_, failure) -> {
                    if (failure == null) {
                        timeline.end(slot);
                    } else {
                        timeline.fail(failure);
                    }
                });
    }
}
