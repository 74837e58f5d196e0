package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;
import io.cleave.lsm.Slice;
import io.cleave.lsm.TableFiles;
import io.cleave.lsm.TableFiles.CacheStatistics;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.CellRecord.Configure;
import io.cleave.tablet.CellRecord.CreateTablets;
import io.cleave.tablet.CellRecord.DropTablets;
import io.cleave.tablet.CellRecord.Resume;
import io.cleave.tablet.CommitResult.Broken;
import io.cleave.tablet.CommitResult.Done;
import io.cleave.tablet.CommitResult.Gone;
import io.cleave.tablet.CommitResult.Lost;
import io.cleave.tablet.TabletWrites.KeyedChange;
import io.cleave.tablet.Timeline.Moment;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

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

    /// How exactly the log is measured.
    private static final int LOG_MARKS = 1024;

    private final long id;
    private final Log log;
    private final TableFiles files;
    private final BlobReferences references;
    private final Set<String> media;
    private final Timeline timeline;
    private final Env env;
    private final CellState state;
    private final LogWriter writer;
    private final CellUpkeep upkeep;

    private final CellWaits waits;
    private final CellTransactions transactions;
    private final CellCommits commits;
    private final TabletChanges changes;
    private final RangeChanges ranges;

    /// Tables; see [#awaitLoad].
    private final Set<Long> awaitingLoad = ConcurrentHashMap.newKeySet();

    /// A log that stalls is not waited for any more.
    private volatile boolean isEnding;

    /// Orders what is applied and appended: both happen under it, so log and memory agree.
    private final ReentrantLock lock = new ReentrantLock();

    /// A cell that has its files to itself, opened and started.
    public Cell(
            long id,
            Log log,
            TableFiles files,
            Timeline timeline,
            CellOptions options,
            Background background,
            Env env) {
        this(id, log, new BlobReferences(files), timeline, options, background, env);
        references.removeOrphans(List.of(this));
        start();
    }

    /// Opens a cell that shares its files with others: replays its log, fencing whoever wrote it
    /// before. When all of them are open, orphans may be removed and the cells be started.
    public Cell(
            long id,
            Log log,
            BlobReferences references,
            Timeline timeline,
            CellOptions options,
            Background background,
            Env env) {
        this.id = id;
        this.log = log;
        this.references = references;
        files = references.files().ofCell(id);
        media = files.blobs().media();
        this.timeline = timeline;
        writer = log.openWriter();
        var meter = new LogMeter(options.replayBytes() / LOG_MARKS);
        this.env = env;
        state = new CellState(id, references, meter, env);
        CellReplay.run(log, state);
        timeline.skipPast(Math.max(state.maxTimestamp(), state.transactions().newest()));
        upkeep = new CellUpkeep(this, options, background, env);
        waits = new CellWaits(lock, env, upkeep::checkWritable);
        changes = new TabletChanges(this, lock, waits, writer);
        ranges = new RangeChanges(this, lock, waits, writer, upkeep);
        transactions = new CellTransactions(this, lock, waits, env);
        commits = new CellCommits(this, lock, waits, writer, upkeep);
        writer.whileStalled(this::stalled);
    }

    private void stalled(String why) {
        timeline.stall(new LogException(why, null), () -> writer.stall().isPresent());
        if (isEnding) {
            // Whoever waits for what was appended waits no more.
            writer.close();
        }
    }

    /// The cell flushes and compacts from now on.
    public void start() {
        upkeep.start();
    }

    /// Throws a [LogException] if another process writes the log by now.
    void checkNotFenced() {
        writer.checkNotFenced();
    }

    Log log() {
        return log;
    }

    /// Others know of a transaction at this time, of which this cell has lost its part. It goes on
    /// as one that has reached that time, and does not look as if it had lost something again.
    public void acceptLoss(long timestamp) {
        lock.lock();
        try {
            state.reached(timestamp);
        } finally {
            lock.unlock();
        }
        checkpoint();
    }

    public long id() {
        return id;
    }

    /// The line of time that it shares with all other cells of the node.
    public Timeline timeline() {
        return timeline;
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

    /// Those whose keys are here; not those that are retired.
    public List<Tablet> tablets() {
        return state.tablets().stream()
                .map(replayed -> replayed.tablet)
                .filter(tablet -> tablet.successors().isEmpty())
                .toList();
    }

    /// Tablets that were on their way to other cells when the log ended, or still are.
    public List<Detached> detached() {
        return state.detached();
    }

    /// A tablet that goes to another cell, with the epoch that it has there.
    public record Detached(long tabletId, long tableId, long targetCellId, long epoch) {}

    /// Commits writes to any tablets of this cell as one record, and returns when it is durable and
    /// visible. `locks` must be whole; with a `writeSnapshot` no key may have been written after
    /// it.
    public CommitResult commit(
            List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        return commits.commit(writes, locks, writeSnapshot);
    }

    /// As [#commit], without waiting: `ended` is called when the commit is durable and visible, or
    /// when nobody knows, on the thread of the log. False when it would have to wait for anything
    /// else, or be refused; then nothing has happened.
    public boolean commitLater(
            List<TabletWrites> writes, ReadLocks locks, Consumer<CommitResult> ended) {
        return commits.commitLater(writes, locks, ended);
    }

    /// A change of the state broke off before its record was appended: memory and log differ, and a
    /// moment may never end. Nothing more is taken then, as when the log fails.
    void brokeOff(Throwable e) {
        timeline.fail(new LogException("a change was made and not logged: " + e, e));
    }

    /// Waits until the moment is visible.
    CommitResult result(Moment moment) {
        return result(moment, moment.await());
    }

    CommitResult result(Moment moment, @Nullable LogException failure) {
        return failure == null ? new Done(moment.timestamp()) : new Lost(failed(failure));
    }

    String failed(LogException failure) {
        return "the log of cell " + id + " failed: " + failure.getMessage();
    }

    /// So many bytes went to memtables.
    void appended(long bytes) {
        upkeep.appended(bytes);
    }

    /// There may be something to flush or compact.
    void wakeUpkeep() {
        upkeep.wake();
    }

    /// Returns when there is room for the writes.
    void admit(List<TabletWrites> writes) {
        admit(writes, RecordCodec.enoughFor(writes));
    }

    void admit(List<TabletWrites> writes, int recordBytes) {
        try {
            state.followers().admit(writes, state::tablet, env);
            upkeep.admit(writes, recordBytes);
        } catch (StatusException e) {
            for (TabletWrites part : writes) {
                Tablet tablet = state.tablet(part.tabletId());
                if (tablet != null && e.status() == Status.OVERLOADED) {
                    tablet.transactions().rejected();
                }
            }
            throw e;
        }
    }

    /// Its side of transactions over several cells.
    public CellTransactions transactions() {
        return transactions;
    }

    /// Erases all rows of a range of one tablet, in a time that does not depend on how many there
    /// are. Returns when it is durable and visible.
    public CommitResult eraseRange(long tabletId, KeyRange range) {
        return ranges.erase(tabletId, range);
    }

    public RangeChanges ranges() {
        return ranges;
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

    /// Rows of this table are awaited that are older than all it has: until they have come, its
    /// tablets keep everything on level 0, so that there is room below.
    public void awaitLoad(long tableId) {
        awaitingLoad.add(tableId);
    }

    /// They have come, or will not.
    public void endLoad(long tableId) {
        awaitingLoad.remove(tableId);
        upkeep.wake();
    }

    boolean awaitsLoad(Tablet tablet) {
        return !awaitingLoad.isEmpty() && awaitingLoad.contains(tablet.tableId());
    }

    /// Who is told of what is written here.
    public ChangeQueues followers() {
        return state.followers();
    }

    /// Holds it up for at most so long, as if it hung: for tests and measurements.
    public CellFreeze freeze(Duration most) {
        return CellFreeze.begin(id, lock, most, env);
    }

    /// What those may touch who read behind it.
    ReadReplica.Source replicaSource() {
        return new ReadReplica.Source(id, log, writer::nextPosition, references);
    }

    /// A place to sort many rows in.
    public Spool newSpool() {
        return new Spool(files);
    }

    /// Cuts a tablet: the children have its range, in key order. Returns when it is durable; they
    /// take reads and writes before that.
    public List<Route> split(long tabletId, List<TabletSpec> children) {
        return changes.split(tabletId, children);
    }

    /// Makes one tablet of neighbours, given in key order.
    public Route merge(List<Long> tabletIds, TabletSpec merged) {
        return changes.merge(tabletIds, merged);
    }

    /// Brings a tablet to another cell; returns when it is durable there. This cell keeps it as
    /// detached, until it is dropped here.
    public Route moveTo(Cell target, long tabletId) {
        return new TabletMove(this, target, tabletId, env).run();
    }

    /// A detached tablet stays here after all.
    public void resume(long tabletId) {
        for (Detached detached : detached()) {
            if (detached.tabletId() == tabletId) {
                run(new Resume(tabletId, detached.epoch() + 1));
                changes.unseal(tabletId);
            }
        }
    }

    TabletChanges changes() {
        return changes;
    }

    private @Nullable Tablet live(long tabletId) {
        return state.live(tabletId);
    }

    /// Whether one of the tablets is on its way to another cell. The lock is held.
    boolean isSealed(List<TabletWrites> writes) {
        for (TabletWrites part : writes) {
            if (isSealed(part.tabletId())) {
                return true;
            }
        }
        return false;
    }

    private boolean isSealed(long tabletId) {
        Tablet tablet = state.tablet(tabletId);
        return tablet != null && tablet.isSealed();
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
            Replayed replayed = state.replayed(tabletId);
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

    /// The cell is going to be closed. From now on a log that stalls is given up, and everyone is
    /// told who waits for it, for as long as it might take: what it has not acknowledged may be
    /// there at the next start or not, as after a crash.
    public void endWhenStalled() {
        isEnding = true;
    }

    /// Finishes what is under way, unless the log stalls. The log and the blobs stay open: they are
    /// their owner's.
    @Override
    public void close() {
        endWhenStalled();
        upkeep.close();
        writer.close();
    }

    /// Applies and logs a record, and returns when it is durable. Files that it has left without a
    /// name are deleted then.
    void run(CellRecord record) {
        var durable = new CompletableFuture<@Nullable LogException>();
        List<Slice> ended;
        lock.lock();
        try {
            ended = applyAndAppend(record, durable);
        } finally {
            lock.unlock();
        }
        awaitDurable(durable);
        references.remove(ended);
    }

    /// The same with a record about files that were written for this tablet. If it has gone
    /// meanwhile, and be it that another of the same id has come, they are deleted instead.
    void run(CellRecord record, Replayed tablet, List<Slice> written) {
        var durable = new CompletableFuture<@Nullable LogException>();
        List<Slice> ended;
        lock.lock();
        try {
            if (state.replayed(tablet.tablet.id()) == tablet) {
                ended = applyAndAppend(record, durable);
            } else {
                ended = state.unwanted(written);
                durable.complete(null);
            }
        } finally {
            lock.unlock();
        }
        awaitDurable(durable);
        references.remove(ended);
    }

    /// The lock is held.
    List<Slice> applyAndAppend(
            CellRecord record, CompletableFuture<@Nullable LogException> durable) {
        Bytes encoded = RecordCodec.encode(record);
        try {
            List<Slice> ended = state.apply(writer.nextPosition(), record);
            append(encoded, durable::complete);
            return ended;
        } catch (RuntimeException | Error e) {
            brokeOff(e);
            throw e;
        }
    }

    /// Logs the state and gives up the log before what is still needed. Returns the state's bytes.
    long checkpoint() {
        var durable = new CompletableFuture<@Nullable LogException>();
        long neededFrom;
        Bytes saved;
        lock.lock();
        try {
            long from = writer.nextPosition();
            if (!state.transactions().isEmpty()) {
                append(RecordCodec.encode(state.transactions().save()), _ -> {});
            }
            long position = writer.nextPosition();
            saved = RecordCodec.encode(state.save(position));
            neededFrom = Math.min(from, state.neededFrom(position));
            append(saved, durable::complete);
        } finally {
            lock.unlock();
        }
        awaitDurable(durable);
        log.trim(neededFrom);
        state.log().trimmed(neededFrom);
        return saved.length();
    }

    boolean logFailed() {
        return timeline.failure() != null;
    }

    CellState state() {
        return state;
    }

    /// Unlike a commit that was under way when the log failed, this one has certainly not happened.
    void refuseIfLogFailed() {
        LogException failure = timeline.failure();
        if (failure != null) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell "
                            + id
                            + " takes no writes until the server is started again: "
                            + failure.getMessage());
        }
    }

    /// As above, but it passes without help. The log of another cell is as good a reason.
    void refuseIfLogStalls() {
        Optional<String> stall = writer.stall().or(timeline::stalled);
        if (stall.isPresent()) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "cell %d takes no writes for now: %s".formatted(id, stall.get()));
        }
    }

    void awaitDurable(CompletableFuture<@Nullable LogException> durable) {
        LogException failure = join(durable);
        if (failure != null) {
            throw new StatusException(Status.UNAVAILABLE, failed(failure));
        }
    }

    @Nullable LogException join(CompletableFuture<@Nullable LogException> durable) {
        return durable.join();
    }

    /// Why a transaction cannot be committed as things are. The lock is held.
    @Nullable CommitResult refuse(
            List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        Long brokenTableId = locks.brokenTableId();
        if (brokenTableId != null) {
            return new Broken(brokenTableId);
        }
        for (TabletWrites part : writes) {
            Tablet tablet = live(part.tabletId());
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

    /// The lock is held.
    void breakLocks(TabletWrites part, @Nullable ReadLocks except) {
        Tablet tablet = state.tablet(part.tabletId());
        if (tablet != null) {
            for (KeyedChange change : part.changes()) {
                tablet.locks().breakLocks(change.key(), except);
            }
        }
    }

    /// A moment's end is the record's: it may be seen when it is durable. The lock is held.
    void append(Bytes record, Moment moment) {
        append(
                record,
                failure -> {
                    if (failure == null) {
                        timeline.end(moment);
                    }
                });
    }

    /// The lock is held. `ended` must not take it.
    void append(Bytes record, Consumer<@Nullable LogException> ended) {
        state.log().appended(writer.nextPosition(), record.length());
        writer.append(
                record,
                (_, failure) -> {
                    if (failure != null) {
                        timeline.fail(failure);
                    }
                    ended.accept(failure);
                });
    }
}
