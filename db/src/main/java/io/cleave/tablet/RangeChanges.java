package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Check;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;
import io.cleave.lsm.BulkWriter;
import io.cleave.lsm.ExpiredSlices;
import io.cleave.lsm.Expiry;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.Slice;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellRecord.EraseRange;
import io.cleave.tablet.CellRecord.Freeze;
import io.cleave.tablet.CellRecord.Ingested;
import io.cleave.tablet.CommitResult.Broken;
import io.cleave.tablet.CommitResult.Done;
import io.cleave.tablet.CommitResult.Gone;
import io.cleave.tablet.CommitResult.Lost;
import io.cleave.tablet.Timeline.Moment;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// What changes many rows of a tablet at once and past its memtables: range erases and bulk loads.
public final class RangeChanges {
    private final Cell cell;

    /// The cell's.
    private final ReentrantLock lock;

    private final CellWaits waits;
    private final LogWriter writer;
    private final CellUpkeep upkeep;

    RangeChanges(
            Cell cell, ReentrantLock lock, CellWaits waits, LogWriter writer, CellUpkeep upkeep) {
        this.cell = cell;
        this.lock = lock;
        this.waits = waits;
        this.writer = writer;
        this.upkeep = upkeep;
    }

    /// Erases all rows of a range of one tablet, in a time that does not depend on how many there
    /// are. Returns when it is durable and visible.
    CommitResult erase(long tabletId, KeyRange range) {
        upkeep.admit(tabletId);
        Moment moment;
        lock.lock();
        try {
            Tablet tablet = awaitFree(tabletId, range);
            if (tablet == null) {
                return new Gone(tabletId);
            }
            KeyRange part = range.intersection(tablet.range());
            if (part.isEmpty()) {
                return new Done(cell.timeline().visible());
            }
            moment = erase(tablet, part);
        } finally {
            lock.unlock();
        }
        CommitResult result = cell.result(moment);
        upkeep.wake();
        return result;
    }

    @GuardedBy("lock")
    private Moment erase(Tablet tablet, KeyRange part) {
        try {
            Moment moment = cell.timeline().begin();
            var record = new EraseRange(moment.timestamp(), tablet.id(), part);
            cell.state().apply(writer.nextPosition(), record);
            tablet.locks().breakLocks(part);
            cell.append(RecordCodec.encode(record), moment);
            return moment;
        } catch (RuntimeException | Error e) {
            cell.brokeOff(e);
            throw e;
        }
    }

    /// The tablet, when it takes writes and no transaction over several cells has anything in the
    /// range; null if it is gone.
    @GuardedBy("lock")
    private @Nullable Tablet awaitFree(long tabletId, KeyRange range) {
        long deadline = waits.deadline();
        Tablet tablet = cell.state().live(tabletId);
        while (tablet != null && (tablet.isSealed() || CellTransactions.hinder(tablet, range))) {
            waits.await(deadline, cell.id());
            tablet = cell.state().live(tabletId);
        }
        return tablet;
    }

    /// The tablet, when it takes writes; null if it is gone.
    @GuardedBy("lock")
    private @Nullable Tablet awaitUnsealed(long tabletId) {
        long deadline = waits.deadline();
        Tablet tablet = cell.state().live(tabletId);
        while (tablet != null && tablet.isSealed()) {
            waits.await(deadline, cell.id());
            tablet = cell.state().live(tabletId);
        }
        return tablet;
    }

    /// Erases files of a tablet that have expired as a whole: by the times up to `throughMicros` in
    /// a column, and where nothing newer has their keys. Their rows are not read. Those where a
    /// transaction over several cells has anything stay. Returns how many rows there were when this
    /// is durable and visible; none if the tablet is gone.
    public long eraseExpired(long tabletId, Expiry expiry, long throughMicros) {
        return eraseExpired(tabletId, tree -> tree.expired(expiry, throughMicros));
    }

    /// The same where the keys of a range have expired, now and ever.
    public long eraseExpired(long tabletId, KeyRange expired) {
        return eraseExpired(tabletId, tree -> tree.expired(expired.from(), expired.to()));
    }

