package io.cleave.tablet;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.codec.RowReader;
import io.cleave.lsm.Estimate;
import io.cleave.lsm.KeyShare;
import io.cleave.lsm.KeyVersions;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.RangeEstimator;
import io.cleave.lsm.TreeStatistics;
import io.cleave.lsm.row.ChangeCursor;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.schema.LockGroups;
import io.cleave.schema.RowConflict;
import io.cleave.schema.RowDemands;
import io.cleave.schema.RowLock;
import io.cleave.schema.RowVersion;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletTraffic;
import io.cleave.schema.VersionLimits;
import io.cleave.tablet.lock.CellLocks;
import io.cleave.tablet.lock.Engagements;
import io.cleave.tablet.lock.LockTable;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.meter.CounterHistory;
import io.cleave.tablet.meter.KeyReservoir.Access;
import io.cleave.tablet.meter.KeyReservoir.Sample;
import io.cleave.tablet.meter.LoadHistory;
import io.cleave.tablet.meter.TabletMeter;
import io.cleave.tablet.meter.TransactionCounts;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.tablet.record.WrittenGroups;
import io.cleave.time.Timeline;
import io.cleave.time.Timeline.Horizon;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// One key range of one table: its rows, and the optimistic locks of transactions that have read
/// them.
///
/// Threads: reads from any thread, without the cell's lock. Writes only by the cell, under its
/// lock.
public final class Tablet implements TabletStatistics {
    /// The maximum number of parts of one scan of a tablet.
    private static final int MAX_CUTS = 64;

    private static final double NANOS_PER_SECOND = 1e9;

    private static final long BEFORE_ALL = 0;

    /// Precision of the time of the last read.
    private static final long READ_STEP_MICROS = 1000;

    // ---- constant after construction

    /// As created; the tree has the current settings.
    private final TabletSpec spec;

    private final Env env;
    private final long startedMicros;

    // ---- own synchronisation

    /// Changed under the cell's lock, and read without it.
    private final LsmTree tree;

    private final LockTable locks;

    private final LongAdder rowReads = new LongAdder();
    private final LongAdder rowUpdates = new LongAdder();
    private final LongAdder rowDeletes = new LongAdder();
    private final LongAdder rangeReads = new LongAdder();
    private final LongAdder rangeReadRows = new LongAdder();
    private final TransactionCounts transactions = new TransactionCounts();
    private final LoadHistory load;

    /// CPU time (as reads) and waiting time of commits (as writes), in nanoseconds.
    private final LoadHistory cost;

    private final TabletMeter meter;
    private final CounterHistory counters;

    /// Set by readers, about once in [#READ_STEP_MICROS]; of two that set it at once, either wins.
    private volatile long lastReadMicros;

    // ---- written under the cell's lock, read without it

    /// If the tablet moves to another cell, it is set under the lock of that cell.
    private volatile List<Route> successors = List.of();

    private volatile boolean sealed;
    private volatile long epoch;
    private volatile long minVersion;
    private volatile long lastWriteMicros;
    private volatile long writtenBytes;

    Tablet(CellLocks cellLocks, TabletSpec spec, LsmTree tree, Env env) {
        this.spec = spec;
        this.tree = tree;
        this.env = env;
        locks = new LockTable(spec.tableId(), cellLocks);
        startedMicros = env.wallMicros();
        load = new LoadHistory(startedMicros);
        cost = new LoadHistory(startedMicros);
        meter = new TabletMeter(env, spec.tabletId());
        counters = new CounterHistory(startedMicros);
        epoch = spec.epoch();
        minVersion = spec.minVersion();
    }

    public long id() {
        return spec.tabletId();
    }

    @Override
    public long tableId() {
        return spec.tableId();
    }

    public KeyRange range() {
        return spec.range();
    }

    /// The tablets that have its keys now, in key order; empty while this tablet has them.
    List<Route> successors() {
        return successors;
    }

    /// The keys and the locks on them move to other tablets. Open cursors on this tablet stay
    /// valid.
    void retire(List<Route> to) {
        successors = List.copyOf(to);
        locks.handOver(
                range(),
                to.stream()
                        .map(Route::tablet)
                        .map(heir -> new LockTable.Heir(heir.locks, heir.range()))
                        .toList());
    }

