package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.base.Direction;
import io.cleave.lsm.memtable.FrozenMemtable;
import io.cleave.lsm.row.Merge;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.row.Source;
import io.cleave.lsm.table.BlockCache;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Pacer;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.RunSource;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TableReader;
import io.cleave.lsm.table.TableStatistics;
import io.cleave.lsm.table.TablesWriter;
import io.cleave.lsm.table.TreeSettings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The work of the background on one [LsmTree]: flushes, compactions and bulk loads. It writes new
/// tables and does not change the tree. The tree's writer installs the tables afterwards, with
/// [LsmTree#flushed], [LsmTree#compacted] or [LsmTree#ingested].
///
/// Threads: any. A tree has at most one flush and one compaction at a time.
public final class TreeMaintenance {
    private final LsmTree tree;
    private final TableFiles files;
    private final LsmOptions options;

    TreeMaintenance(LsmTree tree, TableFiles files, LsmOptions options) {
        this.tree = tree;
        this.files = files;
        this.options = options;
    }

    /// A writer for rows in ascending key order.
    public BulkWriter newBulkWriter() {
        return new BulkWriter(
                new TablesWriter(
                        files,
                        options,
                        tree.settings(),
                        LsmOptions.LAST_LEVEL,
                        0,
                        RangeErases.NEVER,
                        Pacer.NONE));
    }

    /// Loads the blocks that the settings pin in memory, and releases those that they no longer
    /// pin. Returns false if there is no room for some.
    public boolean pinFamilies() {
        TreeSettings wanted = tree.settings();
        boolean isAll = true;
        for (TableReader table : tree.view().tables().toList()) {
            isAll &= table.pin(wanted);
        }
        return isAll;
    }

    /// Writes the frozen memtables of a generation as sealed tables of level 0. No snapshot older
    /// than `oldestSnapshot` will be read any more.
    public List<Slice> writeTables(long generation, long oldestSnapshot, Pacer pacer) {
        List<Source> sources =
                tree.view().frozen().stream()
                        .filter(frozen -> frozen.generation() == generation)
                        .<Source>map(FrozenMemtable::source)
                        .toList();
        Check.that(!sources.isEmpty(), "generation %d is not frozen", generation);
        return write(sources, 0, generation, oldestSnapshot, false, pacer);
    }

    /// Writes the tables without a pacer.
    public List<Slice> writeTables(long generation, long oldestSnapshot) {
        return writeTables(generation, oldestSnapshot, Pacer.NONE);
    }

    /// The next compaction, if one is needed. No snapshot older than `oldestSnapshot` will be read
    /// any more.
    public Optional<Compaction> pickCompaction(long oldestSnapshot) {
        return CompactionPicker.pick(facts(oldestSnapshot), options);
    }

    /// The next compaction within level 0, for a tree that will still get data older than level 0.
    public Optional<Compaction> pickWithinLevel0(long oldestSnapshot) {
        return CompactionPicker.pickWithinLevel0(facts(oldestSnapshot), options);
    }

    /// The next step of a full compaction of everything that was flushed up to `generation`, if one
    /// is left.
    public Optional<Compaction> pickFullCompaction(long generation, long oldestSnapshot) {
        return FullCompaction.pick(facts(oldestSnapshot), options, generation);
    }

    /// The slices that may be compacted. Leaves out level 0 slices that were bulk-loaded while an
    /// older memtable was still frozen. Merged with older slices of level 0, they would make those
    /// newer than the memtable.
    private List<SliceFacts> facts(long oldestSnapshot) {
        TreeView at = tree.view();
        TreeSettings wanted = tree.settings();
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
                boolean stale =
                        run.tables().get(index).isStale(wanted) || slice.isConcernedBy(erases);
                boolean erased = slice.isHiddenBy(erases);
                Layer layer = Layer.of(slice, run.tables().get(index), needed);
                facts.add(new SliceFacts(slice, erased, stale, needed ? 0 : 1 - live, layer));
            }
        }
        return facts;
    }

    /// Runs the compaction without a pacer.
    public List<Slice> runCompaction(Compaction compaction, long oldestSnapshot) {
        return runCompaction(compaction, oldestSnapshot, Pacer.NONE);
    }

    /// Runs a compaction and returns its output slices. A merge writes sealed tables, without the
    /// versions that no snapshot from `oldestSnapshot` on can see.
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
        RangeErases erases = tree.view().erases().seenBy(oldestSnapshot);
        try (var tables =
                new TablesWriter(
                        files,
                        options,
                        tree.settings(),
                        level,
                        generation,
                        erases.newest(),
                        pacer)) {
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
