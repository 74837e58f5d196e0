package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.lsm.BulkWriter;
import io.cleave.lsm.ExpiredSlices;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.Slice;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellJournal.AppendedBy;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.EraseRange;
import io.cleave.tablet.record.CellRecord.Freeze;
import io.cleave.tablet.record.CellRecord.Ingested;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Broken;
import io.cleave.tablet.record.CommitResult.Done;
import io.cleave.tablet.record.CommitResult.Gone;
import io.cleave.tablet.record.CommitResult.Lost;
import io.cleave.tablet.record.RecordCodec;
import io.cleave.time.Timeline.CommitSlot;
import io.cleave.time.Timeline.OnStall;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongFunction;

/// Changes to many rows of a tablet at once that bypass its memtables: range erases and bulk loads.
/// Threads: any.
final class RangeChanges {
    private final CellJournal journal;
    private final CellState state;

    /// The cell's lock.
    private final ReentrantLock lock;

    private final CellWaits waits;
    private final Admission admission;
    private final Compactor compactor;
    private final UpkeepSignals signals;

    RangeChanges(
            CellJournal journal,
            CellWaits waits,
            Admission admission,
            Compactor compactor,
            UpkeepSignals signals) {
        this.journal = journal;
        state = journal.state();
        lock = journal.lock();
        this.waits = waits;
        this.admission = admission;
        this.compactor = compactor;
        this.signals = signals;
    }

    /// See [CellStructure#eraseRange].
    CommitResult erase(long tabletId, KeyRange range) {
        admission.admitFiles(tabletId);
        CommitSlot slot;
        lock.lock();
        try {
            Tablet tablet = awaitFree(tabletId, range);
            if (tablet == null) {
                return new Gone(tabletId);
            }
            KeyRange part = range.intersection(tablet.range());
            if (part.isEmpty()) {
                return new Done(journal.timeline().visible());
            }
            slot = erase(tablet, part);
        } finally {
            lock.unlock();
        }
        CommitResult result = journal.result(slot);
        signals.wake();
        return result;
    }

    @GuardedBy("lock")
    private CommitSlot erase(Tablet tablet, KeyRange part) {
        return commit(tablet, part, timestamp -> new EraseRange(timestamp, tablet.id(), part));
    }

    /// Makes the change that a record with the next timestamp describes. Breaks the locks on the
    /// range.
    @GuardedBy("lock")
    private CommitSlot commit(Tablet tablet, KeyRange range, LongFunction<CellRecord> recordAt) {
        return journal.commit(
                OnStall.WAIT,
                AppendedBy.LOG,
                timestamp -> {
                    CellRecord record = recordAt.apply(timestamp);
                    state.apply(journal.nextPosition(), record);
                    tablet.locks().breakLocks(range);
                    return RecordCodec.encode(record);
                });
    }

    /// Waits until the tablet takes writes and no multi-cell transaction holds anything in the
    /// range. Returns null if the tablet is gone.
    @GuardedBy("lock")
    private @Nullable Tablet awaitFree(long tabletId, KeyRange range) {
        long deadline = waits.deadline();
        Tablet tablet = state.live(tabletId);
        while (tablet != null && (tablet.isSealed() || tablet.engagements().hinder(range))) {
            waits.await(deadline);
            tablet = state.live(tabletId);
        }
        return tablet;
    }

    /// Waits until the tablet takes writes. Returns null if it is gone.
    @GuardedBy("lock")
    private @Nullable Tablet awaitUnsealed(long tabletId) {
        long deadline = waits.deadline();
        Tablet tablet = state.live(tabletId);
        while (tablet != null && tablet.isSealed()) {
            waits.await(deadline);
            tablet = state.live(tabletId);
        }
        return tablet;
    }

    /// See [CellStructure#eraseExpired(long, long, Expiry, long)].
    long eraseExpired(long tabletId, long tableVersion, Expiry expiry, long throughMicros) {
        return eraseExpired(
                tabletId, tableVersion, tree -> tree.expiredSlices().alone(expiry, throughMicros));
    }

    /// See [CellStructure#eraseExpired(long, long, KeyRange)].
    long eraseExpired(long tabletId, long tableVersion, KeyRange expired) {
        return eraseExpired(
                tabletId,
                tableVersion,
                tree -> tree.expiredSlices().within(expired.from(), expired.to()));
    }