    /// Whether commits must wait because the tablet is being moved.
    boolean isSealed() {
        return sealed;
    }

    /// The cell's lock is held.
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

    @Override
    public long minVersion() {
        return minVersion;
    }

    /// The cell's lock is held.
    void requireVersion(long version) {
        minVersion = Math.max(minVersion, version);
    }

    /// Locks a key; must be called before the key is read. Returns false if the tablet is retired;
    /// then its successors must be asked.
    public boolean lock(ReadLocks owner, Bytes key) {
        owner.checkRoom(key.length());
        return locks.addPoint(owner, key);
    }

    /// Locks a range that lies in the tablet's range, like `lock`.
    public boolean lock(ReadLocks owner, KeyRange range) {
        owner.checkRoom(LockTable.keyBytes(range));
        return locks.addRange(owner, range);
    }

    /// Locks the range if there is an owner.
    void lockRange(KeyRange range, @Nullable ReadLocks owner) throws MovedException {
        if (owner != null && !lock(owner, range)) {
            throw new MovedException(successors);
        }
    }

    /// Locks the key if there is an owner, and reads it.
    @Nullable Row read(Bytes key, Projection columns, long snapshot, @Nullable ReadLocks owner)
            throws MovedException {
        if (owner != null && !lock(owner, key)) {
            throw new MovedException(successors);
        }
        return get(key, columns, snapshot, owner);
    }

    /// The columns of the row at the snapshot, or null. `owner` must have locked the key; a version
    /// newer than the snapshot breaks the lock.
    public @Nullable Row get(
            Bytes key, Projection columns, long snapshot, @Nullable ReadLocks owner) {
        noteRead();
        rowReads.increment();
        if (!meter.isNoted()) {
            return tree.get(key, columns, snapshot, watch(owner));
        }
        long began = meter.beginRead();
        Row row = tree.get(key, columns, snapshot, watch(owner));
        endRead(began, key, row);
        return row;
    }

    /// Reads a row at the newest timestamp. `newest` is called after the tablet has pinned the data
    /// that it reads: see [Timeline#newest].
    public @Nullable Row getNewest(Bytes key, Projection columns, LongSupplier newest) {
        noteRead();
        rowReads.increment();
        if (!meter.isNoted()) {
            return tree.getNewest(key, columns, newest);
        }
        long began = meter.beginRead();
        Row row = tree.getNewest(key, columns, newest);
        endRead(began, key, row);
        return row;
    }

    private void endRead(long began, Bytes key, @Nullable Row row) {
        boolean isInFiles = row != null && !tree.isInMemory(row.timestamp());
        meter.endRead(began, key, row == null ? 0 : row.bytes(), isInFiles);
    }

    /// Ends a step to a noted row of a scan.
    void endScanned(long began, Row row) {
        boolean isInFiles = !tree.isInMemory(row.timestamp());
        meter.endScanned(began, row.key(), row.bytes(), isInFiles);
    }

    /// The stored versions of a row up to the snapshot, the newest first, until one of the limits
    /// is passed. A range erase counts as a version if it erased one that is still stored.
    List<RowVersion> versions(Bytes key, RowReader columns, long snapshot, VersionLimits limits) {
        noteRead();
        rowReads.increment();
        KeyVersions stored = KeyVersions.of(tree);
        var versions = new RowVersions(limits);
        stored.read(
                key,
                BEFORE_ALL,
                columns.stored(),
                (timestamp, kind, fields) -> {
                    if (timestamp > snapshot) {
                        return true;
                    }
                    long erased = stored.erasedAt(key, Math.min(snapshot, versions.before()));
                    // Of several erases the first is the one that erased this version.
                    long earlier = erased;
                    while (earlier > timestamp) {
                        erased = earlier;
                        earlier = stored.erasedAt(key, erased - 1);
                    }
                    if (erased > timestamp) {
                        versions.add(new RowVersion(erased, true, List.of()));
                    }
                    return versions.add(columns.version(timestamp, kind, fields));
                });
        return versions.all();
    }

    /// The rows of the part of `range` that lies in this tablet. `owner` must have locked it.
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

    /// The keys in this tablet's part of `range` that were written after `after` and up to
    /// `through`, inclusive. `through` must be visible, and the caller must hold `after`.
    public ChangeCursor changes(KeyRange range, long after, long through) {
        KeyRange part = range.intersection(range());
        Check.that(!part.isEmpty(), "changes of %s in a tablet of %s", range, range());
        return tree.changes(part.from(), part.to(), after, through);
    }

