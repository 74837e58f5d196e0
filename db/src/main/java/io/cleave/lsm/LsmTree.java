package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    private final TableFiles files;
    private final LsmOptions options;

    /// Replaced by the writer only.
    private volatile View view;

    /// Replaced by the writer, read by whoever writes tables.
    private volatile TreeSettings settings;

    private final FilterCounters filters = new FilterCounters();

    // The writer's own.
    private long lastTimestamp = Long.MIN_VALUE;

    public LsmTree(TableFiles files, LsmOptions options) {
        this(files, options, TreeSettings.DEFAULT);
    }

    public LsmTree(TableFiles files, LsmOptions options, TreeSettings settings) {
        this.files = files;
        this.options = options;
        this.settings = settings;
        view = View.of(new Memtable(1), List.of(), List.of(), files);
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
        var merge = new Merge(view.sources(from, to, projection), direction);
        return new RowCursor(merge, from, to, new Row(projection), snapshot, direction, watch);
    }

    /// Cheap enough to ask for every second.
    public TreeStatistics statistics() {
        View at = view;
        long rows = at.active().keys();
        for (Memtable memtable : at.frozen()) {
            rows += memtable.keys();
        }
        List<TreeStatistics.Level> levels = new ArrayList<>();
        long tableBytes = 0;
        for (int level = 0; level <= LsmOptions.LAST_LEVEL; level++) {
            TreeStatistics.Level sum = sumOf(at.slices(), level);
            if (sum.tables() > 0) {
                levels.add(sum);
                rows += sum.rows();
                tableBytes += sum.bytes();
            }
        }
        int runs = 1 + at.frozen().size() + at.runs().size();
        return new TreeStatistics(
                rows,
                activeBytes() + frozenBytes(),
                tableBytes,
                runs,
                levels,
                at.groupBytes(),
                filters.statistics(),
                at.tables().mapToLong(TableReader::pinnedBytes).sum());
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

    /// Adds a version. Timestamps never decrease; of two with the same key and timestamp, the later
    /// one is on top.
    public void write(Bytes key, long timestamp, Bytes change) {
        Check.that(timestamp >= lastTimestamp, "timestamp %d after %d", timestamp, lastTimestamp);
        lastTimestamp = timestamp;
        view.active().add(key, timestamp, change);
    }

    /// Tables written from now on have these settings.
    public void configure(TreeSettings newSettings) {
        settings = newSettings;
    }

    public TreeSettings settings() {
        return settings;
    }

    public long activeBytes() {
        return view.active().bytes();
    }

    public long frozenBytes() {
        return view.frozen().stream().mapToLong(Memtable::bytes).sum();
    }

    /// Ends the active memtable and begins another; returns the generation of the ended one: 1, 2,
    /// …
    public long freeze() {
        View at = view;
        long generation = at.active().generation();
        List<Memtable> frozen = new ArrayList<>();
        frozen.add(at.active());
        frozen.addAll(at.frozen());
        var next = new Memtable(generation + 1, at.active().commonPrefix());
        view = at.withMemtables(next, frozen);
        return generation;
    }

    /// The oldest frozen memtable, of this generation, is replaced by the slices written from it.
    public void flushed(long generation, List<Slice> slices) {
        View at = view;
        Check.that(!at.frozen().isEmpty(), "nothing is frozen");
        long oldest = at.frozen().getLast().generation();
        Check.that(oldest == generation, "generation %d before %d", generation, oldest);
        List<Memtable> frozen = at.frozen().subList(0, at.frozen().size() - 1);
        List<Slice> all = new ArrayList<>(at.slices());
        all.addAll(slices);
        view = View.of(at.active(), frozen, all, files);
    }

    /// Slices of a compaction take the place of its inputs.
    public void compacted(List<Slice> removed, List<Slice> added) {
        View at = view;
        List<Slice> all = new ArrayList<>(at.slices());
        for (Slice slice : removed) {
            Check.that(all.remove(slice), "%s is not in the tree", slice);
        }
        all.addAll(added);
        view = View.of(at.active(), at.frozen(), all, files);
    }

    /// From new to old, and then by key.
    public List<Slice> slices() {
        return view.slices();
    }

    /// The generation of the last memtable that was frozen; 0 if none was.
    public long lastGeneration() {
        return view.active().generation() - 1;
    }

    /// Puts a new tree where another was: `slices` and `lastGeneration` are of a moment at which
    /// nothing was frozen, or what was frozen will be written again.
    public void restore(List<Slice> slices, long lastGeneration) {
        View at = view;
        Check.that(
                at.slices().isEmpty() && at.frozen().isEmpty() && at.active().keys() == 0,
                "only a new tree can be restored");
        view = View.of(new Memtable(lastGeneration + 1), List.of(), slices, files);
        for (Slice slice : slices) {
            lastTimestamp = Math.max(lastTimestamp, slice.maxTimestamp());
        }
    }

    // ---- the background

    /// Brings into memory what the settings want there, and lets go of what they do not. Costs
    /// nothing when nothing changed.
    public void pinGroups() {
        TreeSettings wanted = settings;
        view.tables().forEach(table -> table.pin(wanted));
    }

    /// Whether a table of the tree would look different if it were written now.
    boolean isStale(Slice slice) {
        return files.open(slice.blobId()).isStale(settings);
    }

    /// Writes a frozen memtable as sealed tables of level 0. No snapshot older than
    /// `oldestSnapshot` will be read any more.
    public List<Slice> writeTables(long generation, long oldestSnapshot) {
        Memtable memtable =
                view.frozen().stream()
                        .filter(frozen -> frozen.generation() == generation)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "generation " + generation + " is not frozen"));
        return write(List.of(memtable.source()), 0, generation, oldestSnapshot, false);
    }

    /// What should be compacted next, if anything.
    public Optional<Compaction> pickCompaction() {
        return CompactionPicker.pick(view.slices(), options);
    }

    /// Writes the merged inputs as sealed tables. Versions that no snapshot from `oldestSnapshot`
    /// on can see are left out.
    public List<Slice> runCompaction(Compaction compaction, long oldestSnapshot) {
        if (compaction.move()) {
            int level = compaction.outputLevel();
            return compaction.inputs().stream().map(slice -> slice.atLevel(level)).toList();
        }
        List<Source> sources = new ArrayList<>();
        for (Run run : Run.of(compaction.inputs(), files)) {
            sources.add(new RunSource(run, Projection.ALL, BlockCache.Use.PASS));
        }
        long generation =
                compaction.inputs().stream().mapToLong(Slice::generation).max().orElseThrow();
        return write(
                sources, compaction.outputLevel(), generation, oldestSnapshot, compaction.bottom());
    }

    private List<Slice> write(
            List<? extends Source> newestFirst,
            int level,
            long generation,
            long oldestSnapshot,
            boolean bottom) {
        try (var tables = new TablesWriter(files, options, settings, level, generation)) {
            var folder = new VersionFolder(oldestSnapshot, bottom, tables);
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
