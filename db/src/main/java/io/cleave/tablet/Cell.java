package io.cleave.tablet;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;
import io.cleave.lsm.BulkWriter;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.lsm.TableFiles.CacheStatistics;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellRecord.Configure;
import io.cleave.tablet.CellRecord.CreateTablets;
import io.cleave.tablet.CellRecord.DropTablets;
import io.cleave.tablet.CellRecord.EraseRange;
import io.cleave.tablet.CellRecord.Freeze;
import io.cleave.tablet.CellRecord.Ingested;
import io.cleave.tablet.CommitResult.Broken;
import io.cleave.tablet.CommitResult.Done;
import io.cleave.tablet.CommitResult.Gone;
import io.cleave.tablet.CommitResult.Lost;
import io.cleave.tablet.TabletWrites.KeyedChange;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// The leader of a cell: puts commits in order, logs them, and makes them visible when they are
/// durable.
///
/// A commit is in the memtables as soon as it has its place in the log, with a timestamp that no
/// snapshot has reached; it becomes visible when the log says that it is durable, in log order. A
/// log that fails never says so, and the cell then takes nothing more: what readers see is always
/// durable.
///
/// Threads: any. `lock` orders commits and holds no one who only reads.
public final class Cell implements AutoCloseable {
    /// The cell with the catalog.
    public static final long SYSTEM_ID = 0;

    private static final System.Logger LOGGER = System.getLogger(Cell.class.getName());

    /// How exactly the log is measured.
    private static final int LOG_MARKS = 1024;

    private final long id;
    private final Log log;
    private final TableFiles files;
    private final Set<String> media;
    private final Timestamps timestamps;
    private final Snapshots snapshots = new Snapshots();
    private final CellState state;
    private final LogWriter writer;
    private final CellUpkeep upkeep;

    /// Orders what is applied and appended: both happen under it, so log and memory agree.
    private final ReentrantLock lock = new ReentrantLock();

    /// Why nothing can be logged any more; null while all is well.
    private volatile @Nullable LogException logFailure;

    /// Opens the cell: replays its log, fencing whoever wrote it before.
    public Cell(
            long id,
            Log log,
            TableFiles files,
            Timestamps timestamps,
            CellOptions options,
            Background background,
            Env env) {
        this.id = id;
        this.log = log;
        this.files = files;
        media = files.blobs().media();
        this.timestamps = timestamps;
        writer = log.openWriter();
        var meter = new LogMeter(options.replayBytes() / LOG_MARKS);
        state = new CellState(files, meter, env);
        CellReplay.run(log, state);
        state.removeOrphans();
        timestamps.skipPast(state.maxTimestamp());
        snapshots.publish(state.maxTimestamp());
        upkeep = new CellUpkeep(this, options, background, env);
        upkeep.start();
    }

    public long id() {
        return id;
    }

    public Snapshots snapshots() {
        return snapshots;
    }

    /// The names of the media that files of its tablets may lie on.
    public Set<String> media() {
        return media;
    }

    /// How the cache of blocks serves, which all tablets share.
    public CacheStatistics cacheStatistics() {
        return files.cacheStatistics();
    }

    /// The tablet of this id, or null when the cell has none.
    public @Nullable Tablet tablet(long tabletId) {
        return state.tablet(tabletId);
    }

    public List<Tablet> tablets() {
        return state.tablets().stream().map(replayed -> replayed.tablet).toList();
    }

    /// Commits writes to any tablets of this cell as one record, and returns when it is durable and
    /// visible. `locks` must be whole; with a `writeSnapshot` no key may have been written after
    /// it.
    public CommitResult commit(
            List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        byte[] record = RecordCodec.encodeCommit(writes);
        upkeep.admit(writes, record.length);
        var durable = new CompletableFuture<@Nullable LogException>();
        long timestamp;
        lock.lock();
        try {
            CommitResult refusal = refuse(writes, locks, writeSnapshot);
            if (refusal != null) {
                return refusal;
            }
            timestamp = timestamps.next();
            RecordCodec.setTimestamp(record, timestamp);
            for (TabletWrites tablet : writes) {
                state.write(timestamp, tablet);
                breakLocks(tablet, locks);
            }
            append(Bytes.wrap(record), timestamp, durable);
        } finally {
            lock.unlock();
        }
        upkeep.appended(record.length);
        return result(join(durable), timestamp);
    }