    @Override
    public long estimatedRows(KeyRange range) {
        KeyRange part = range.intersection(range());
        return part.isEmpty() ? 0 : tree.estimator().between(part.from(), part.to()).rows();
    }

    @Override
    public long expiredRows(Expiry expiry, long afterMicros, long throughMicros) {
        return tree.expiredSlices().rows(expiry, afterMicros, throughMicros);
    }

    @Override
    public long expiredRows(KeyRange range) {
        KeyRange part = range.intersection(range());
        return part.isEmpty() ? 0 : tree.expiredSlices().rows(part.from(), part.to());
    }

    /// Keys that cut the range into parts of about this size, ascending. The first key of the range
    /// is not among them.
    List<Bytes> cuts(KeyRange range, long partBytes) {
        RangeEstimator estimator = tree.estimator();
        Estimate inRange = estimator.between(range.from(), range.to());
        long wanted = Math.min(inRange.bytes() / Math.max(partBytes, 1), MAX_CUTS);
        if (wanted < 2) {
            return List.of();
        }
        long before = estimator.between(Bytes.EMPTY, range.from()).bytes();
        double all = estimator.between(Bytes.EMPTY, null).bytes();
        var cuts = new TreeSet<Bytes>();
        for (long cut = 1; cut < wanted; cut++) {
            double at = before + inRange.bytes() * (double) cut / wanted;
            estimator
                    .keyAt(at / all)
                    .filter(key -> range.contains(key) && !key.equals(range.from()))
                    .ifPresent(cuts::add);
        }
        return List.copyOf(cuts);
    }

    /// Whether the key was written after the snapshot.
    boolean writtenSince(Bytes key, long snapshot) {
        return KeyVersions.of(tree).isWrittenAfter(key, snapshot);
    }

