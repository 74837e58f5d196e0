package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.lsm.memtable.FrozenMemtable;
import io.cleave.lsm.memtable.Memtable;
import io.cleave.lsm.memtable.MemtableSource;
import io.cleave.lsm.row.ChangeCursor;
import io.cleave.lsm.row.Merge;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowCursor;
import io.cleave.lsm.row.VersionVisitor;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/// The rows of one tablet: an active memtable, frozen memtables that wait for their flush, and
/// tables.
///
/// There are three kinds of callers:
/// - *The writer* (one thread at a time, under the caller's lock) changes the state. It depends on
///   no clock and no random numbers: the same calls make the same tree.
/// - *The background* (any thread) writes new tables and does not change the state: see
///   [TreeMaintenance]. The writer then installs these tables with [#flushed] or [#compacted].
/// - *Readers* (any thread, no locks) take the current view and keep it. The view may contain
///   versions newer than their snapshot; readers skip them.
///
/// Tables that the tree no longer uses are deleted by the caller, once the change is durable:
/// [TableFiles#delete].
public final class LsmTree {
    /// When a memtable reaches this many keys, its common key prefix is computed again, so that
    /// searches need not compare it.
    static final int ENOUGH_KEYS = 256;

    // Constant after construction.

    private final TableFiles files;
    private final LsmOptions options;

    // Own synchronisation: replaced only by the writer, read by any thread.

    private volatile TreeView view;
    private volatile TreeSettings settings;

    /// The number of changes of files, range erases or settings.
    private volatile long changes;

    private final FilterCounters filters = new FilterCounters();

    // Changed only by the writer.

    /// The generation whose common key prefix was computed last.
    private long learnedFrom;

    /// The greatest timestamp so far.
    private long lastTimestamp = Long.MIN_VALUE;

    public LsmTree(TableFiles files, LsmOptions options) {
        this(files, options, TreeSettings.DEFAULT);
    }

    public LsmTree(TableFiles files, LsmOptions options, TreeSettings settings) {
        this.files = files;
        this.options = options;
        this.settings = settings;
        view = TreeView.of(new Memtable(1), List.of(), List.of(), RangeErases.NONE, files);
    }

    /// A tree that was restored from a log.
    ///
    /// @param lastTimestamp the greatest timestamp that was replayed
    LsmTree(
            TableFiles files,
            LsmOptions options,
            TreeSettings settings,
            TreeView view,
            long lastTimestamp) {
        this.files = files;
        this.options = options;
        this.settings = settings;
        this.view = view;
        this.lastTimestamp = lastTimestamp;
    }

    /// A tree over the same files as another one, with the same options and settings.
    private LsmTree(LsmTree like, TreeView view, long lastTimestamp) {
        files = like.files;
        options = like.options;
        settings = like.settings;
        this.view = view;
        this.lastTimestamp = lastTimestamp;
    }

    /// The columns of the projection, as the snapshot sees the row; null if there is no row.
    public @Nullable Row get(Bytes key, Projection projection, long snapshot, ReadWatch watch) {
        var row = new Row(projection);
        row.begin(key);
        view.merge(key, row, projection, snapshot, watch, filters);
        return row.exists() ? row : null;
    }

    /// The row at the newest timestamp, for which the caller need not hold a snapshot. `newest` is
    /// called after the view is taken. So a version that compaction removed before that was hidden
    /// by one that was visible then, and this timestamp sees the hiding version.
    public @Nullable Row getNewest(Bytes key, Projection projection, LongSupplier newest) {
        TreeView at = view;
        var row = new Row(projection);
        row.begin(key);
        at.merge(key, row, projection, newest.getAsLong(), ReadWatch.NONE, filters);
        return row.exists() ? row : null;
    }

    /// The rows with keys in `[from, to)`, with only the columns of the projection. Without `to`,
    /// up to the last row.
    public RowCursor scan(
            Bytes from,
            @Nullable Bytes to,
            Projection projection,
            long snapshot,
            Direction direction,
            ReadWatch watch) {
        TreeView at = view;
        RangeErases erases = at.erases().within(from, to);
        if (erases.newerThan(snapshot)) {
            watch.newerVersion();
        }
        var merge = new Merge(at.sources(from, to, projection, snapshot), direction);
        var row = new Row(projection);
        return new RowCursor(merge, from, to, row, erases, snapshot, watch);
    }