    private long eraseExpired(
            long tabletId, long tableVersion, Function<LsmTree, List<ExpiredSlices.Part>> expired) {
        Tablet seen = state.tablet(tabletId);
        if (seen == null || expired.apply(seen.tree()).isEmpty()) {
            return 0;
        }
        admission.admitFiles(tabletId);
        @Nullable CommitSlot last = null;
        long rows = 0;
        lock.lock();
        try {
            Tablet tablet = awaitUnsealed(tabletId);
            if (tablet == null || tableVersion < tablet.minVersion()) {
                return 0;
            }
            // Memtables and files change only under the lock.
            for (ExpiredSlices.Part part : expired.apply(tablet.tree())) {
                KeyRange range = new KeyRange(part.from(), part.to()).intersection(tablet.range());
                if (!range.isEmpty() && !tablet.engagements().hinder(range)) {
                    last = erase(tablet, range);
                    rows += part.rows();
                }
            }
            tablet.countWrites(0, rows, 0);
        } finally {
            lock.unlock();
        }
        if (last != null && journal.result(last) instanceof Lost(String why)) {
            throw new StatusException(Status.UNAVAILABLE, why);
        }
        signals.wake();
        return rows;
    }

    /// Makes the files of a bulk load the newest of the tablet in their range. Returns null if a
    /// memtable has keys there; it must be flushed first.
    @Nullable CommitResult ingest(long tabletId, List<Slice> written, KeyRange range) {
        admission.admitFiles(tabletId);
        @Nullable CommitSlot slot;
        lock.lock();
        try {
            Tablet tablet = awaitFree(tabletId, range);
            if (tablet == null) {
                return new Gone(tabletId);
            }
            Check.that(range.equals(range.intersection(tablet.range())), "not in the tablet");
            // A compaction that is picked now must know of the new files, or the load must know of
            // the compaction.
            compactor.picking().lock();
            try {
                slot = place(tablet, written, range);
            } finally {
                compactor.picking().unlock();
            }
        } finally {
            lock.unlock();
        }
        if (slot == null) {
            return null;
        }
        CommitResult result = journal.result(slot);
        signals.wake();
        return result;
    }

    /// Makes the files of a bulk load the oldest of the tablet in their range, with a timestamp in
    /// the past. The result is [Broken] if there are already files below level 0.
    CommitResult ingestBelow(long tabletId, List<Slice> written, long timestamp) {
        admission.admitFiles(tabletId);
        Slice hull = BulkWriter.hull(written);
        var range = new KeyRange(hull.from(), hull.to());
        var durable = new CompletableFuture<@Nullable LogException>();
        lock.lock();
        try {
            Tablet tablet = awaitFree(tabletId, range);
            if (tablet == null) {
                return new Gone(tabletId);
            }
            Check.that(range.equals(range.intersection(tablet.range())), "not in the tablet");
            compactor.picking().lock();
            try {
                if (!tablet.tree().isFreeBelow(written)) {
                    return new Broken(tablet.tableId());
                }
                long generation = tablet.tree().lastGeneration();
                journal.applyAndAppend(
                        new Ingested(
                                timestamp,
                                tabletId,
                                BulkWriter.placedBelow(written, generation, timestamp)),
                        durable);
            } finally {
                compactor.picking().unlock();
            }
            // A transaction that has read the range has not seen these rows, although they are
            // older.
            tablet.locks().breakLocks(range);
        } finally {
            lock.unlock();
        }
        LogException failure = durable.join();
        signals.wake();
        return failure == null ? new Done(timestamp) : new Lost(journal.failed(failure));
    }

    @GuardedBy("lock")
    private @Nullable CommitSlot place(Tablet tablet, List<Slice> written, KeyRange range) {
        OptionalInt free = tablet.tree().levelFor(range.from(), range.to());
        if (free.isEmpty()) {
            return null;
        }
        // A running compaction may write to any level below 0.
        int level = compactor.isCompacting(tablet.id()) ? 0 : free.getAsInt();
        if (level == 0) {
            // The second freeze ends an empty memtable. The load takes its place on level 0.
            journal.applyAndAppend(new Freeze(tablet.id()), new CompletableFuture<>());
            journal.applyAndAppend(new Freeze(tablet.id()), new CompletableFuture<>());
        }
        long generation = tablet.tree().lastGeneration();
        return commit(
                tablet,
                range,
                timestamp ->
                        new Ingested(
                                timestamp,
                                tablet.id(),
                                BulkWriter.placed(written, level, generation, timestamp)));
    }
}
