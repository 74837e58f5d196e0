package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.LogWriter;
import io.cleave.log.OnDamage;
import io.cleave.lsm.ChangeCursor;
import io.cleave.lsm.Row;
import io.cleave.lsm.RowCursor;
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
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The leader of a cell: puts commits in order, logs them, and makes them visible when they are
/// durable.
///
/// A commit enters the memtables when it gets its place in the log. Its timestamp is newer than all
/// snapshots. It becomes visible, in log order, when the log reports it durable. After a log
/// failure the cell takes no more writes. So readers only ever see what is durable.
///
/// Threads: any. `lock` orders commits; readers do not take it.
public final class Cell implements CellService, AutoCloseable {
    /// The id of the cell that holds the catalog.
    public static final long SYSTEM_ID = 0;

    /// The precision of the log meter: `replayBytes` of log have this many marks.
    private static final int LOG_MARKS = 1024;

    private final long id;
    private final Log log;
    private final TableFiles files;
    private final BlobReferences references;
    private final Set<String> media;
    private final Timeline timeline;

    /// Asks the timeline for the newest timestamp; kept so that a read makes no object for it.
    private final LongSupplier newest;

    private final Env env;
    private final CellState state;

    /// Files that the replay could not open.
    private final List<LostFile> lostFiles;

    private final LogWriter writer;
    private final CellUpkeep upkeep;

    private final CellWaits waits;
    private final CellTransactions transactions;
    private final CellCommits commits;
    private final TabletChanges changes;
    private final RangeChanges ranges;

    /// Ids of tables; see [#awaitLoad].
    private final Set<Long> awaitingLoad = ConcurrentHashMap.newKeySet();

    /// Set when the cell is about to close: then nobody waits for a stalled log any more.
    private volatile boolean isEnding;

    /// Records are applied and appended under this lock, so that log and memory agree.
    private final ReentrantLock lock = new ReentrantLock();

    /// Opens and starts a cell that shares its files with no other cell.
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

    /// Opens a cell that refuses to start if a table file is missing or damaged.
    public Cell(
            long id,
            Log log,
            BlobReferences references,
            Timeline timeline,
            CellOptions options,
            Background background,
            Env env) {
        this(id, log, references, timeline, options, background, env, OnDamage.REFUSE);
    }