    /// The versions of single keys.
    KeyVersions versions() {
        return new KeyVersions(view, filters);
    }

    /// The keys in `[from, to)` that were written after `after` and not after `through`. Files
    /// without such versions are not read. Range erases are not reported.
    public ChangeCursor changes(Bytes from, @Nullable Bytes to, long after, long through) {
        var merge = new Merge(view.sourcesSince(from, to, after), Direction.FORWARD);
        return new ChangeCursor(merge, from, to, after, through);
    }

    /// Cheap enough to call every second.
    public TreeStatistics statistics() {
        TreeView at = view;
        Survivors.Left left = Survivors.of(at.layers());
        List<TreeStatistics.Level> levels = new ArrayList<>();
        long tableBytes = 0;
        for (int level = 0; level <= LsmOptions.LAST_LEVEL; level++) {
            TreeStatistics.Level sum = sumOf(at.slices(), level);
            if (sum.tables() > 0) {
                levels.add(sum);
                tableBytes += sum.bytes();
            }
        }
        int runs = 1 + at.frozen().size() + at.runs().size();
        return new TreeStatistics(
                left.rows(),
                left.bytes(),
                activeBytes() + frozenBytes(),
                tableBytes,
                at.unflushedBytes(),
                runs,
                levels,
                at.familyBytes(),
                filters.statistics(),
                at.pinnedBytes(),
                newestTimestamp(at));
    }

    /// Memory of the blocks that are pinned: see [TreeStatistics].
    public long pinnedBytes() {
        return view.pinnedBytes();
    }

    /// A write that runs at the same time may be missing.
    private long newestTimestamp(TreeView at) {
        long newest = Math.max(0, lastTimestamp);
        for (Slice slice : at.slices()) {
            newest = Math.max(newest, slice.maxTimestamp());
        }
        return newest;
    }

    /// Estimates of sizes and keys, as of now. Reads no data.
    public RangeEstimator estimator() {
        return RangeEstimator.of(view);
    }

    /// What has expired, as of now. Reads no data.
    public ExpiredSlices expiredSlices() {
        return new ExpiredSlices(view);
    }

    /// The work of the background: flushes, compactions and bulk loads.
    public TreeMaintenance maintenance() {
        return new TreeMaintenance(this, files, options);
    }

    TreeView view() {
        return view;
    }

    private static TreeStatistics.Level sumOf(List<Slice> slices, int level) {
        int tables = 0;
        long bytes = 0;
        long rows = 0;
        for (Slice slice : slices) {
            if (slice.level() == level) {
                tables++;
                bytes += slice.bytes();
                rows += slice.rows();
            }
        }
        return new TreeStatistics.Level(level, tables, bytes, rows);
    }

    /// Adds a version. The timestamps of a key never decrease, and are greater than those of range
    /// erases and bulk loads that cover the key. If two versions have the same key and timestamp,
    /// the later call wins. Other keys may have greater timestamps already, because a transaction
    /// over several cells gets its timestamp before it reaches all of them.
    public void write(Bytes key, long timestamp, Bytes change) {
        lastTimestamp = Math.max(lastTimestamp, timestamp);
        Memtable active = view.active();
        active.add(key, timestamp, change);
        if (active.keys() == ENOUGH_KEYS && active.generation() != learnedFrom) {
            learnedFrom = active.generation();
            view = view.withMemtables(active.withBetterPrefixes(), view.frozen());
        }
    }

