package io.cleave.tablet;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.lsm.LsmTree;
import io.cleave.lsm.TreeRestore;
import io.cleave.lsm.row.RowChange;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.schema.RowConflict;
import io.cleave.schema.RowDemands;
import io.cleave.tablet.lock.CellLocks;
import io.cleave.tablet.lock.ReadLocks;
import io.cleave.tablet.meter.KeyReservoir.Access;
import io.cleave.tablet.pace.LogMeter;
import io.cleave.tablet.record.CellRecord;
import io.cleave.tablet.record.CellRecord.Attach;
import io.cleave.tablet.record.CellRecord.Commit;
import io.cleave.tablet.record.CellRecord.Compacted;
import io.cleave.tablet.record.CellRecord.Configure;
import io.cleave.tablet.record.CellRecord.CreateTablets;
import io.cleave.tablet.record.CellRecord.Decide;
import io.cleave.tablet.record.CellRecord.Departure;
import io.cleave.tablet.record.CellRecord.Detach;
import io.cleave.tablet.record.CellRecord.DropTablets;
import io.cleave.tablet.record.CellRecord.EraseRange;
import io.cleave.tablet.record.CellRecord.Flushed;
import io.cleave.tablet.record.CellRecord.Forget;
import io.cleave.tablet.record.CellRecord.Freeze;
import io.cleave.tablet.record.CellRecord.Ingested;
import io.cleave.tablet.record.CellRecord.Merge;
import io.cleave.tablet.record.CellRecord.OfTransaction;
import io.cleave.tablet.record.CellRecord.OldState;
import io.cleave.tablet.record.CellRecord.Outcome;
import io.cleave.tablet.record.CellRecord.Prepare;
import io.cleave.tablet.record.CellRecord.RequireVersion;
import io.cleave.tablet.record.CellRecord.Resume;
import io.cleave.tablet.record.CellRecord.Split;
import io.cleave.tablet.record.CellRecord.State;
import io.cleave.tablet.record.CellRecord.TabletState;
import io.cleave.tablet.record.CellRecord.Transactions;
import io.cleave.tablet.record.CellRecord.Version;
import io.cleave.tablet.record.CommitDecision;
import io.cleave.tablet.record.CommitResult;
import io.cleave.tablet.record.CommitResult.Broken;
import io.cleave.tablet.record.CommitResult.Gone;
import io.cleave.tablet.record.CommitResult.Outdated;
import io.cleave.tablet.record.Feed;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.tablet.record.TabletWrites;
import io.cleave.tablet.record.TabletWrites.KeyedChange;
import io.cleave.tablet.record.Unflushed;
import io.cleave.tablet.twophase.OpenTransactions;
import io.cleave.tablet.twophase.OthersReached;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// The state of a cell: its tablets, as a function of its log. The leader applies each record that
/// it appends, in log order. A restart rebuilds the same state with [CellReplay].
///
/// Threads: one at a time applies (the leader under the cell's lock); anyone may look up tablets.
final class CellState {
    // ---- constant after construction

    private final TableFiles files;
    private final Env env;

    // ---- own synchronisation

    private final BlobReferences references;
    private final LogMeter log;
    private final ChangeQueues changeQueues = new ChangeQueues();
    private final CellLocks locks;

    /// By tablet id. Changed by the thread that applies.
    private final Map<Long, HostedTablet> tablets = new ConcurrentHashMap<>();

    // ---- guarded by the cell's lock

    private final OpenTransactions transactions = new OpenTransactions();

    /// Built from the log during the replay; nothing is added later.
    private final OthersReached others = new OthersReached();

    private long maxTimestamp;

    CellState(long cellId, BlobReferences references, LogMeter log, Env env) {
        this.references = references;
        files = references.files().ofCell(cellId);
        this.log = log;
        this.env = env;
        locks = new CellLocks(cellId);
    }

    /// The read locks in all tablets of the cell.
    CellLocks locks() {
        return locks;
    }

