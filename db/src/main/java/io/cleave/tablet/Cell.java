package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.codec.RowReader;
import io.cleave.log.Log;
import io.cleave.log.OnDamage;
import io.cleave.lsm.row.ChangeCursor;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TableFiles.CacheStatistics;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.tablet.commit.CellLinks;
import io.cleave.tablet.commit.CommitResult;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.pace.MemtableBudget;
import io.cleave.tablet.record.CellRecord.Configure;
import io.cleave.tablet.record.CellRecord.CreateTablets;
import io.cleave.tablet.record.CellRecord.DropTablets;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.time.Timeline;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The leader of a cell: puts commits in order, logs them, and makes them visible when they are
/// durable. Names the parts that do so and gives each what it needs; the order of changes and the
/// rules of the log are in [CellJournal].
///
/// Threads: any.
public final class Cell implements CellService, BlobReferences.User, AutoCloseable {
    /// The id of the cell that holds the catalog.
    public static final long SYSTEM_ID = CellJournal.SYSTEM_ID;

    // ---- constant after construction; each part synchronises itself

    private final long id;
    private final TableFiles files;
    private final Set<String> media;

    /// Asks the timeline for the newest timestamp; kept so that a read makes no object for it.
    private final LongSupplier newest;

    private final Env env;
    private final CellJournal journal;
    private final CellState state;
    private final UpkeepSignals signals;
    private final Flusher flusher;
    private final Admission admission;
    private final Compactor compactor;
    private final CellUpkeep upkeep;
    private final CellTransactions transactions;
    private final CellCommits commits;
    private final CellResharding resharding;
    private final RangeChanges ranges;

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
        journal.references().removeOrphans(List.of(this));
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
        this.env = env;
        files = references.files().ofCell(id);
        media = files.blobs().media();
        newest = timeline::newest;
        journal = new CellJournal(id, log, references, timeline, options, env, onDamage);
        state = journal.state();
        signals = new UpkeepSignals(journal, background.gate(), env);
        flusher = new Flusher(journal, options, background, signals, env);
        compactor = new Compactor(journal, background, flusher, signals, env);
        MemtableBudget budget = background.budget();
        admission = new Admission(journal, options, budget, flusher, signals, env);
        var waits = new CellWaits(journal, signals, env);
        transactions = new CellTransactions(journal, waits, admission, flusher, env);
        commits = new CellCommits(journal, waits, transactions.holds(), admission, flusher);
        resharding =
                new CellResharding(
                        journal, waits, flusher, signals, tablet -> new Route(this, tablet));
        ranges = new RangeChanges(journal, waits, admission, compactor, signals);
        var ending = new TransactionUpkeep(journal, transactions, env);
        upkeep = new CellUpkeep(id, flusher, compactor, ending, budget, signals, env);
    }

    /// The cell of a route in this process, for those who measure and change its tablets.
    public static Cell of(Route route) {
        return (Cell) route.cell();
    }

    /// Starts flushes and compactions.
    public void start() {
        upkeep.start();
    }

    @Override
    public void checkNotFenced() {
        journal.checkNotFenced();
    }

    Log log() {
        return journal.log();
    }

    /// The newest timestamp in the log.
    public long newestTimestamp() {
        return state.maxTimestamp();
    }

    /// Another cell knows of a transaction at this timestamp, and this cell has lost its part of
    /// it. The cell continues as if it had reached the timestamp, so that the next start does not
    /// report the same loss again.
    public void acceptLoss(long timestamp) {
        journal.reached(timestamp);
        checkpoint();
    }

    /// Table files that this cell was opened without.
    public List<LostFile> lostFiles() {
        return journal.lostFiles();
    }

    /// When this returns, the log no longer names the lost files.
    public void acceptLostFiles() {
        if (!lostFiles().isEmpty()) {
            checkpoint();
        }
    }

    @Override
    public long id() {
        return id;
    }

    /// The timeline that all cells of the node share.
    public Timeline timeline() {
        return journal.timeline();
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
        return state.liveTablets();
    }

    /// Tablets that were on their way to other cells when the log ended, or are now.
    public List<DetachedTablet> detached() {
        return state.detached();
    }

    @Override
    public Value @Nullable [] getNewest(Route route, Bytes key, RowReader columns)
            throws MovedException {
        Row row = route.current().getNewest(key, columns.stored(), newest);
        return row == null ? null : columns.read(row);
    }

    @Override
    public Value @Nullable [] get(
            Route route, Bytes key, RowReader columns, long snapshot, @Nullable LockOwner owner)
            throws MovedException {
        Row row = route.current().read(key, columns.stored(), snapshot, (ReadLocks) owner);
        return row == null ? null : columns.read(row);
    }

    @Override
    public Value[] @Nullable [] getMany(
            Route route,
            List<Bytes> keys,
            RowReader columns,
            long snapshot,
            @Nullable LockOwner owner)
            throws MovedException {
        ReadLocks locks = (ReadLocks) owner;
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
            @Nullable LockOwner owner)
            throws MovedException {
        ReadLocks locks = (ReadLocks) owner;
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
            @Nullable LockOwner owner)
            throws MovedException {
        ReadLocks locks = (ReadLocks) owner;
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
            @Nullable LockOwner owner,
            long partBytes)
            throws MovedException {
        ReadLocks locks = (ReadLocks) owner;
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
            List<TabletWrites> writes, @Nullable LockOwner owner, @Nullable Long writeSnapshot) {
        return commits.commit(writes, ReadLocks.of(owner), writeSnapshot);
    }

    @Override
    public boolean commitLater(
            List<TabletWrites> writes, @Nullable LockOwner owner, Consumer<CommitResult> ended) {
        return commits.commitLater(writes, ReadLocks.of(owner), ended);
    }

    @Override
    public void countLocks(long ownerId) {
        state.locks().find(ownerId).countAll();
    }

    @Override
    public void releaseLocks(long ownerId) {
        state.locks().find(ownerId).release();
    }

    @Override
    public CellLinks links() {
        return transactions.links();
    }

    @Override
    public boolean isHeldBack() {
        return admission.isHeldBack();
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
        signals.checkWritable();
        Tablet tablet = state.tablet(tabletId);
        if (tablet == null) {
            throw new StatusException(
                    Status.UNAVAILABLE, "tablet %d is not in cell %d".formatted(tabletId, id));
        }
        return new LocalBulkLoad(ranges, flusher, timeline(), tablet, files);
    }

    /// Announces a load of rows that are older than all rows of this table. Until it ends, the
    /// tablets of the table keep all files on level 0, so that the loaded files can go below them.
    public void awaitLoad(long tableId) {
        compactor.awaitLoad(tableId);
    }

    /// The announced load has finished, or will not come.
    public void endLoad(long tableId) {
        compactor.endLoad(tableId);
    }

    /// The queues that receive the changes written to this cell.
    public ChangeQueues changeQueues() {
        return state.changeQueues();
    }

    /// Blocks the cell for at most this long, as if it hung. For tests and measurements.
    public CellFreeze freeze(Duration most) {
        return CellFreeze.begin(id, journal.lock(), most, env);
    }

    /// What a read replica of this cell needs.
    ReplicaSource replicaSource() {
        return new ReplicaSource(id, log(), journal::nextPosition, journal.references());
    }

    /// Temporary files for sorting many rows.
    public Spool newSpool() {
        return new Spool(files);
    }

    /// Splits a tablet. The children cover its range, in key order. Returns when the split is
    /// durable; the children take reads and writes earlier.
    public List<Route> split(long tabletId, List<TabletSpec> children) {
        return resharding.split(tabletId, children);
    }

    /// Merges neighbouring tablets, given in key order, into one.
    public Route merge(List<Long> tabletIds, TabletSpec merged) {
        return resharding.merge(tabletIds, merged);
    }

    /// Moves a tablet to another cell. Returns when the tablet is durable there. This cell keeps
    /// the tablet as detached until it is dropped here.
    public Route moveTo(Cell target, long tabletId) {
        return new TabletMove(resharding, target.resharding, tabletId, env).run();
    }

    /// Cancels the move of a detached tablet: the tablet stays here.
    public void resume(long tabletId) {
        resharding.resume(tabletId);
    }

    CellResharding resharding() {
        return resharding;
    }

    public void createTablets(List<TabletSpec> tablets) {
        journal.run(new CreateTablets(tablets));
    }

    /// Files written from now on have these settings. Existing files get them when they are
    /// compacted.
    public void configure(List<Long> tabletIds, TreeSettings settings) {
        journal.run(new Configure(tabletIds, settings));
    }

    /// Drops the tablets, and deletes their files unless another tablet uses them too.
    public void dropTablets(List<Long> tabletIds) {
        if (journal.references().isSettingAside()) {
            flush(tabletIds.stream().filter(this::isStaying).toList());
        }
        journal.run(new DropTablets(tabletIds));
    }

    private boolean isStaying(long tabletId) {
        HostedTablet hosted = state.hosted(tabletId);
        return hosted != null && hosted.departure() == null;
    }

    /// Writes the current memtables of these tablets to files. Returns when the files belong to the
    /// tablets.
    public void flush(List<Long> tabletIds) {
        flusher.flush(tabletIds);
    }

    /// Compacts everything that is in these tablets now into files of the last level, with the
    /// current settings and without versions that no snapshot can see. Returns when it is done; a
    /// second call finds nothing to do. Throws UNAVAILABLE if the compaction could not be done.
    public void compact(List<Long> tabletIds) {
        tabletIds.forEach(compactor::compactFully);
    }

    /// Announces that the cell is going to be closed. From now on a stalled log is given up, and
    /// every thread that waits for it gets an error. A record that the log has not acknowledged may
    /// or may not be there at the next start, as after a crash.
    public void endWhenStalled() {
        journal.endWhenStalled();
    }

    /// Finishes the work in progress, unless the log stalls. Does not close the log or the blobs;
    /// they belong to their owner.
    @Override
    public void close() {
        endWhenStalled();
        upkeep.close();
        journal.close();
    }

    /// Logs the state and trims the log before the first record that is still needed.
    void checkpoint() {
        var _ = journal.checkpoint();
    }

    CellJournal journal() {
        return journal;
    }

    CellState state() {
        return state;
    }
}
