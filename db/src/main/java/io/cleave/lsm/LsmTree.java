package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/// One tablet's rows: an active memtable, frozen ones on their way to the disk, and tables.
///
/// Three kinds of callers:
/// - *The writer* (one thread at a time, under the caller's lock) changes the state, and decides
///   nothing by clock or chance: the same calls make the same tree.
/// - *The background* (any thread) writes new tables and changes no state; what it wrote is then
///   put in place by the writer, with [#flushed] or [#compacted]. One flush and one compaction of a
///   tree at a time.
/// - *Readers* (any thread, no locks) take the view as it is and keep it. Versions newer than their
///   snapshot may be in it; they are passed over.
///
/// Tables that are no longer named are deleted by the caller, when the change is durable:
/// [TableFiles#delete].
public final class LsmTree {
    /// After so many keys a memtable is looked at again: what they have in common need not be
    /// compared.
    static final int ENOUGH_KEYS = 256;

    private final TableFiles files;
    private final LsmOptions options;

    /// Replaced by the writer only.
    private volatile View view;

    /// Replaced by the writer, read by whoever writes tables.
    private volatile TreeSettings settings;

    private final FilterCounters filters = new FilterCounters();

    /// How often files or settings have changed.
    private volatile long changes;

    // The writer's own.
    private long learnedFrom;

    /// The greatest so far.
    private long lastTimestamp = Long.MIN_VALUE;

    public LsmTree(TableFiles files, LsmOptions options) {
        this(files, options, TreeSettings.DEFAULT);
    }

    public LsmTree(TableFiles files, LsmOptions options, TreeSettings settings) {
        this.files = files;
        this.options = options;
        this.settings = settings;
        view = View.of(new Memtable(1), List.of(), List.of(), RangeErases.NONE, files);
    }

    /// As it was restored.
    LsmTree(TableFiles files, LsmOptions options, TreeSettings settings, View view) {
        this.files = files;
        this.options = options;
        this.settings = settings;
        this.view = view;
    }

    /// Beside another one, over the same files.
    private LsmTree(LsmTree like, View view, long lastTimestamp) {
        files = like.files;
        options = like.options;
        settings = like.settings;
        this.view = view;
        this.lastTimestamp = lastTimestamp;
    }

    // ---- readers

    /// The row as the snapshot sees it; null if there is none.
    public @Nullable Row get(Bytes key, long snapshot, ReadWatch watch) {
        return get(key, Projection.ALL, snapshot, watch);
    }

    /// The same of some columns.
    public @Nullable Row get(Bytes key, Projection projection, long snapshot, ReadWatch watch) {
        var row = new Row(projection);
        row.begin(key);
        view.merge(key, row, projection, snapshot, watch, filters);
        return row.exists() ? row : null;
    }

    /// The same at the newest moment, which nobody needs to keep. It is asked for when the reader
    /// has its view: whatever was compacted away before is hidden by something that was visible
    /// then, and so by something that this moment sees.
    public @Nullable Row getNewest(Bytes key, Projection projection, LongSupplier newest) {
        View at = view;
        var row = new Row(projection);
        row.begin(key);
        at.merge(key, row, projection, newest.getAsLong(), ReadWatch.NONE, filters);
        return row.exists() ? row : null;
    }

    /// The rows with keys in `[from, to)`; without `to`, up to the last one.
    public RowCursor scan(
            Bytes from, @Nullable Bytes to, long snapshot, Direction direction, ReadWatch watch) {
        return scan(from, to, Projection.ALL, snapshot, direction, watch);
    }

    /// The same of some columns.
    public RowCursor scan(
            Bytes from,
            @Nullable Bytes to,
            Projection projection,
            long snapshot,
            Direction direction,
            ReadWatch watch) {
        View at = view;
        RangeErases erases = at.erases().within(from, to);
        if (erases.newerThan(snapshot)) {
            watch.newerVersion();
        }
        var merge = new Merge(at.sources(from, to, projection, snapshot), direction);
        var row = new Row(projection);
        return new RowCursor(merge, from, to, row, erases, snapshot, direction, watch);
    }

    /// The keys in `[from, to)` that were written later than `after`, up to `through` itself. Files
    /// without such versions are not read. Range erases are not told.
    public ChangeCursor changes(Bytes from, @Nullable Bytes to, long after, long through) {
        var merge = new Merge(view.sourcesSince(from, to, after), Direction.FORWARD);
        return new ChangeCursor(merge, from, to, after, through);
    }

