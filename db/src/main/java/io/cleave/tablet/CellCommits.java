package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.log.LogWriter;
import io.cleave.tablet.CommitResult.Moved;
import io.cleave.tablet.Timeline.Moment;

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
        Moment moment;
        lock.lock();
        try {
            CommitResult refusal = awaitTurn(writes, locks, writeSnapshot);
            if (refusal != null) {
                return refusal;
            }
            moment = apply(record, writes, locks, AppendedBy.WAITER);
        } finally {
            lock.unlock();
        }
        writer.help();
        upkeep.appended(record.length);
        return cell.result(moment);
    }

    boolean commitLater(List<TabletWrites> writes, ReadLocks locks, Consumer<CommitResult> ended) {
        byte[] record = RecordCodec.encodeCommit(writes);
        CellState state = cell.state();
        if (!state.followers().haveRoom(writes, state::tablet)
                || !upkeep.admitsNow(writes, record.length)
                || !lock.tryLock()) {
            return false;
        }
        Moment moment;
        try {
            if (!isTurn(writes, locks) || !writer.hasRoom(record.length)) {
                return false;
            }
            moment = apply(record, writes, locks, AppendedBy.LOG);
        } finally {
            lock.unlock();
        }
        upkeep.appended(record.length);
        moment.whenPassed(failure -> ended.accept(cell.result(moment, failure)));
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
    private Moment apply(byte[] record, List<TabletWrites> writes, ReadLocks locks, AppendedBy by) {
        try {
            Moment moment = begin();
            RecordCodec.setTimestamp(record, moment.timestamp());
            for (TabletWrites tablet : writes) {
                Tablet written = cell.state().write(moment.timestamp(), tablet);
                if (written != null) {
                    written.transactions().immediate();
                }
                cell.breakLocks(tablet, locks);
            }
            switch (by) {
                case WAITER -> appendAwaited(Bytes.wrap(record), moment);
                case LOG -> cell.append(Bytes.wrap(record), moment);
            }
            return moment;
        } catch (RuntimeException | Error e) {
            cell.brokeOff(e);
            throw e;
        }
    }

    /// The memory of the catalog must equal its disk. So a change of the catalog waits until its
    /// outcome is known, even while the log stalls.
    private Moment begin() {
        Timeline timeline = cell.timeline();
        return cell.id() == Cell.SYSTEM_ID ? timeline.begin() : timeline.beginImpatient();
    }

    /// Like [Cell#append]. The caller must help the log's writer as soon as it has released the
    /// lock.
    @GuardedBy("lock")
    private void appendAwaited(Bytes record, Moment moment) {
        Timeline timeline = cell.timeline();
        cell.state().log().appended(writer.nextPosition(), record.length());
        writer.appendAwaited(
                record,
                (_, failure) -> {
                    if (failure == null) {
                        timeline.end(moment);
                    } else {
                        timeline.fail(failure);
                    }
                });
    }
}
