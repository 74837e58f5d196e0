package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.tablet.CellJournal.AppendedBy;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Moved;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.time.Timeline.CommitSlot;
import io.cleave.time.Timeline.OnStall;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Commits to the tablets of one cell; each commit is one record. Threads: any.
final class CellCommits {
    private final CellJournal journal;
    private final CellState state;

    /// The cell's lock.
    private final ReentrantLock lock;

    private final CellWaits waits;
    private final TransactionHolds holds;
    private final Admission admission;
    private final Flusher flusher;

    /// The memory of the catalog must equal its disk. So a change of the catalog waits until its
    /// outcome is known, even while the log stalls.
    private final OnStall onStall;

    CellCommits(
            CellJournal journal,
            CellWaits waits,
            TransactionHolds holds,
            Admission admission,
            Flusher flusher) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        this.waits = waits;
        this.holds = holds;
        this.admission = admission;
        this.flusher = flusher;
        onStall = journal.cellId() == CellJournal.SYSTEM_ID ? OnStall.WAIT : OnStall.TELL;
    }

    CommitResult commit(List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        byte[] record = RecordCodec.encodeCommit(writes);
        admission.admit(writes, record.length);
        CommitSlot slot;
        lock.lock();
        try {
            CommitResult refusal = awaitTurn(writes, locks, writeSnapshot);
            if (refusal != null) {
                return refusal;
            }
            slot = commit(record, writes, locks, AppendedBy.WAITER);
        } finally {
            lock.unlock();
        }
        journal.help();
        flusher.appended(record.length);
        return journal.result(slot);
    }

    boolean commitLater(List<TabletWrites> writes, ReadLocks locks, Consumer<CommitResult> ended) {
        byte[] record = RecordCodec.encodeCommit(writes);
        if (!admission.admitsNow(writes, record.length) || !lock.tryLock()) {
            return false;
        }
        CommitSlot slot;
        try {
            if (!isTurn(writes, locks) || !journal.hasRoom(record.length)) {
                return false;
            }
            slot = commit(record, writes, locks, AppendedBy.LOG);
        } finally {
            lock.unlock();
        }
        flusher.appended(record.length);
        slot.whenPassed(failure -> ended.accept(journal.result(slot, failure)));
        return true;
    }

    /// Applies the writes, breaks the locks of other transactions on them, and appends the record.
    @GuardedBy("lock")
    private CommitSlot commit(
            byte[] record, List<TabletWrites> writes, ReadLocks locks, AppendedBy by) {
        return journal.commit(
                onStall,
                by,
                timestamp -> {
                    for (TabletWrites part : writes) {
                        Tablet written = state.write(timestamp, part);
                        if (written != null) {
                            written.transactions().immediate();
                        }
                        state.breakLocks(part, locks);
                        state.leaveTraces(part, timestamp, journal.timeline()::oldest);
                    }
                    RecordCodec.setTimestamp(record, timestamp);
                    return Bytes.wrap(record);
                });
    }

    /// Whether the commit can proceed now.
    @GuardedBy("lock")
    private boolean isTurn(List<TabletWrites> writes, ReadLocks locks) {
        return !state.isSealed(writes)
                && !locks.areLeaving(journal.cellId())
                && state.refuse(writes, locks, null) == null
                && locks.isWithin(journal.cellId())
                && !holds.hinder(writes, locks);
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
            if (!state.isSealed(writes) && !locks.areLeaving(journal.cellId())) {
                CommitResult refusal = state.refuse(writes, locks, writeSnapshot);
                if (refusal != null) {
                    return refusal;
                }
                if (!locks.isWithin(journal.cellId())) {
                    return new Moved(writes.getFirst().tabletId());
                }
                if (!holds.hinder(writes, locks)) {
                    return null;
                }
            }
            waits.await(deadline);
        }
    }
}
