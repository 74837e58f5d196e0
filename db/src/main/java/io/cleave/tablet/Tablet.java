package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.lsm.ChangeCursor;
import io.cleave.lsm.Estimate;
import io.cleave.lsm.Expiry;
import io.cleave.lsm.KeyShare;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.Projection;
import io.cleave.lsm.ReadWatch;
import io.cleave.lsm.Row;
import io.cleave.lsm.RowCursor;
import io.cleave.lsm.TreeSettings;
import io.cleave.lsm.TreeStatistics;
import io.cleave.schema.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// One key range of one table: its rows, and the optimistic locks of those who have read them.
///
/// Threads: reads from any thread, without the cell's lock. Writes only by the cell, under its
/// lock.
public final class Tablet {
    /// The most parts that one scan of a tablet is cut into.
    private static final int MAX_CUTS = 64;

    private static final double NANOS_PER_SECOND = 1e9;

    /// How exactly it is known when a row was last read.
    private static final long READ_STEP_MICROS = 1000;

    /// As it was created; the tree knows the settings since.
    private final TabletSpec spec;

    private final LsmTree tree;
    private final LockTable locks;
    private final Env env;
    private final long startedMicros;

    private volatile List<Route> successors = List.of();
    private volatile boolean sealed;
    private volatile long epoch;

    private final LongAdder rowReads = new LongAdder();
    private final LongAdder rowUpdates = new LongAdder();
    private final LongAdder rowDeletes = new LongAdder();
    private final LongAdder rangeReads = new LongAdder();
    private final LongAdder rangeReadRows = new LongAdder();
    private final TransactionCounts transactions = new TransactionCounts();
    private volatile long lastReadMicros;
    private volatile long lastWriteMicros;
    private final LoadHistory load;

    /// Nanoseconds of CPU time, and nanoseconds that commits waited.
    private final LoadHistory cost;

    private final TabletMeter meter;

    Tablet(long cellId, TabletSpec spec, LsmTree tree, Env env) {
        this.spec = spec;
        this.tree = tree;
        this.env = env;
        locks = new LockTable(spec.tableId(), cellId);
        startedMicros = env.wallMicros();
        load = new LoadHistory(startedMicros);
        cost = new LoadHistory(startedMicros);
        meter = new TabletMeter(env, spec.tabletId());
        epoch = spec.epoch();
    }

    public long id() {
        return spec.tabletId();
    }

    public long tableId() {
        return spec.tableId();
    }

    public KeyRange range() {
        return spec.range();
    }

    /// Where its keys are now, in key order; none while they are here.
    public List<Route> successors() {
        return successors;
    }

    /// Its keys are elsewhere from now on, and so are the locks on them. Cursors that are open go
    /// on.
    void retire(List<Route> to) {
        successors = List.copyOf(to);
        locks.handOver(
                range(),
                to.stream()
                        .map(Route::tablet)
                        .map(heir -> new LockTable.Heir(heir.locks, heir.range()))
                        .toList());
    }

    /// Commits are to wait: it is being moved.
    boolean isSealed() {
        return sealed;
    }

    /// Under the cell's lock.
    void seal(boolean newSealed) {
        sealed = newSealed;
        engagements().seal(newSealed);
    }

    public long epoch() {
        return epoch;
    }

    void setEpoch(long newEpoch) {
        epoch = newEpoch;
    }

    /// Notes that the key has been read; to be called before it is. False when the tablet is
    /// retired: its successors are to be asked.
    public boolean lock(ReadLocks owner, Bytes key) {
        owner.checkRoom();
        return locks.addPoint(owner, key);
    }

    /// The same of a range; it lies in the tablet's.
    public boolean lock(ReadLocks owner, KeyRange range) {
        owner.checkRoom();
        return locks.addRange(owner, range);
    }

    /// The columns of the row as of the snapshot, or null. `owner` has locked the key; what is
    /// passed over breaks the lock.
    public @Nullable Row get(
            Bytes key, Projection columns, long snapshot, @Nullable ReadLocks owner) {
        noteRead();
        rowReads.increment();
        if (!meter.isNoted()) {
            return tree.get(key, columns, snapshot, watch(owner));
        }
        long began = meter.beginRead();
        Row row = tree.get(key, columns, snapshot, watch(owner));
        meter.endRead(began, key);
        return row;
    }