    /// Erases all rows of a range of one tablet, in a time that does not depend on how many there
    /// are. Returns when it is durable and visible.
    public CommitResult eraseRange(long tabletId, KeyRange range) {
        upkeep.admit(tabletId);
        var durable = new CompletableFuture<@Nullable LogException>();
        long timestamp;
        lock.lock();
        try {
            Tablet tablet = state.tablet(tabletId);
            if (tablet == null) {
                return new Gone(tabletId);
            }
            KeyRange part = range.intersection(tablet.range());
            if (part.isEmpty()) {
                return new Done(snapshots.visible());
            }
            timestamp = timestamps.next();
            var record = new EraseRange(timestamp, tabletId, part);
            state.apply(writer.nextPosition(), record);
            tablet.locks().breakLocks(part);
            append(RecordCodec.encode(record), timestamp, durable);
        } finally {
            lock.unlock();
        }
        CommitResult result = result(join(durable), timestamp);
        upkeep.wake();
        return result;
    }

    private CommitResult result(@Nullable LogException failure, long timestamp) {
        return failure == null
                ? new Done(timestamp)
                : new Lost("the log of cell " + id + " failed: " + failure.getMessage());
    }

    /// Begins to load rows that come in the order of their keys. UNAVAILABLE when the cell takes no
    /// writes, or the tablet is not here.
    public BulkLoad bulkLoad(long tabletId) {
        upkeep.checkWritable();
        Tablet tablet = state.tablet(tabletId);
        if (tablet == null) {
            throw new StatusException(
                    Status.UNAVAILABLE, "tablet %d is not in cell %d".formatted(tabletId, id));
        }
        return new BulkLoad(this, tablet, files);
    }

    /// Makes files of a bulk load the tablet's newest in their range. Null when a memtable has keys
    /// there: it has to be flushed first.
    @Nullable CommitResult ingest(long tabletId, List<Slice> written, KeyRange range) {
        upkeep.admit(tabletId);
        var durable = new CompletableFuture<@Nullable LogException>();
        long timestamp;
        lock.lock();
        try {
            Tablet tablet = state.tablet(tabletId);
            if (tablet == null) {
                return new Gone(tabletId);
            }
            Check.that(range.equals(range.intersection(tablet.range())), "not in the tablet");
            OptionalLong at;
            // A compaction that is decided on now must know of the new files, or the other way
            // round.
            upkeep.picking().lock();
            try {
                at = place(tablet, written, range, durable);
            } finally {
                upkeep.picking().unlock();
            }
            if (at.isEmpty()) {
                return null;
            }
            timestamp = at.getAsLong();
        } finally {
            lock.unlock();
        }
        CommitResult result = result(join(durable), timestamp);
        upkeep.wake();
        return result;
    }

    @GuardedBy("lock")
    private OptionalLong place(
            Tablet tablet,
            List<Slice> written,
            KeyRange range,
            CompletableFuture<@Nullable LogException> durable) {
        OptionalInt free = tablet.tree().levelFor(range.from(), range.to());
        if (free.isEmpty()) {
            return OptionalLong.empty();
        }
        // What is being compacted may be written to any level below 0.
        int level = upkeep.isCompacting(tablet.id()) ? 0 : free.getAsInt();
        if (level == 0) {
            // The second freeze ends an empty memtable, whose place on level 0 is the load's.
            applyAndAppend(new Freeze(tablet.id()), new CompletableFuture<>());
            applyAndAppend(new Freeze(tablet.id()), new CompletableFuture<>());
        }
        long timestamp = timestamps.next();
        long generation = tablet.tree().lastGeneration();
        List<Slice> placed = BulkWriter.placed(written, level, generation, timestamp);
        var record = new Ingested(timestamp, tablet.id(), placed);
        state.apply(writer.nextPosition(), record);
        tablet.locks().breakLocks(range);
        append(RecordCodec.encode(record), timestamp, durable);
        return OptionalLong.of(timestamp);
    }

    public void createTablets(List<TabletSpec> tablets) {
        run(new CreateTablets(tablets));
    }

    /// Files that are written from now on have these settings; those that are there follow as
    /// compaction comes to them.
    public void configure(List<Long> tabletIds, TreeSettings settings) {
        run(new Configure(tabletIds, settings));
    }

    /// Forgets the tablets and removes their files, if no other tablet has them too.
    public void dropTablets(List<Long> tabletIds) {
        run(new DropTablets(tabletIds));
    }