    /// The first conflict of a part of a commit that has row locks; null if there is none. The
    /// cell's lock is held.
    @Nullable RowConflict conflict(TabletWrites part, RowDemands demands) {
        LockGroups groups = demands.groups();
        for (KeyedChange change : part.changes()) {
            RowConflict found =
                    conflict(
                            change.key(),
                            WrittenGroups.of(change.change(), groups),
                            demands,
                            Wants.WRITE);
            if (found != null) {
                return found;
            }
        }
        for (RowLock lock : demands.locks()) {
            Wants wants = lock.kind() == RowLock.Kind.EXCLUSIVE ? Wants.WRITE : Wants.READ;
            RowConflict found = conflict(lock.key(), lock.groups(), demands, wants);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /// What a transaction wants to do with a row.
    private enum Wants {
        READ,
        WRITE
    }

    private @Nullable RowConflict conflict(
            Bytes key, long groups, RowDemands demands, Wants wants) {
        RowConflict left =
                locks.traces().conflict(id(), key, groups, demands.start(), wants == Wants.WRITE);
        KeyVersions versions = KeyVersions.of(tree);
        if (left != null || !versions.isWrittenAfter(key, demands.start())) {
            return left;
        }
        long erased = versions.erasedAt(key);
        if (erased > demands.start()) {
            return new RowConflict(id(), key, groups, RowConflict.Reason.WRITTEN, erased);
        }
        RowConflict[] found = new RowConflict[1];
        versions.read(
                key,
                demands.start(),
                Projection.ALL,
                (timestamp, kind, fields) -> {
                    long written = WrittenGroups.of(kind, fields, demands.groups());
                    if (LockGroups.overlap(groups, written)) {
                        long both = groups & written;
                        found[0] =
                                new RowConflict(
                                        id(),
                                        key,
                                        both == 0 ? groups : both,
                                        RowConflict.Reason.WRITTEN,
                                        timestamp);
                    }
                    return found[0] == null;
                });
        return found[0];
    }

    /// The timestamp before which nobody reads, now or later: versions that a newer one up to this
    /// timestamp replaces may be removed.
    long removableBefore(Horizon horizon) {
        return Math.min(horizon.oldest(), horizon.visible() - tree.settings().historyMicros());
    }

    /// Called after this many rows of a scan were read.
    public void countScanned(long rowCount) {
        rangeReadRows.add(rowCount);
    }

    private void noteRead() {
        long now = env.recentMicros();
        markLoad(now);
        // All readers share this field; writing it on every read would slow all of them down.
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

    @Override
    public Optional<Bytes> medianKey(long snapshot) {
        return tree.estimator()
                .keyAt(0.5)
                .filter(range()::contains)
                .flatMap(median -> rowFrom(median, snapshot));
    }

    @Override
    public List<KeyShare> quantiles(int count, long snapshot) {
        List<KeyShare> quantiles = new ArrayList<>();
        for (KeyShare found : tree.estimator().quantiles(count)) {
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

    /// The key of the first row at or after `key`, unless it is the first key of the tablet.
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

    @Override
    public TreeStatistics statistics() {
        return tree.statistics();
    }

    @Override
    public long pinnedBytes() {
        return tree.pinnedBytes();
    }

    @Override
    public TabletTraffic traffic() {
        return new TabletTraffic(
                rowReads.sum(),
                rowUpdates.sum(),
                rowDeletes.sum(),
                rangeReads.sum(),
                rangeReadRows.sum(),
                locks.counts(),
                Math.max(lastReadMicros, lastWriteMicros),
                lastWriteMicros,
                startedMicros,
                transactions.sum(engagements().count()));
    }

    @Override
    public TabletCounters counters() {
        CounterHistory.Totals totals =
                meter.counterTotals(
                        rowReads.sum(),
                        rangeReadRows.sum(),
                        rowUpdates.sum(),
                        rowDeletes.sum(),
                        writtenBytes);
        return counters.look(totals, this::usualRows, env.wallMicros());
    }

    /// The rows that reads find if all of them are read alike.
    private CounterHistory.ReadRows usualRows() {
        TreeStatistics statistics = tree.statistics();
        double rowBytes = (double) statistics.leftBytes() / Math.max(1, statistics.rows());
        double fileShare = (double) statistics.tableBytes() / Math.max(1, statistics.storedBytes());
        return new CounterHistory.ReadRows(fileShare, rowBytes, rowBytes);
    }

    @Override
    public void continueRates(TabletCounters earlier) {
        counters.goOnFrom(earlier);
    }

    @Override
    public LoadHistory.Load load() {
        return load.load(env.wallMicros(), rowsRead(), rowsWritten());
    }

    @Override
    public double cpuCores() {
        TabletMeter.Totals totals = meter.totals();
        return cost.load(env.wallMicros(), totals.cpuNanos(), totals.waitNanos()).reads()
                / NANOS_PER_SECOND;
    }

    @Override
    public TabletMeter.Totals totals() {
        return meter.totals();
    }

    @Override
    public long insideNanos() {
        return meter.insideNanos();
    }

    @Override
    public void addOverhead(Access access, long nanos) {
        meter.addOverhead(access, nanos);
    }

    @Override
    public void setKeyTypes(List<Type> keyTypes) {
        meter.countKeys(key -> KeyCodec.valueBytes(keyTypes, key));
    }

    @Override
    public void look() {
        meter.look();
    }

    @Override
    public List<Sample> sampledKeys() {
        return meter.keys();
    }

    /// Measures what the load on this tablet costs.
    TabletMeter meter() {
        return meter;
    }

    @Override
    public long changeCount() {
        return tree.changes() + rowsWritten();
    }

    TransactionCounts transactions() {
        return transactions;
    }

    @Override
    public TreeSettings settings() {
        return tree.settings();
    }

    TabletSpec spec() {
        return spec.with(tree.settings()).inEpoch(epoch).requiring(minVersion);
    }

    LsmTree tree() {
        return tree;
    }

    LockTable locks() {
        return locks;
    }

    /// What multi-cell transactions hold here. The cell's lock must be held.
    Engagements engagements() {
        return locks.engagements();
    }

    /// The cell's lock is held.
    ///
    /// @param bytes of keys and changes
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void countWrites(long updates, long deletes, long bytes) {
        long now = env.wallMicros();
        markLoad(now);
        rowUpdates.add(updates);
        rowDeletes.add(deletes);
        writtenBytes += bytes;
        lastWriteMicros = now;
    }

    private ReadWatch watch(@Nullable ReadLocks owner) {
        return owner == null ? ReadWatch.NONE : () -> owner.breakIn(spec.tableId());
    }
}