    @Nullable Tablet tablet(long tabletId) {
        HostedTablet hosted = tablets.get(tabletId);
        return hosted == null ? null : hosted.tablet;
    }

    /// The tablet if it serves its keys here; null if it is unknown or retired.
    @Nullable Tablet live(long tabletId) {
        Tablet tablet = tablet(tabletId);
        return tablet == null || !tablet.successors().isEmpty() ? null : tablet;
    }

    /// The tablets that serve keys here, without retired ones.
    List<Tablet> liveTablets() {
        return tablets.values().stream()
                .map(hosted -> hosted.tablet)
                .filter(tablet -> tablet.successors().isEmpty())
                .toList();
    }

    /// Whether one of the tablets is on its way to another cell. The cell's lock is held.
    boolean isSealed(List<TabletWrites> writes) {
        for (TabletWrites part : writes) {
            Tablet tablet = tablet(part.tabletId());
            if (tablet != null && tablet.isSealed()) {
                return true;
            }
        }
        return false;
    }

    /// The reason why a transaction cannot be committed now, or null. The cell's lock is held.
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
            if (part.tableVersion() < tablet.minVersion()) {
                return new Outdated(tablet.tableId());
            }
            RowDemands demands = part.demands();
            if (demands != null) {
                RowConflict conflict = tablet.conflict(part, demands);
                if (conflict != null) {
                    return new Broken(tablet.tableId(), conflict);
                }
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

    /// Breaks the locks of transactions that have read the written keys. The cell's lock is held.
    void breakLocks(TabletWrites part, ReadLocks except) {
        Tablet tablet = tablet(part.tabletId());
        if (tablet != null) {
            for (KeyedChange change : part.changes()) {
                tablet.locks().breakLocks(change.key(), except);
            }
        }
    }

    /// Remembers the row locks of a commit for transactions that began before it. The cell's lock
    /// is held.
    void leaveTraces(TabletWrites part, long timestamp, LongSupplier oldest) {
        if (part.locks().isEmpty()) {
            return;
        }
        Tablet tablet = tablet(part.tabletId());
        if (tablet != null) {
            part.locks().forEach(lock -> tablet.locks().traces().leave(lock, timestamp, oldest));
        }
    }

    Collection<HostedTablet> tablets() {
        return tablets.values();
    }

    @Nullable HostedTablet hosted(long tabletId) {
        return tablets.get(tabletId);
    }

    long maxTimestamp() {
        return maxTimestamp;
    }

    /// The queues that receive the changes written to the tablets.
    ChangeQueues changeQueues() {
        return changeQueues;
    }

    OthersReached others() {
        return others;
    }

    /// Notes that a commit with this timestamp was applied.
    void reached(long timestamp) {
        maxTimestamp = Math.max(maxTimestamp, timestamp);
    }

    /// How much of the log is kept.
    LogMeter log() {
        return log;
    }

    /// Applies the record at `position`. Everything that the record names must exist. Returns the
    /// slices whose references to their blobs end once the record is durable.
    List<Slice> apply(long position, CellRecord record) {
        return switch (record) {
            case Commit(long timestamp, List<TabletWrites> writes) -> {
                writes.forEach(tablet -> write(timestamp, tablet));
                yield List.of();
            }
            case EraseRange(long timestamp, long tabletId, KeyRange range) -> {
                eraseRange(timestamp, tabletId, range);
                yield List.of();
            }
            case Freeze(long tabletId) -> {
                freeze(position, tabletId);
                yield List.of();
            }
            case CreateTablets(List<TabletSpec> created) -> {
                for (TabletSpec spec : created) {
                    var tree = new LsmTree(files, LsmOptions.DEFAULT, spec.settings());
                    add(spec, tree, List.of(), position, null);
                }
                yield List.of();
            }
            case DropTablets(List<Long> tabletIds) -> drop(tabletIds);
            case Configure(List<Long> tabletIds, TreeSettings settings) -> {
                tabletIds.forEach(tabletId -> configure(tabletId, settings));
                yield List.of();
            }
            case RequireVersion(long version, List<Long> tabletIds) -> {
                tabletIds.forEach(tabletId -> requireVersion(tabletId, version));
                yield List.of();
            }
            case Flushed(long tabletId, long generation, List<Slice> slices) ->
                    flushed(tabletId, generation, slices);
            case Ingested(long timestamp, long tabletId, List<Slice> slices) ->
                    ingested(timestamp, tabletId, slices);
            case Compacted(long tabletId, List<Slice> removed, List<Slice> added) ->
                    compacted(tabletId, removed, added);
            case Split(long tabletId, List<TabletState> children) -> {
                cut(position, tabletId, children.stream().map(TabletState::spec).toList());
                yield List.of();
            }
            case Merge(List<Long> tabletIds, TabletState merged) -> {
                join(position, tabletIds, merged.spec());
                yield List.of();
            }
            case Detach(long tabletId, Departure departure) -> {
                depart(tabletId, departure);
                yield List.of();
            }
            case Resume(long tabletId, long epoch) -> {
                resume(tabletId, epoch);
                yield List.of();
            }
            case Attach(TabletState tablet, List<Version> tail) -> {
                attach(tablet, tail);
                yield List.of();
            }
            case OfTransaction step -> {
                apply(step);
                yield List.of();
            }
            case OldState _, State _ -> List.of();
        };
    }

    private void apply(OfTransaction step) {
        transactions.apply(step);
        switch (step) {
            case Decide(long timestamp, _, _, List<TabletWrites> writes) ->
                    writes.forEach(tablet -> write(timestamp, tablet));
            case Outcome(_, CommitDecision.Commit(long timestamp), List<TabletWrites> writes) ->
                    writes.forEach(tablet -> write(timestamp, tablet));
            case Outcome _, Prepare _, Forget _, Transactions _ -> {}
        }
    }

    /// Open multi-cell transactions: those that this cell has prepared or decided.
    OpenTransactions transactions() {
        return transactions;
    }

    /// Adds the rows of one tablet's part of a commit. Returns the tablet, or null if it was
    /// dropped.
    @CanIgnoreReturnValue
    @Nullable Tablet write(long timestamp, TabletWrites writes) {
        reached(timestamp);
        Tablet tablet = tablet(writes.tabletId());
        if (tablet == null) {
            return null; // dropped since; nobody needs its rows
        }
        long deletes = 0;
        long bytes = 0;
        long began = tablet.meter().beginWrites(writes.changes().size());
        for (KeyedChange change : writes.changes()) {
            tablet.meter().noteSizes(change);
            bytes += change.key().length() + change.change().length();
            tablet.tree().write(change.key(), timestamp, change.change());
            if (RowChange.kind(change.change()) == RowChange.Kind.ERASE) {
                deletes++;
            }
        }
        Access access = deletes * 2 > writes.changes().size() ? Access.DELETE : Access.WRITE;
        tablet.meter().endWrites(began, writes.changes(), access);
        tablet.countWrites(writes.changes().size() - deletes, deletes, bytes);
        changeQueues.written(tablet, timestamp, writes);
        return tablet;
    }

    /// Adds a tablet that was found in the log.
    void add(TabletState saved, LsmTree tree) {
        add(saved.spec(), tree, saved.frozen(), saved.activeFrom(), saved.departure());
    }

    /// A tree for a tablet that was found in the log. The caller fills its memtables.
    TreeRestore restore(TabletState saved) {
        return new TreeRestore(
                files,
                LsmOptions.DEFAULT,
                saved.spec().settings(),
                saved.slices(),
                saved.erases(),
                saved.generations());
    }

    private HostedTablet add(
            TabletSpec spec,
            LsmTree tree,
            List<Unflushed> frozen,
            long activeFrom,
            @Nullable Departure departure) {
        var hosted =
                new HostedTablet(new Tablet(locks, spec, tree, env), frozen, activeFrom, departure);
        hosted.tablet.seal(departure != null);
        references.add(tree.slices());
        tablets.put(spec.tabletId(), hosted);
        return hosted;
    }

    /// The state without the memtables, as a record for `position`.
    State save(long position) {
        return new State(
                maxTimestamp,
                tablets.values().stream().map(hosted -> hosted.save(position)).toList());
    }

    /// The position of the oldest record that is still needed if a state stands at `statePosition`.
    long neededFrom(long statePosition) {
        return tablets.values().stream()
                .mapToLong(HostedTablet::neededFrom)
                .reduce(statePosition, Math::min);
    }

    /// Splits a tablet, for the record at `position`. The children have its rows and its minimal
    /// table version; the parent can only be read from then on.
    List<HostedTablet> cut(long position, long tabletId, List<TabletSpec> children) {
        HostedTablet parent = existing(tabletId);
        freezeRows(position, parent);
        List<HostedTablet> parts = new ArrayList<>();
        for (TabletSpec spec : children) {
            KeyRange range = spec.range();
            LsmTree tree = parent.tablet.tree().part(range.from(), range.to());
            List<Unflushed> frozen =
                    parent.frozen().stream().map(memtable -> memtable.within(range)).toList();
            TabletSpec child = spec.requiring(parent.tablet.minVersion());
            parts.add(add(child, tree, frozen, position + 1, null));
        }
        forget(parent);
        return parts;
    }

    /// Merges neighbours, given in key order, into one tablet, with the greatest of their minimal
    /// table versions. The neighbours can only be read from then on.
    HostedTablet join(long position, List<Long> tabletIds, TabletSpec merged) {
        List<HostedTablet> neighbours = tabletIds.stream().map(this::existing).toList();
        neighbours.forEach(neighbour -> freezeRows(position, neighbour));
        List<Bytes> bounds =
                neighbours.stream().skip(1).map(each -> each.tablet.range().from()).toList();
        List<LsmTree> trees = neighbours.stream().map(each -> each.tablet.tree()).toList();
        LsmTree tree = LsmTree.merged(trees, bounds);
        TabletSpec spec = merged;
        for (HostedTablet neighbour : neighbours) {
            spec = spec.requiring(neighbour.tablet.minVersion());
        }
        HostedTablet whole = add(spec, tree, joinedMemtables(neighbours, tree), position + 1, null);
        neighbours.forEach(this::forget);
        return whole;
    }

    private HostedTablet existing(long tabletId) {
        HostedTablet hosted = tablets.get(tabletId);
        if (hosted == null) {
            throw new IllegalStateException("no tablet " + tabletId);
        }
        return hosted;
    }

    /// Merges the memtables in the order of [LsmTree#merged]: first the oldest of each neighbour,
    /// then the next.
    private static List<Unflushed> joinedMemtables(List<HostedTablet> neighbours, LsmTree tree) {
        List<Unflushed> joined = new ArrayList<>();
        for (long generation : tree.frozenGenerations()) {
            int order = joined.size();
            List<Feed> feeds = new ArrayList<>();
            for (HostedTablet neighbour : neighbours) {
                if (order < neighbour.frozen().size()) {
                    KeyRange range = neighbour.tablet.range();
                    feeds.addAll(neighbour.frozen().get(order).within(range).feeds());
                }
            }
            joined.add(new Unflushed(generation, Feed.joined(feeds)));
        }
        return joined;
    }

    private static void freezeRows(long position, HostedTablet hosted) {
        if (hosted.tablet.tree().activeBytes() > 0) {
            hosted.freeze(position);
        }
    }

    /// Removes a tablet whose rows, and therefore files, other tablets have.
    private void forget(HostedTablet hosted) {
        tablets.remove(hosted.tablet.id());
        references.removeShared(hosted.tablet.tree().slices());
    }

    List<DetachedTablet> detached() {
        List<DetachedTablet> all = new ArrayList<>();
        for (HostedTablet hosted : tablets.values()) {
            Departure departure = hosted.departure();
            if (departure != null) {
                Tablet tablet = hosted.tablet;
                all.add(
                        new DetachedTablet(
                                tablet.id(),
                                tablet.tableId(),
                                departure.cellId(),
                                departure.epoch()));
            }
        }
        return all;
    }

    private void depart(long tabletId, @Nullable Departure departure) {
        HostedTablet hosted = tablets.get(tabletId);
        if (hosted != null) {
            hosted.depart(departure);
        }
    }

    private void resume(long tabletId, long epoch) {
        HostedTablet hosted = tablets.get(tabletId);
        if (hosted != null) {
            hosted.depart(null);
            hosted.tablet.setEpoch(epoch);
        }
    }

    HostedTablet attach(TabletState coming, List<Version> tail) {
        TreeRestore restore = restore(coming);
        for (Version version : tail) {
            reached(version.timestamp());
            long active = coming.lastGeneration() + 1;
            restore.write(active, version.key(), version.timestamp(), version.change());
        }
        coming.slices().forEach(slice -> reached(slice.maxTimestamp()));
        return add(coming.spec(), restore.finish(), List.of(), coming.activeFrom(), null);
    }

    private void eraseRange(long timestamp, long tabletId, KeyRange range) {
        reached(timestamp);
        HostedTablet hosted = staying(tabletId);
        if (hosted != null) {
            hosted.tablet.tree().eraseRange(range.from(), range.to(), timestamp);
        }
    }

    private void configure(long tabletId, TreeSettings settings) {
        HostedTablet hosted = staying(tabletId);
        if (hosted != null) {
            LsmTree tree = hosted.tablet.tree();
            tree.configure(settings.after(tree.settings(), maxTimestamp));
        }
    }

    private void requireVersion(long tabletId, long version) {
        HostedTablet hosted = staying(tabletId);
        if (hosted != null) {
            hosted.tablet.requireVersion(version);
        }
    }

    private void freeze(long position, long tabletId) {
        HostedTablet hosted = staying(tabletId);
        if (hosted != null) {
            hosted.freeze(position);
        }
    }

    /// The tablet if its files may change. The files of a tablet that is leaving belong to the
    /// target cell too, so they must not change.
    private @Nullable HostedTablet staying(long tabletId) {
        HostedTablet hosted = tablets.get(tabletId);
        return hosted == null || hosted.departure() != null ? null : hosted;
    }

    private List<Slice> drop(List<Long> tabletIds) {
        List<Slice> ended = new ArrayList<>();
        for (long tabletId : tabletIds) {
            HostedTablet hosted = tablets.remove(tabletId);
            if (hosted != null) {
                ended.addAll(hosted.tablet.tree().slices());
            }
        }
        return ended;
    }

    /// Files that were written for a tablet that is gone: they get a reference that ends at once.
    List<Slice> unwanted(List<Slice> slices) {
        references.add(slices);
        return slices;
    }

    private List<Slice> ingested(long timestamp, long tabletId, List<Slice> slices) {
        reached(timestamp);
        HostedTablet hosted = staying(tabletId);
        if (hosted == null) {
            return unwanted(slices);
        }
        hosted.tablet.tree().ingested(slices, timestamp);
        references.add(slices);
        return List.of();
    }

    private List<Slice> compacted(long tabletId, List<Slice> removed, List<Slice> added) {
        HostedTablet hosted = staying(tabletId);
        if (hosted == null) {
            return unwanted(added);
        }
        hosted.tablet.tree().compacted(removed, added);
        // A table that only moved down a level is in both lists.
        references.add(added);
        return removed;
    }

    private List<Slice> flushed(long tabletId, long generation, List<Slice> slices) {
        HostedTablet hosted = staying(tabletId);
        if (hosted == null) {
            return unwanted(slices);
        }
        hosted.flushed(generation, slices);
        references.add(slices);
        return List.of();
    }
}