    /// Opens a cell that shares its files with others. Replays its log and fences the previous
    /// writer of the log. When all cells that share the files are open, orphans may be removed and
    /// the cells may be started.
    ///
    /// @param onDamage whether to continue without table files that cannot be opened
    public Cell(
            long id,
            Log log,
            BlobReferences references,
            Timeline timeline,
            CellOptions options,
            Background background,
            Env env,
            OnDamage onDamage) {
        this.id = id;
        this.log = log;
        this.references = references;
        files = references.files().ofCell(id);
        media = files.blobs().media();
        this.timeline = timeline;
        newest = timeline::newest;
        writer = log.openWriter();
        var meter = new LogMeter(options.replayBytes() / LOG_MARKS);
        this.env = env;
        state = new CellState(id, references, meter, env);
        var lost = new LostFiles(files, onDamage);
        CellReplay.run(log, state, lost);
        lostFiles = lost.found();
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
            // Releases the threads that wait for appended records.
            writer.close();
        }
    }

    /// Starts flushes and compactions.
    public void start() {
        upkeep.start();
    }

    /// Throws a [LogException] if another process has taken over the log.
    void checkNotFenced() {
        writer.checkNotFenced();
    }

    Log log() {
        return log;
    }

    /// The newest timestamp in the log.
    public long newestTimestamp() {
        return state.maxTimestamp();
    }

    /// Another cell knows of a transaction at this timestamp, and this cell has lost its part of
    /// it. The cell continues as if it had reached the timestamp, so that the next start does not
    /// report the same loss again.
    public void acceptLoss(long timestamp) {
        lock.lock();
        try {
            state.reached(timestamp);
        } finally {
            lock.unlock();
        }
        checkpoint();
    }

    /// Table files that this cell was opened without.
    public List<LostFile> lostFiles() {
        return lostFiles;
    }

    /// When this returns, the log no longer names the lost files.
    public void acceptLostFiles() {
        if (!lostFiles.isEmpty()) {
            checkpoint();
        }
    }

    @Override
    public long id() {
        return id;
    }

    /// The timeline that all cells of the node share.
    public Timeline timeline() {
        return timeline;
    }

    /// The names of the media that files of its tablets may lie on.
    public Set<String> media() {
        return media;
    }

    /// Statistics of the block cache that all tablets share.
    public CacheStatistics cacheStatistics() {
        return files.cacheStatistics();
    }

    /// The tablet of this id, or null when the cell has none.
    public @Nullable Tablet tablet(long tabletId) {
        return state.tablet(tabletId);
    }

    /// The tablets that serve keys here, without retired ones.
    public List<Tablet> tablets() {
        return state.tablets().stream()
                .map(replayed -> replayed.tablet)
                .filter(tablet -> tablet.successors().isEmpty())
                .toList();
    }

    /// Tablets that were on their way to other cells when the log ended, or are now.
    public List<Detached> detached() {
        return state.detached();
    }

    /// A tablet that moves to another cell, with its epoch in the target cell.
    public record Detached(long tabletId, long tableId, long targetCellId, long epoch) {}

    @Override
    public Value @Nullable [] getNewest(Route route, Bytes key, RowReader columns)
            throws MovedException {
        Row row = route.current().getNewest(key, columns.stored(), newest);
        return row == null ? null : columns.read(row);
    }

    @Override
    public Value @Nullable [] get(
            Route route, Bytes key, RowReader columns, long snapshot, @Nullable ReadLocks locks)
            throws MovedException {
        Row row = route.current().read(key, columns.stored(), snapshot, locks);
        return row == null ? null : columns.read(row);
    }

    @Override
    public Value[] @Nullable [] getMany(
            Route route,
            List<Bytes> keys,
            RowReader columns,
            long snapshot,
            @Nullable ReadLocks locks)
            throws MovedException {
        Tablet tablet = route.current();
        Value[] @Nullable [] rows = new Value[keys.size()] @Nullable [];
        for (int index = 0; index < rows.length; index++) {
            Row row = tablet.read(keys.get(index), columns.stored(), snapshot, locks);
            rows[index] = row == null ? null : columns.read(row);
        }
        return rows;
    }

    @Override
    public RowScan scan(
            Route route,
            KeyRange range,
            Direction direction,
            RowReader columns,
            long snapshot,
            @Nullable ReadLocks locks)
            throws MovedException {
        Tablet tablet = route.current();
        tablet.lockRange(range, locks);
        RowCursor cursor = tablet.scan(range, columns.stored(), snapshot, direction, locks);
        return new LocalRowScan(tablet, cursor, columns);
    }

    @Override
    public ColumnScan scanColumns(
            Route route,
            KeyRange range,
            RowReader columns,
            long snapshot,
            @Nullable ReadLocks locks)
            throws MovedException {
        Tablet tablet = route.current();
        tablet.lockRange(range, locks);
        return columnScan(tablet, range, columns, snapshot, locks);
    }

    @Override
    public List<ColumnScan> scanParts(
            Route route,
            KeyRange range,
            RowReader columns,
            long snapshot,
            @Nullable ReadLocks locks,
            long partBytes)
            throws MovedException {
        Tablet tablet = route.current();
        tablet.lockRange(range, locks);
        KeyRange whole = range.intersection(tablet.range());
        List<ColumnScan> parts = new ArrayList<>();
        Bytes from = whole.from();
        for (Bytes cut : tablet.cuts(whole, partBytes)) {
            parts.add(columnScan(tablet, new KeyRange(from, cut), columns, snapshot, locks));
            from = cut;
        }
        parts.add(columnScan(tablet, new KeyRange(from, whole.to()), columns, snapshot, locks));
        return parts;
    }

    private static ColumnScan columnScan(
            Tablet tablet,
            KeyRange range,
            RowReader columns,
            long snapshot,
            @Nullable ReadLocks locks) {
        RowCursor cursor = tablet.scan(range, columns.stored(), snapshot, Direction.FORWARD, locks);
        return new LocalColumnScan(tablet, cursor, columns);
    }

    @Override
    public List<ChangedKey> changes(Route route, KeyRange range, long after, long through, int most)
            throws MovedException {
        ChangeCursor cursor = route.current().changes(range, after, through);
        List<ChangedKey> changed = new ArrayList<>();
        while (changed.size() < most && cursor.next()) {
            changed.add(new ChangedKey(cursor.key(), cursor.timestamps()));
        }
        return changed;
    }

    @Override
    public CommitResult commit(
            List<TabletWrites> writes, ReadLocks locks, @Nullable Long writeSnapshot) {
        return commits.commit(writes, locks, writeSnapshot);
    }

    @Override
    public boolean commitLater(
            List<TabletWrites> writes, ReadLocks locks, Consumer<CommitResult> ended) {
        return commits.commitLater(writes, locks, ended);
    }

    /// A change of the state failed before its record was appended. Memory and log now differ, and
    /// a moment may never end. The cell takes no more writes, as after a log failure.
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

    /// Reports bytes that went into memtables.
    void appended(long bytes) {
        upkeep.appended(bytes);
    }

    /// Wakes the background thread: there may be something to flush or compact.
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

    @Override
    public CellLinks links() {
        return transactions.links();
    }

    @Override
    public boolean isHeldBack() {
        return upkeep.isHeldBack();
    }

    /// This cell's side of multi-cell transactions.
    public CellTransactions transactions() {
        return transactions;
    }

    /// Erases all rows of a key range of one tablet. The time this takes does not depend on the
    /// number of rows. Returns when the erase is durable and visible.
    public CommitResult eraseRange(long tabletId, KeyRange range) {
        return ranges.erase(tabletId, range);
    }

    public RangeChanges ranges() {
        return ranges;
    }

    @Override
    public BulkLoad bulkLoad(long tabletId) {
        upkeep.checkWritable();
        Tablet tablet = state.tablet(tabletId);
        if (tablet == null) {
            throw new StatusException(
                    Status.UNAVAILABLE, "tablet %d is not in cell %d".formatted(tabletId, id));
        }
        return new BulkLoad(this, tablet, files);
    }

    /// Announces a load of rows that are older than all rows of this table. Until it ends, the
    /// tablets of the table keep all files on level 0, so that the loaded files can go below them.
    public void awaitLoad(long tableId) {
        awaitingLoad.add(tableId);
    }

    /// The announced load has finished, or will not come.
    public void endLoad(long tableId) {
        awaitingLoad.remove(tableId);
        upkeep.wake();
    }

    boolean awaitsLoad(Tablet tablet) {
        return !awaitingLoad.isEmpty() && awaitingLoad.contains(tablet.tableId());
    }

    /// The queues that receive the changes written to this cell.
    public ChangeQueues followers() {
        return state.followers();
    }

    /// Blocks the cell for at most this long, as if it hung. For tests and measurements.
    public CellFreeze freeze(Duration most) {
        return CellFreeze.begin(id, lock, most, env);
    }

    /// What a read replica of this cell needs.
    ReadReplica.Source replicaSource() {
        return new ReadReplica.Source(id, log, writer::nextPosition, references);
    }

    /// Temporary files for sorting many rows.
    public Spool newSpool() {
        return new Spool(files);
    }

    /// Splits a tablet. The children cover its range, in key order. Returns when the split is
    /// durable; the children take reads and writes earlier.
    public List<Route> split(long tabletId, List<TabletSpec> children) {
        return changes.split(tabletId, children);
    }

    /// Merges neighbouring tablets, given in key order, into one.
    public Route merge(List<Long> tabletIds, TabletSpec merged) {
        return changes.merge(tabletIds, merged);
    }

    /// Moves a tablet to another cell. Returns when the tablet is durable there. This cell keeps
    /// the tablet as detached until it is dropped here.
    public Route moveTo(Cell target, long tabletId) {
        return new TabletMove(this, target, tabletId, env).run();
    }

    /// Cancels the move of a detached tablet: the tablet stays here.
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

    /// Files written from now on have these settings. Existing files get them when they are
    /// compacted.
    public void configure(List<Long> tabletIds, TreeSettings settings) {
        run(new Configure(tabletIds, settings));
    }

    /// Drops the tablets, and deletes their files unless another tablet uses them too.
    public void dropTablets(List<Long> tabletIds) {
        if (references.isSettingAside()) {
            flush(tabletIds.stream().filter(this::isStaying).toList());
        }
        run(new DropTablets(tabletIds));
    }

    private boolean isStaying(long tabletId) {
        Replayed replayed = state.replayed(tabletId);
        return replayed != null && replayed.departure() == null;
    }

    /// Writes the current memtables of these tablets to files. Returns when the files belong to the
    /// tablets.
    public void flush(List<Long> tabletIds) {
        for (long tabletId : tabletIds) {
            Replayed replayed = state.replayed(tabletId);
            if (replayed != null) {
                upkeep.flush(replayed);
            }
        }
    }

    /// Compacts everything that is in these tablets now into files of the last level, with the
    /// current settings and without versions that no snapshot can see. Returns when it is done; a
    /// second call finds nothing to do. Throws UNAVAILABLE if the compaction could not be done.
    public void compact(List<Long> tabletIds) {
        tabletIds.forEach(upkeep::compactFully);
    }

    /// Announces that the cell is going to be closed. From now on a stalled log is given up, and
    /// every thread that waits for it gets an error. A record that the log has not acknowledged may
    /// or may not be there at the next start, as after a crash.
    public void endWhenStalled() {
        isEnding = true;
    }

    /// Finishes the work in progress, unless the log stalls. Does not close the log or the blobs;
    /// they belong to their owner.
    @Override
    public void close() {
        endWhenStalled();
        upkeep.close();
        writer.close();
    }

    /// Applies and logs a record, and returns when it is durable. Then deletes the files that lost
    /// their last reference through it.
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

    /// Applies and logs a record about files that were written for this tablet, and returns when it
    /// is durable. If the tablet is gone, or was replaced by one with the same id, the files are
    /// deleted instead.
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

    /// Logs the state and trims the log before the first record that is still needed. Returns the
    /// size of the state in bytes.
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

    /// Throws UNAVAILABLE if the log has failed. The request has then certainly not happened,
    /// unlike a commit that was in progress when the log failed.
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

    /// Throws UNAVAILABLE while the log of this or of another cell stalls. A stall ends without
    /// help.
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

    /// The reason why a transaction cannot be committed now, or null. The lock is held.
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

    /// Ends the moment when the record is durable; then the commit may become visible. The lock is
    /// held.
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
