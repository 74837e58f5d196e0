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
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowVersion;
import io.cleave.schema.VersionLimits;
import io.cleave.tablet.lock.LockOwner;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.pace.MemtableBudget;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.time.Timeline;
import io.cleave.value.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /// Asks the timeline for the newest timestamp; kept so that a read makes no object for it.
    private final LongSupplier newest;

    private final Env env;
    private final CellJournal journal;
    private final CellState state;
    private final UpkeepSignals signals;
    private final Flusher flusher;
    private final Admission admission;
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
        this(
                id,
                log,
                new CellHost(references, timeline, options, background, env),
                OnDamage.REFUSE);
    }

    /// Opens a cell that shares its files with others. Replays its log and fences the previous
    /// writer of the log. When all cells that share the files are open, orphans may be removed and
    /// the cells may be started.
    ///
    /// @param onDamage whether to continue without table files that cannot be opened
    public Cell(long id, Log log, CellHost host, OnDamage onDamage) {
        this.id = id;
        env = host.env();
        files = host.references().files().ofCell(id);
        Timeline timeline = host.timeline();
        newest = timeline::newest;
        CellOptions options = host.options();
        journal = new CellJournal(id, log, host.references(), timeline, options, env, onDamage);
        state = journal.state();
        Background background = host.background();
        signals = new UpkeepSignals(journal, background.gate(), env);
        flusher = new Flusher(journal, options, background, signals, env);
        var compactor = new Compactor(journal, background, flusher, signals, env);
        MemtableBudget budget = background.budget();
        admission = new Admission(journal, options, budget, flusher, signals, env);
        var waits = new CellWaits(journal, signals, env);
        transactions = new CellTransactions(journal, waits, admission, flusher, env);
        commits = new CellCommits(journal, waits, transactions.holds(), admission, flusher);
        ranges = new RangeChanges(journal, waits, admission, compactor, signals);
        resharding =
                new CellResharding(
                        journal,
                        waits,
                        flusher,
                        compactor,
                        ranges,
                        tablet -> new Route(this, tablet),
                        env);
        var ending = new TransactionUpkeep(journal, transactions, env);
        upkeep = new CellUpkeep(id, flusher, compactor, ending, budget, signals, env);
    }

    /// The cell of a route in this process.
    static Cell of(Route route) {
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

    /// What was missing when the cell was opened.
    public CellLosses losses() {
        return new CellLosses(journal);
    }

    @Override
    public long id() {
        return id;
    }

    /// The timeline that all cells of the node share.
    public Timeline timeline() {
        return journal.timeline();
    }

    /// The table files that all cells of the process share.
    public TableFiles files() {
        return files;
    }

    /// The tablet of this id, or null when the cell has none.
    public @Nullable Tablet tablet(long tabletId) {
        return state.tablet(tabletId);
    }

    /// The tablets that serve keys here, without retired ones.
    public List<Tablet> tablets() {
        return state.liveTablets();
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
    public List<RowVersion> versions(
            Route route, Bytes key, RowReader columns, long snapshot, VersionLimits limits)
            throws MovedException {
        return route.current().versions(key, columns, snapshot, limits);
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
        try {
            return commits.commit(writes, ReadLocks.of(owner), writeSnapshot);
        } catch (StatusException e) {
            if (transactions.hasEnded()) {
                return new CommitResult.Moved(writes.getFirst().tabletId());
            }
            throw e;
        }
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
    public Optional<String> flushFailure() {
        return signals.flushFailure();
    }

    @Override
    public boolean isHeldBack() {
        return admission.isHeldBack();
    }

    /// This cell's side of multi-cell transactions.
    public CellTransactions transactions() {
        return transactions;
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

    @Override
    public CellStructure structure() {
        return resharding;
    }

    CellResharding resharding() {
        return resharding;
    }

    /// Announces that the cell is going to be closed. From now on a stalled log is given up, and
    /// every thread that waits for it gets an error. A record that the log has not acknowledged may
    /// or may not be there at the next start, as after a crash.
    public void endWhenStalled() {
        journal.endWhenStalled();
    }

    /// Prepares the cell for its removal. Returns false if that is too early: the cell has a
    /// tablet, or a transaction needs it. After that the cell refuses everything.
    public boolean end() {
        return transactions.end();
    }

    /// Whether an open transaction of this cell needs the other cell.
    public boolean needs(long cellId) {
        return transactions.names(cellId);
    }

    /// Closes a cell that is being removed. Its commits must have ended.
    public void closeForGood() {
        close();
        journal.lane().close();
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