    /// The same at the newest moment, which is asked for when the tablet has what it reads: see
    /// [Timeline#newest].
    public @Nullable Row getNewest(Bytes key, Projection columns, LongSupplier newest) {
        noteRead();
        rowReads.increment();
        if (!meter.isNoted()) {
            return tree.getNewest(key, columns, newest);
        }
        long began = meter.beginRead();
        Row row = tree.getNewest(key, columns, newest);
        meter.endRead(began, key);
        return row;
    }

    /// The rows of the part of `range` that lies in this tablet, which `owner` has locked.
    public RowCursor scan(
            KeyRange range,
            Projection columns,
            long snapshot,
            Direction direction,
            @Nullable ReadLocks owner) {
        KeyRange part = range.intersection(range());
        Check.that(!part.isEmpty(), "a scan of %s in a tablet of %s", range, range());
        noteRead();
        rangeReads.increment();
        boolean isMeasured = meter.isScanNoted();
        long began = isMeasured ? meter.begin() : 0;
        RowCursor rows =
                tree.scan(part.from(), part.to(), columns, snapshot, direction, watch(owner));
        if (isMeasured) {
            Bytes end = part.to();
            meter.endScanStart(
                    began, direction == Direction.FORWARD || end == null ? part.from() : end);
        }
        return rows;
    }

    /// The keys of the part of `range` that lies in this tablet that were written later than
    /// `after`, up to `through` itself, which is visible. Someone holds `after`.
    public ChangeCursor changes(KeyRange range, long after, long through) {
        KeyRange part = range.intersection(range());
        Check.that(!part.isEmpty(), "changes of %s in a tablet of %s", range, range());
        return tree.changes(part.from(), part.to(), after, through);
    }

    /// About how many rows lie in the part of the range that is in this tablet. Reads no data.
    public long estimatedRows(KeyRange range) {
        KeyRange part = range.intersection(range());
        return part.isEmpty() ? 0 : tree.estimate(part.from(), part.to()).rows();
    }

    /// About how many rows have a time in `(afterMicros, throughMicros]`. Reads no data.
    public long expiredRows(Expiry expiry, long afterMicros, long throughMicros) {
        return tree.expiredRows(expiry, afterMicros, throughMicros);
    }

    /// About how many rows of files have a key in the part of the range that is in this tablet.
    /// Reads no data.
    public long expiredRows(KeyRange range) {
        KeyRange part = range.intersection(range());
        return part.isEmpty() ? 0 : tree.expiredRows(part.from(), part.to());
    }

    /// Keys of the range between which lie about so many bytes, ascending, none of them its first.
    public List<Bytes> cuts(KeyRange range, long partBytes) {
        Estimate inRange = tree.estimate(range.from(), range.to());
        long wanted = Math.min(inRange.bytes() / Math.max(partBytes, 1), MAX_CUTS);
        if (wanted < 2) {
            return List.of();
        }
        long before = tree.estimate(Bytes.EMPTY, range.from()).bytes();
        double all = tree.estimate(Bytes.EMPTY, null).bytes();
        var cuts = new TreeSet<Bytes>();
        for (long cut = 1; cut < wanted; cut++) {
            double at = before + inRange.bytes() * (double) cut / wanted;
            tree.keyAt(at / all)
                    .filter(key -> range.contains(key) && !key.equals(range.from()))
                    .ifPresent(cuts::add);
        }
        return List.copyOf(cuts);
    }

    /// Whether anyone has written the key after the snapshot.
    boolean writtenSince(Bytes key, long snapshot) {
        boolean[] newer = new boolean[1];
        var _ = tree.get(key, Projection.NOTHING, snapshot, () -> newer[0] = true);
        return newer[0];
    }

    /// The caller has read so many rows of a scan.
    public void countScanned(long rowCount) {
        rangeReadRows.add(rowCount);
    }

    private void noteRead() {
        long now = env.recentMicros();
        markLoad(now);
        // All readers share it: writing it every time would hold each of them up.
        if (Math.abs(now - lastReadMicros) >= READ_STEP_MICROS) {
            lastReadMicros = now;
        }
    }

    private void markLoad(long now) {
        if (load.isDue(now)) {
            load.mark(now, rowsRead(), rowsWritten());
            TabletMeter.Totals totals = meter.totals();
            cost.mark(now, totals.cpuNanos(), totals.waitNanos());
        }
    }

    private long rowsRead() {
        return rowReads.sum() + rangeReadRows.sum();
    }

    private long rowsWritten() {
        return rowUpdates.sum() + rowDeletes.sum();
    }