    /// Erases all versions of keys in `[from, to)` up to this timestamp. The only cost is to
    /// remember the range until compaction has removed the erased versions. The range must be
    /// within that of the tree. The timestamp is greater than all before it, and later writes to
    /// these keys have greater timestamps.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void eraseRange(Bytes from, @Nullable Bytes to, long timestamp) {
        Check.that(timestamp > lastTimestamp, "timestamp %d after %d", timestamp, lastTimestamp);
        lastTimestamp = timestamp;
        view = view.with(view.erases().with(new RangeErase(from, to, timestamp)));
        changes++;
    }

    /// The range erases that may still hide a version.
    public List<RangeErase> erases() {
        return view.erases().all();
    }

    /// Sets the settings for tables written from now on.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void configure(TreeSettings newSettings) {
        settings = newSettings;
        changes++;
    }

    /// A counter that increases whenever there may be something new to compact.
    public long changes() {
        return changes;
    }

    public TreeSettings settings() {
        return settings;
    }

    /// The number of keys in memtables whose newest version is an ERASE. Files keep the rows that
    /// these hide until the memtable is flushed.
    public long erasedKeysInMemory() {
        TreeView at = view;
        return at.active().erasedKeys()
                + at.frozen().stream().mapToLong(FrozenMemtable::erasedKeys).sum();
    }

    public long activeBytes() {
        return view.active().bytes();
    }

    public long frozenBytes() {
        return view.frozen().stream().mapToLong(FrozenMemtable::bytes).sum();
    }

    /// Freezes the active memtable and starts a new one. Returns the generation of the frozen
    /// memtable: 1, 2, …
    public long freeze() {
        TreeView at = view;
        long generation = at.active().generation();
        List<FrozenMemtable> frozen = new ArrayList<>();
        frozen.add(FrozenMemtable.of(at.active()));
        frozen.addAll(at.frozen());
        var next = new Memtable(generation + 1, at.active().commonPrefix());
        view = at.withMemtables(next, frozen);
        return generation;
    }

    /// Replaces the oldest frozen memtables, which must be of this generation, by the slices
    /// written from them.
    public void flushed(long generation, List<Slice> slices) {
        TreeView at = view;
        Check.that(!at.frozen().isEmpty(), "nothing is frozen");
        long oldest = at.frozen().getLast().generation();
        Check.that(oldest == generation, "generation %d before %d", generation, oldest);
        List<FrozenMemtable> frozen = new ArrayList<>(at.frozen());
        frozen.removeIf(memtable -> memtable.generation() == generation);
        List<Slice> all = new ArrayList<>(at.slices());
        all.addAll(slices);
        replaceFiles(at.active(), frozen, all);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void replaceFiles(Memtable active, List<FrozenMemtable> frozen, List<Slice> slices) {
        long memoryFrom = active.oldestTimestamp();
        for (FrozenMemtable memtable : frozen) {
            memoryFrom = Math.min(memoryFrom, memtable.memtable().oldestTimestamp());
        }
        RangeErases needed = stillNeeded(view.erases(), slices, memoryFrom);
        view = TreeView.of(active, frozen, slices, needed, files);
        changes++;
    }

    /// Whether versions of this timestamp are probably in memory, and not in a file. Any thread.
    public boolean isInMemory(long timestamp) {
        TreeView at = view;
        long memoryFrom = at.active().oldestTimestamp();
        for (FrozenMemtable memtable : at.frozen()) {
            memoryFrom = Math.min(memoryFrom, memtable.memtable().oldestTimestamp());
        }
        return timestamp >= memoryFrom;
    }

    /// Without the erases that no longer hide a version: no slice has one, and all versions in
    /// memory are newer. `memoryFrom` is the oldest timestamp in memory.
    private static RangeErases stillNeeded(
            RangeErases erases, List<Slice> slices, long memoryFrom) {
        if (erases.isEmpty()) {
            return erases;
        }
        return new RangeErases(
                erases.all().stream()
                        .filter(
                                erase ->
                                        memoryFrom <= erase.timestamp()
                                                || slices.stream()
                                                        .anyMatch(s -> s.isConcernedBy(erase)))
                        .toList());
    }

    /// The level for slices that cover `[from, to)` and are newer than all the tree has in that
    /// range: the lowest level such that no slice on it or above it overlaps the range. Empty if a
    /// memtable has a key in the range.
    public OptionalInt levelFor(Bytes from, @Nullable Bytes to) {
        if (view.inMemory(from, to)) {
            return OptionalInt.empty();
        }
        int level = LsmOptions.LAST_LEVEL;
        for (Slice slice : view.slices()) {
            if (slice.overlaps(from, to)) {
                level = Math.min(level, Math.max(0, slice.level() - 1));
            }
        }
        return OptionalInt.of(level);
    }

    /// Adds slices that a [BulkWriter] has written. On level 0 they are a run of their own. Its
    /// generation is that of the last frozen memtable, which was empty.
    ///
    /// Slices that are older than data of the tree must be on the last level, and no slice on
    /// levels 1 and below may overlap them.
    public void ingested(List<Slice> slices, long timestamp) {
        TreeView at = view;
        if (timestamp <= lastTimestamp) {
            Check.that(
                    slices.stream().allMatch(slice -> slice.level() == LsmOptions.LAST_LEVEL),
                    "timestamp %d after %d",
                    timestamp,
                    lastTimestamp);
            Check.that(isFreeBelow(slices), "older slices over newer ones");
        }
        lastTimestamp = Math.max(lastTimestamp, timestamp);
        List<Slice> all = new ArrayList<>(at.slices());
        all.addAll(slices);
        replaceFiles(at.active(), at.frozen(), all);
    }

    /// Whether everything that overlaps these slices is in memory or on level 0.
    public boolean isFreeBelow(List<Slice> slices) {
        for (Slice there : view.slices()) {
            if (there.level() > 0
                    && slices.stream()
                            .anyMatch(slice -> there.overlaps(slice.from(), slice.to()))) {
                return false;
            }
        }
        return true;
    }

    /// Replaces the inputs of a compaction by its outputs.
    public void compacted(List<Slice> removed, List<Slice> added) {
        TreeView at = view;
        List<Slice> all = new ArrayList<>(at.slices());
        for (Slice slice : removed) {
            Check.that(all.remove(slice), "%s is not in the tree", slice);
        }
        all.addAll(added);
        replaceFiles(at.active(), at.frozen(), all);
    }

    /// The number of runs on level 0. Every read has to look at all of them.
    public int level0Runs() {
        int count = 0;
        for (Run run : view.runs()) {
            if (run.slices().getFirst().level() > 0) {
                break;
            }
            count++;
        }
        return count;
    }

    /// The slices from new to old, and then by key.
    public List<Slice> slices() {
        return view.slices();
    }

    /// The generations of the frozen memtables, the oldest first. They must be flushed in this
    /// order.
    public List<Long> frozenGenerations() {
        return view.frozen().reversed().stream()
                .map(FrozenMemtable::generation)
                .distinct()
                .toList();
    }

    /// The generation of the last memtable that was frozen; 0 if none was.
    public long lastGeneration() {
        return view.active().generation() - 1;
    }

    /// A tree with the rows in `[from, to)`; without `to`, with all rows from `from` on. It shares
    /// the frozen memtables and tables of this tree that overlap the range; nothing is copied. The
    /// active memtable is frozen first.
    ///
    /// Afterwards this tree may only be read. A flush or compaction of this tree that is still
    /// running must be discarded, because the new tree does not know the slices that it would
    /// replace.
    public LsmTree part(Bytes from, @Nullable Bytes to) {
        freezeRows();
        return new LsmTree(this, TreeParts.part(view, from, to, files), lastTimestamp);
    }

    /// A tree with the rows of adjacent trees, given in key order; `bounds` are the keys between
    /// them. Nothing is copied. As with [#part], the old trees may only be read afterwards.
    public static LsmTree merged(List<LsmTree> neighbours, List<Bytes> bounds) {
        neighbours.forEach(LsmTree::freezeRows);
        LsmTree first = neighbours.getFirst();
        List<TreeView> views = neighbours.stream().map(tree -> tree.view).toList();
        long newest = neighbours.stream().mapToLong(tree -> tree.lastTimestamp).max().orElseThrow();
        var merged = new LsmTree(first, TreeParts.merged(views, bounds, first.files), newest);
        merged.settings = TreeSettings.merged(neighbours.stream().map(LsmTree::settings).toList());
        return merged;
    }

    private void freezeRows() {
        if (view.active().keys() > 0) {
            freeze();
        }
    }

    /// Visits all versions in memtables; the versions of each key come oldest first. Nothing may be
    /// written meanwhile.
    public void eachUnflushed(VersionVisitor visitor) {
        for (FrozenMemtable memtable : view.frozen().reversed()) {
            visitAll(memtable.source(), visitor);
        }
        visitAll(view.active().source(), visitor);
    }

    private static void visitAll(MemtableSource source, VersionVisitor visitor) {
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            source.visitVersions(visitor);
        }
    }
}