    private long eraseExpired(long tabletId, Function<LsmTree, List<ExpiredSlices.Part>> expired) {
        Tablet seen = cell.tablet(tabletId);
        if (seen == null || expired.apply(seen.tree()).isEmpty()) {
            return 0;
        }
        upkeep.admit(tabletId);
        @Nullable Moment last = null;
        long rows = 0;
        lock.lock();
        try {
            Tablet tablet = awaitUnsealed(tabletId);
            if (tablet == null) {
                return 0;
            }
            // What is in memory or in files changes under the lock only.
            for (ExpiredSlices.Part part : expired.apply(tablet.tree())) {
                KeyRange range = new KeyRange(part.from(), part.to()).intersection(tablet.range());
                if (!range.isEmpty() && !CellTransactions.hinder(tablet, range)) {
                    last = erase(tablet, range);
                    rows += part.rows();
                }
            }
            tablet.countWrites(0, rows);
        } finally {
            lock.unlock();
        }
        if (last != null && cell.result(last) instanceof Lost(String why)) {
            throw new StatusException(Status.UNAVAILABLE, why);
        }
        upkeep.wake();
        return rows;
    }

    /// Whether commits are held back now, because flushes or compactions lag behind.
    public boolean isHeldBack() {
        return upkeep.isHeldBack();
    }

    /// Makes files of a bulk load the tablet's newest in their range. Null when a memtable has keys
    /// there: it has to be flushed first.
    @Nullable CommitResult ingest(long tabletId, List<Slice> written, KeyRange range) {
        upkeep.admit(tabletId);
        @Nullable Moment moment;
        lock.lock();
        try {
            Tablet tablet = awaitFree(tabletId, range);
            if (tablet == null) {
                return new Gone(tabletId);
            }
            Check.that(range.equals(range.intersection(tablet.range())), "not in the tablet");
            // A compaction that is decided on now must know of the new files, or the other way
            // round.
            upkeep.picking().lock();
            try {
                moment = place(tablet, written, range);
            } finally {
                upkeep.picking().unlock();
            }
        } finally {
            lock.unlock();
        }
        if (moment == null) {
            return null;
        }
        CommitResult result = cell.result(moment);
        upkeep.wake();
        return result;
    }

    /// Makes files of a bulk load the tablet's oldest in their range, at a time that has passed.
    /// [Broken] when there is something below level 0 already.
    CommitResult ingestBelow(long tabletId, List<Slice> written, long timestamp) {
        upkeep.admit(tabletId);
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
            upkeep.picking().lock();
            try {
                if (!tablet.tree().isFreeBelow(written)) {
                    return new Broken(tablet.tableId());
                }
                long generation = tablet.tree().lastGeneration();
                cell.applyAndAppend(
                        new Ingested(
                                timestamp,
                                tabletId,
                                BulkWriter.placedBelow(written, generation, timestamp)),
                        durable);
            } finally {
                upkeep.picking().unlock();
            }
            // Whoever has read the range has not seen what has been there ever since.
            tablet.locks().breakLocks(range);
        } finally {
            lock.unlock();
        }
        LogException failure = cell.join(durable);
        upkeep.wake();
        return failure == null ? new Done(timestamp) : new Lost(cell.failed(failure));
    }

    @GuardedBy("lock")
    private @Nullable Moment place(Tablet tablet, List<Slice> written, KeyRange range) {
        OptionalInt free = tablet.tree().levelFor(range.from(), range.to());
        if (free.isEmpty()) {
            return null;
        }
        // What is being compacted may be written to any level below 0.
        int level = upkeep.isCompacting(tablet.id()) ? 0 : free.getAsInt();
        if (level == 0) {
            // The second freeze ends an empty memtable, whose place on level 0 is the load's.
            cell.applyAndAppend(new Freeze(tablet.id()), new CompletableFuture<>());
            cell.applyAndAppend(new Freeze(tablet.id()), new CompletableFuture<>());
        }
        try {
            Moment moment = cell.timeline().begin();
            long generation = tablet.tree().lastGeneration();
            List<Slice> placed = BulkWriter.placed(written, level, generation, moment.timestamp());
            var record = new Ingested(moment.timestamp(), tablet.id(), placed);
            cell.state().apply(writer.nextPosition(), record);
            tablet.locks().breakLocks(range);
            cell.append(RecordCodec.encode(record), moment);
            return moment;
        } catch (RuntimeException | Error e) {
            cell.brokeOff(e);
            throw e;
        }
    }
}