    /// A key that has about half of the bytes before it, and is the key of a row; none if the
    /// tablet is too small to tell, or has only just been written.
    public Optional<Bytes> medianKey(long snapshot) {
        return tree.medianKey()
                .filter(range()::contains)
                .flatMap(median -> rowFrom(median, snapshot));
    }

    /// Keys of rows that cut it in about so many parts of the same size, ascending; fewer if it has
    /// few rows.
    public List<KeyShare> quantiles(int count, long snapshot) {
        List<KeyShare> quantiles = new ArrayList<>();
        for (KeyShare found : tree.quantiles(count)) {
            Optional<Bytes> key =
                    range().contains(found.key())
                            ? rowFrom(found.key(), snapshot)
                            : Optional.empty();
            if (key.isPresent()
                    && (quantiles.isEmpty()
                            || quantiles.getLast().key().compareTo(key.get()) < 0)) {
                quantiles.add(new KeyShare(key.get(), found.share()));
            }
        }
        return quantiles;
    }

    /// The key of the first row from a key on, if that is not the tablet's first key.
    private Optional<Bytes> rowFrom(Bytes key, long snapshot) {
        RowCursor rows =
                tree.scan(
                        key,
                        range().to(),
                        Projection.NOTHING,
                        snapshot,
                        Direction.FORWARD,
                        ReadWatch.NONE);
        boolean isSplit = rows.next() && !rows.row().key().equals(range().from());
        return isSplit ? Optional.of(rows.row().key()) : Optional.empty();
    }

    /// How much it holds.
    public TreeStatistics statistics() {
        return tree.statistics();
    }

    /// What has happened here since the process started.
    public Traffic traffic() {
        Locks taken = locks.counts();
        return new Traffic(
                rowReads.sum(),
                rowUpdates.sum(),
                rowDeletes.sum(),
                rangeReads.sum(),
                rangeReadRows.sum(),
                taken.acquired(),
                taken.broken(),
                Math.max(lastReadMicros, lastWriteMicros),
                lastWriteMicros,
                startedMicros,
                taken.ofAll(),
                transactions.sum(engagements().count()));
    }

    /// Of those who have read here, since the process started.
    public Locks lockCounts() {
        return locks.counts();
    }

    /// Rows in a second, over the last minute or so.
    public LoadHistory.Load load() {
        return load.load(env.wallMicros(), rowsRead(), rowsWritten());
    }

    /// Of CPU time spent here, over the last minute or so.
    public double cpuCores() {
        TabletMeter.Totals totals = meter.totals();
        return cost.load(env.wallMicros(), totals.cpuNanos(), totals.waitNanos()).reads()
                / NANOS_PER_SECOND;
    }

    /// What its load costs.
    public TabletMeter meter() {
        return meter;
    }

    /// Grows with whatever changes how much it holds.
    public long changeCount() {
        return tree.changes() + rowsWritten();
    }

    public record Traffic(
            long rowReads,
            long rowUpdates,
            long rowDeletes,
            long rangeReads,
            long rangeReadRows,
            long locksAcquired,
            long locksBroken,
            long lastAccessMicros,
            long lastUpdateMicros,
            long startedMicros,
            long locksOfAll,
            Transactions transactions) {}

    /// Optimistic locks.
    ///
    /// @param ofAll those that became locks of the whole tablet
    public record Locks(long acquired, long ofAll, long broken) {}

    /// Those that wrote here. In flight are those over several cells that are prepared and not yet
    /// decided.
    public record Transactions(long inFlight, long immediate, long coordinated, long rejected) {}

    TransactionCounts transactions() {
        return transactions;
    }

    /// How its rows are stored now.
    public TreeSettings settings() {
        return tree.settings();
    }

    TabletSpec spec() {
        return spec.with(tree.settings()).inEpoch(epoch);
    }

    LsmTree tree() {
        return tree;
    }

    LockTable locks() {
        return locks;
    }

    /// What transactions over several cells hold here; under the cell's lock.
    Engagements engagements() {
        return locks.engagements();
    }

    void countWrites(long updates, long deletes) {
        long now = env.wallMicros();
        markLoad(now);
        rowUpdates.add(updates);
        rowDeletes.add(deletes);
        lastWriteMicros = now;
    }

    private ReadWatch watch(@Nullable ReadLocks owner) {
        return owner == null ? ReadWatch.NONE : () -> owner.breakIn(spec.tableId());
    }
}