    /// Makes files of what these tablets have in memory now, and returns when they are there.
    public void flush(List<Long> tabletIds) {
        for (long tabletId : tabletIds) {
            CellState.Replayed replayed = state.replayed(tabletId);
            if (replayed != null) {
                upkeep.flush(replayed);
            }
        }
    }

    /// Brings everything that is in these tablets now to files of their last level, with their
    /// present settings and without what nobody can see any more. Returns when it is done; doing it
    /// again finds nothing to do. UNAVAILABLE when it could not be done.
    public void compact(List<Long> tabletIds) {
        tabletIds.forEach(upkeep::compactFully);
    }

    /// Finishes what is under way. The log and the blobs stay open: they are their owner's.
    @Override
    public void close() {
        upkeep.close();
        writer.close();
    }

    /// Applies and logs a record, and returns when it is durable. Files that it has left without a
    /// name are deleted then.
    void run(CellRecord record) {
        var durable = new CompletableFuture<@Nullable LogException>();
        List<Long> dead;
        lock.lock();
        try {
            dead = applyAndAppend(record, durable);
        } finally {
            lock.unlock();
        }
        awaitDurable(durable);
        dead.forEach(this::delete);
    }

    @GuardedBy("lock")
    private List<Long> applyAndAppend(
            CellRecord record, CompletableFuture<@Nullable LogException> durable) {
        List<Long> dead = state.apply(writer.nextPosition(), record);
        append(RecordCodec.encode(record), 0, durable);
        return dead;
    }

    private void delete(long blobId) {
        try {
            files.delete(blobId);
        } catch (UncheckedIOException e) {
            // Nobody needs it, and the next start tries again.
            LOGGER.log(System.Logger.Level.WARNING, "table " + blobId + " stays behind", e);
        }
    }

    /// Logs the state and gives up the log before what is still needed. Returns the state's bytes.
    long checkpoint() {
        var durable = new CompletableFuture<@Nullable LogException>();
        long neededFrom;
        Bytes saved;
        lock.lock();
        try {
            long position = writer.nextPosition();
            saved = RecordCodec.encode(state.save(position));
            neededFrom = state.neededFrom(position);
            append(saved, 0, durable);
        } finally {
            lock.unlock();
        }
        awaitDurable(durable);
        log.trim(neededFrom);
        state.log().trimmed(neededFrom);
        return saved.length();
    }

    boolean logFailed() {
        return logFailure != null;
    }

    CellState state() {
        return state;
    }

    /// Unlike a commit that was under way when the log failed, this one has certainly not happened.
    void refuseIfLogFailed() {
        LogException failure = logFailure;
        if (failure != null) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell "
                            + id
                            + " takes no writes until the server is started again: "
                            + failure.getMessage());
        }
    }

    private void awaitDurable(CompletableFuture<@Nullable LogException> durable) {
        LogException failure = join(durable);
        if (failure != null) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "the log of cell " + id + " failed: " + failure.getMessage());
        }
    }

    /// Waits for what the log says; the log may have this thread do the work.
    private @Nullable LogException join(CompletableFuture<@Nullable LogException> durable) {
        writer.help();
        return durable.join();
    }

    @GuardedBy("lock")
    private @Nullable CommitResult refuse(
            List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        Long brokenTableId = locks.brokenTableId();
        if (brokenTableId != null) {
            return new Broken(brokenTableId);
        }
        for (TabletWrites part : writes) {
            Tablet tablet = state.tablet(part.tabletId());
            if (tablet == null) {
                return new Gone(part.tabletId());
            }
            if (writeSnapshot != null) {
                for (KeyedChange change : part.changes()) {
                    if (tablet.writtenSince(change.key(), writeSnapshot)) {
                        return new Broken(tablet.tableId());
                    }
                }
            }
        }
        return null;
    }

    @GuardedBy("lock")
    private void breakLocks(TabletWrites part, ReadLocks except) {
        Tablet tablet = state.tablet(part.tabletId());
        if (tablet != null) {
            for (KeyedChange change : part.changes()) {
                tablet.locks().breakLocks(change.key(), except);
            }
        }
    }

    /// The log calls back in order, so `publish` never goes past a commit that is not durable.
    @GuardedBy("lock")
    private void append(
            Bytes record, long timestamp, CompletableFuture<@Nullable LogException> durable) {
        state.log().appended(writer.nextPosition(), record.length());
        writer.appendAwaited(
                record,
                (_, failure) -> {
                    if (failure == null) {
                        snapshots.publish(timestamp);
                    } else {
                        logFailure = failure;
                    }
                    durable.complete(failure);
                });
    }
}