    /// Cheap enough to ask for every second.
    public TreeStatistics statistics() {
        View at = view;
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
                runs,
                levels,
                at.groupBytes(),
                filters.statistics(),
                at.tables().mapToLong(TableReader::pinnedBytes).sum());
    }

    /// About what is in `[from, to)`; without `to`, up to the last row. Reads no data.
    public Estimate estimate(Bytes from, @Nullable Bytes to) {
        return RangeEstimator.of(view).between(from, to);
    }

    /// A key that has about this fraction of the bytes before it, and some behind it; none if the
    /// tree is too small to tell. It need not be the key of a row. Reads no data.
    public Optional<Bytes> keyAt(double fraction) {
        return RangeEstimator.of(view).keyAt(fraction);
    }

    /// Keys that cut the tree in about so many parts of the same size, ascending. They need not be
    /// keys of rows. Reads no data.
    public List<KeyShare> quantiles(int count) {
        return RangeEstimator.of(view).quantiles(count);
    }

    /// Where to split.
    public Optional<Bytes> medianKey() {
        return keyAt(0.5);
    }

    /// What has expired as whole files, by the times up to `throughMicros` in a column, and can be
    /// erased by its range: nothing else in the tree has keys there, not even in memory. Reads no
    /// data.
    public List<ExpiredSlices.Part> expired(Expiry expiry, long throughMicros) {
        return ExpiredSlices.alone(view, expiry, throughMicros);
    }

    /// About how many rows have a time in `(afterMicros, throughMicros]` in a column, by what files
    /// say of themselves. Reads no data.
    public long expiredRows(Expiry expiry, long afterMicros, long throughMicros) {
        return ExpiredSlices.rows(view, expiry, afterMicros, throughMicros);
    }

    /// What has expired as whole files where the keys in `[from, to)` have, and no others. Reads no
    /// data.
    public List<ExpiredSlices.Part> expired(Bytes from, @Nullable Bytes to) {
        return ExpiredSlices.within(view, from, to);
    }

    /// About how many rows of files have such a key. Reads no data.
    public long expiredRows(Bytes from, @Nullable Bytes to) {
        return ExpiredSlices.rows(view, from, to);
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

    // ---- the writer

    /// Adds a version. The timestamps of a key never decrease, and are after those of the range
    /// erases and bulk loads over it; of two with the same key and timestamp, the later one is on
    /// top. Another key may be newer already: a transaction over several cells has its time before
    /// it comes to all of them.
    public void write(Bytes key, long timestamp, Bytes change) {
        lastTimestamp = Math.max(lastTimestamp, timestamp);
        Memtable active = view.active();
        active.add(key, timestamp, change);
        if (active.keys() == ENOUGH_KEYS && active.generation() != learnedFrom) {
            learnedFrom = active.generation();
            view = view.withMemtables(active.withBetterPrefixes(), view.frozen());
        }
    }

    /// Erases all that keys in `[from, to)` have up to this time, at no cost but that of keeping it
    /// in mind until compaction has left out what is erased. The range lies in the tree's own. It
    /// is later than everything before it; writes to its keys after it have later timestamps.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void eraseRange(Bytes from, @Nullable Bytes to, long timestamp) {
        Check.that(timestamp > lastTimestamp, "timestamp %d after %d", timestamp, lastTimestamp);
        lastTimestamp = timestamp;
        view = view.with(view.erases().with(new RangeErase(from, to, timestamp)));
        changes++;
    }

    /// Those that may still hide something.
    public List<RangeErase> erases() {
        return view.erases().all();
    }

    /// Tables written from now on have these settings.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void configure(TreeSettings newSettings) {
        settings = newSettings;
        changes++;
    }

    /// Grows when there may be something else to compact.
    public long changes() {
        return changes;
    }

    public TreeSettings settings() {
        return settings;
    }

    /// Keys in memory whose newest version is an ERASE: files that they hide rows of keep these
    /// until the memtable is a file, too.
    public long erasedKeysInMemory() {
        View at = view;
        return at.active().erasedKeys()
                + at.frozen().stream().mapToLong(FrozenMemtable::erasedKeys).sum();
    }

    public long activeBytes() {
        return view.active().bytes();
    }

    public long frozenBytes() {
        return view.frozen().stream().mapToLong(FrozenMemtable::bytes).sum();
    }

    /// Ends the active memtable and begins another; returns the generation of the ended one: 1, 2,
    /// …
    public long freeze() {
        View at = view;
        long generation = at.active().generation();
        List<FrozenMemtable> frozen = new ArrayList<>();
        frozen.add(FrozenMemtable.of(at.active()));
        frozen.addAll(at.frozen());
        var next = new Memtable(generation + 1, at.active().commonPrefix());
        view = at.withMemtables(next, frozen);
        return generation;
    }

    /// What was frozen first, and is of this generation, is replaced by the slices written from it.
    public void flushed(long generation, List<Slice> slices) {
        View at = view;
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
        RangeErases needed = view.erases().stillNeeded(slices, memoryFrom);
        view = View.of(active, frozen, slices, needed, files);
        changes++;
    }

    /// Where slices that cover `[from, to)` can be put so that they are newer than all the tree has
    /// there: the lowest level such that nothing on it or above has keys in the range. Empty while
    /// a memtable has some.
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

    /// Adds slices that a [BulkWriter] has written. On level 0 they are a run of their own, of the
    /// memtable that was frozen last, which was empty.
    ///
    /// Slices that are older than what the tree has lie below all of it: on the last level, and
    /// nothing on it or above it but level 0 has keys in their range.
    public void ingested(List<Slice> slices, long timestamp) {
        View at = view;
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

    /// Whether everything that overlaps these is in memory or on level 0.
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

    /// Slices of a compaction take the place of its inputs.
    public void compacted(List<Slice> removed, List<Slice> added) {
        View at = view;
        List<Slice> all = new ArrayList<>(at.slices());
        for (Slice slice : removed) {
            Check.that(all.remove(slice), "%s is not in the tree", slice);
        }
        all.addAll(added);
        replaceFiles(at.active(), at.frozen(), all);
    }

    /// How many runs wait on level 0: what every read pays for.
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

    /// From new to old, and then by key.
    public List<Slice> slices() {
        return view.slices();
    }

    /// Of what is frozen, the oldest first: the order in which it is to be flushed.
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

    /// A tree of the rows in `[from, to)`; without `to`, of all from there on. It has this tree's
    /// frozen memtables and tables as far as they lie in the range, and copies nothing. The active
    /// memtable is frozen first.
    ///
    /// From then on this tree is only good for reading. What the background has under way for it is
    /// to be given up: the part does not know the slices that would be replaced.
    public LsmTree part(Bytes from, @Nullable Bytes to) {
        freezeRows();
        return new LsmTree(this, TreeParts.part(view, from, to, files), lastTimestamp);
    }

    /// A tree of the rows of neighbours, in the order of their keys; `bounds` are the keys between
    /// them. Copies nothing. As with [#part], the neighbours are only good for reading then.
    public static LsmTree merged(List<LsmTree> neighbours, List<Bytes> bounds) {
        neighbours.forEach(LsmTree::freezeRows);
        LsmTree first = neighbours.getFirst();
        List<View> views = neighbours.stream().map(tree -> tree.view).toList();
        long newest = neighbours.stream().mapToLong(tree -> tree.lastTimestamp).max().orElseThrow();
        return new LsmTree(first, TreeParts.merged(views, bounds, first.files), newest);
    }

    private void freezeRows() {
        if (view.active().keys() > 0) {
            freeze();
        }
    }

    /// What memtables hold: of each key the oldest version first. Nothing is written meanwhile.
    public void eachUnflushed(VersionVisitor visitor) {
        for (FrozenMemtable memtable : view.frozen().reversed()) {
            visitAll(memtable.source(), visitor);
        }
        visitAll(view.active().source(), visitor);
    }

    /// One version of a row.
    public interface VersionVisitor {
        void visit(Bytes key, long timestamp, Bytes change);
    }

    private static void visitAll(MemtableSource source, VersionVisitor visitor) {
        for (boolean any = source.seek(Bytes.EMPTY); any; any = source.nextKey()) {
            source.visitVersions(visitor);
        }
    }

    // ---- the background

    /// For rows that come in the order of their keys.
    public BulkWriter newBulkWriter() {
        return new BulkWriter(
                new TablesWriter(
                        files,
                        options,
                        settings,
                        LsmOptions.LAST_LEVEL,
                        0,
                        RangeErases.NEVER,
                        Pacer.NONE));
    }

    /// Brings into memory what the settings want there, and lets go of what they do not. Costs
    /// nothing when nothing changed.
    public void pinGroups() {
        TreeSettings wanted = settings;
        view.tables().forEach(table -> table.pin(wanted));
    }

    /// Writes what is frozen of a generation as sealed tables of level 0. No snapshot older than
    /// `oldestSnapshot` will be read any more.
    public List<Slice> writeTables(long generation, long oldestSnapshot, Pacer pacer) {
        List<Source> sources =
                view.frozen().stream()
                        .filter(frozen -> frozen.generation() == generation)
                        .<Source>map(FrozenMemtable::source)
                        .toList();
        Check.that(!sources.isEmpty(), "generation %d is not frozen", generation);
        return write(sources, 0, generation, oldestSnapshot, false, pacer);
    }

    /// At full speed.
    public List<Slice> writeTables(long generation, long oldestSnapshot) {
        return writeTables(generation, oldestSnapshot, Pacer.NONE);
    }

    /// What should be compacted next, if anything; no snapshot older than `oldestSnapshot` will be
    /// read any more.
    public Optional<Compaction> pickCompaction(long oldestSnapshot) {
        return CompactionPicker.pick(facts(oldestSnapshot), options);
    }

    /// The same with everything kept on level 0, for what is older than all of it is still to come.
    public Optional<Compaction> pickWithinLevel0(long oldestSnapshot) {
        return CompactionPicker.pickWithinLevel0(facts(oldestSnapshot), options);
    }

    /// The next step of rewriting everything that was flushed up to `generation`, if one is left.
    public Optional<Compaction> pickFullCompaction(long generation, long oldestSnapshot) {
        return FullCompaction.pick(facts(oldestSnapshot), options, generation);
    }

    /// Without what was loaded past a frozen memtable, until that is flushed: merged with older
    /// slices of level 0, it would make them newer than the memtable.
    private List<SliceFacts> facts(long oldestSnapshot) {
        View at = view;
        TreeSettings wanted = settings;
        RangeErases erases = at.erases().seenBy(oldestSnapshot);
        long frozen = at.frozen().isEmpty() ? Long.MAX_VALUE : at.frozen().getLast().generation();
        List<SliceFacts> facts = new ArrayList<>();
        for (Run run : at.runs()) {
            for (int index = 0; index < run.slices().size(); index++) {
                Slice slice = run.slices().get(index);
                if (slice.level() == 0 && slice.generation() > frozen) {
                    continue;
                }
                TableStatistics statistics = run.tables().get(index).statistics();
                boolean needed = slice.maxTimestamp() > oldestSnapshot;
                double live = (double) statistics.rows() / statistics.versions();
                boolean stale = run.tables().get(index).isStale(wanted) || erases.concern(slice);
                boolean erased = erases.hideAll(slice);
                Layer layer = Layer.of(slice, run.tables().get(index), needed);
                facts.add(new SliceFacts(slice, erased, stale, needed ? 0 : 1 - live, layer));
            }
        }
        return facts;
    }

    /// At full speed.
    public List<Slice> runCompaction(Compaction compaction, long oldestSnapshot) {
        return runCompaction(compaction, oldestSnapshot, Pacer.NONE);
    }

    /// Writes the merged inputs as sealed tables. Versions that no snapshot from `oldestSnapshot`
    /// on can see are left out.
    public List<Slice> runCompaction(Compaction compaction, long oldestSnapshot, Pacer pacer) {
        return switch (compaction.kind()) {
            case MOVE -> {
                int level = compaction.outputLevel();
                yield compaction.inputs().stream().map(slice -> slice.atLevel(level)).toList();
            }
            case DROP -> List.of();
            case MERGE -> merge(compaction, oldestSnapshot, pacer);
        };
    }

    private List<Slice> merge(Compaction compaction, long oldestSnapshot, Pacer pacer) {
        List<Source> sources = new ArrayList<>();
        for (Run run : Run.of(compaction.inputs(), files)) {
            sources.add(new RunSource(run, Projection.ALL, BlockCache.Use.PASS));
        }
        long generation =
                compaction.inputs().stream().mapToLong(Slice::generation).max().orElseThrow();
        return write(
                sources,
                compaction.outputLevel(),
                generation,
                oldestSnapshot,
                compaction.bottom(),
                pacer);
    }

    private List<Slice> write(
            List<? extends Source> newestFirst,
            int level,
            long generation,
            long oldestSnapshot,
            boolean bottom,
            Pacer pacer) {
        RangeErases erases = view.erases().seenBy(oldestSnapshot);
        try (var tables =
                new TablesWriter(
                        files, options, settings, level, generation, erases.newest(), pacer)) {
            var folder = new VersionFolder(oldestSnapshot, bottom, erases, tables);
            var merge = new Merge(newestFirst, Direction.FORWARD);
            boolean any = merge.seek(Bytes.EMPTY, null);
            while (any) {
                folder.fold(merge);
                any = merge.nextKey();
            }
            return tables.finish();
        }
    }
}
