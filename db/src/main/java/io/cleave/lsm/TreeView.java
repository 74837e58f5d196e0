package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.lsm.memtable.FrozenMemtable;
import io.cleave.lsm.memtable.Memtable;
import io.cleave.lsm.row.Keys;
import io.cleave.lsm.row.Projection;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.row.ReadWatch;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.Source;
import io.cleave.lsm.table.BlockCache;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.RunSource;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TableReader;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The state of a tree at one moment, which a reader holds. Only the active memtable still changes,
/// because it gets new rows.
///
/// @param frozen the newest first
/// @param runs from new to old
record TreeView(
        Memtable active,
        List<FrozenMemtable> frozen,
        List<Slice> slices,
        List<Run> runs,
        RangeErases erases) {
    /// What a key costs in a memtable and not in a file, about: its entry in the index, its links,
    /// and the headers of its node and its version.
    private static final int MEMTABLE_BYTES_A_KEY = 80;

    static TreeView of(
            Memtable active,
            List<FrozenMemtable> frozen,
            List<Slice> slices,
            RangeErases erases,
            TableFiles files) {
        List<Slice> ordered = Run.inOrder(slices);
        return new TreeView(active, List.copyOf(frozen), ordered, Run.of(ordered, files), erases);
    }

    TreeView withMemtables(Memtable newActive, List<FrozenMemtable> newFrozen) {
        return new TreeView(newActive, List.copyOf(newFrozen), slices, runs, erases);
    }

    TreeView with(RangeErases newErases) {
        return new TreeView(active, frozen, slices, runs, newErases);
    }

    /// The layers of the tree for [Survivors], as snapshots from now on see them.
    List<List<Layer>> layers() {
        List<List<Layer>> layers = new ArrayList<>();
        layers.add(List.of(Layer.of(active)));
        frozen.forEach(memtable -> layers.add(List.of(Layer.of(memtable))));
        for (Run run : runs) {
            List<Layer> inRun = new ArrayList<>();
            for (int index = 0; index < run.slices().size(); index++) {
                Slice slice = run.slices().get(index);
                Layer layer = Layer.of(slice, run.tables().get(index), false);
                inRun.add(slice.isHiddenBy(erases) ? layer.erased() : layer);
            }
            layers.add(inRun);
        }
        return layers;
    }

    Stream<TableReader> tables() {
        return runs.stream().flatMap(run -> run.tables().stream());
    }

    /// The bytes of each family, by the name it has in its file. A shared table counts with the
    /// slice's share.
    List<TreeStatistics.Family> familyBytes() {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (Run run : runs) {
            for (int index = 0; index < run.slices().size(); index++) {
                TableReader table = run.tables().get(index);
                double share = (double) run.slices().get(index).bytes() / table.bytes();
                table.familyBytes()
                        .forEach(
                                (name, whole) ->
                                        bytes.merge(name, (long) (whole * share), Long::sum));
            }
        }
        return bytes.entrySet().stream()
                .map(family -> new TreeStatistics.Family(family.getKey(), family.getValue()))
                .toList();
    }

    /// The estimated size of the files that the memtables become: see [TreeStatistics].
    long unflushedBytes() {
        long bytes = rowBytes(active.bytes(), active.keys());
        for (FrozenMemtable memtable : frozen) {
            bytes += rowBytes(memtable.bytes(), memtable.keys());
        }
        return Math.round(bytes * storedShare());
    }

    private static long rowBytes(long memtableBytes, long keys) {
        return Math.max(0, memtableBytes - keys * MEMTABLE_BYTES_A_KEY);
    }

    /// The size of the files as a share of their uncompressed contents; 1 without files.
    private double storedShare() {
        long raw = 0;
        long stored = 0;
        for (Run run : runs) {
            for (TableReader table : run.tables()) {
                raw += table.statistics().rawBytes();
                stored += table.bytes();
            }
        }
        // Small files have an index and filters that are larger than their contents.
        return stored < raw ? (double) stored / raw : 1;
    }

    /// The memory of pinned blocks. Of a shared table, only the blocks of the slice count.
    long pinnedBytes() {
        long bytes = 0;
        for (Run run : runs) {
            for (int index = 0; index < run.slices().size(); index++) {
                bytes += run.tables().get(index).pinnedBytes(run.slices().get(index));
            }
        }
        return bytes;
    }

    /// Whether a memtable has a key in `[from, to)`.
    boolean inMemory(Bytes from, @Nullable Bytes to) {
        return isIn(active.source(), from, to)
                || frozen.stream().anyMatch(memtable -> isIn(memtable.source(), from, to));
    }

    private static boolean isIn(Source memtable, Bytes from, @Nullable Bytes to) {
        return memtable.seek(from) && (to == null || memtable.compareKey(to) < 0);
    }

    /// All sources that may have a key of the range, from new to old. Files that are erased as a
    /// whole for the snapshot are left out.
    List<Source> sources(Bytes from, @Nullable Bytes to, Projection projection, long snapshot) {
        RangeErases seen = erases.seenBy(snapshot);
        List<Source> sources = new ArrayList<>(1 + frozen.size() + runs.size());
        sources.add(active.source());
        for (FrozenMemtable memtable : frozen) {
            sources.add(memtable.source());
        }
        for (Run run : runs) {
            Run there = seen.isEmpty() ? run : run.only(slice -> !slice.isHiddenBy(seen));
            if (there != null && there.overlaps(from, to)) {
                sources.add(new RunSource(there, projection, BlockCache.Use.KEEP));
            }
        }
        return sources;
    }

    /// The sources of a range that may have versions later than `after`, from new to old.
    List<Source> sourcesSince(Bytes from, @Nullable Bytes to, long after) {
        return sourcesSince(from, to, after, Projection.NOTHING);
    }

    List<Source> sourcesSince(Bytes from, @Nullable Bytes to, long after, Projection projection) {
        List<Source> sources = new ArrayList<>();
        sources.add(active.source());
        for (FrozenMemtable memtable : frozen) {
            sources.add(memtable.source());
        }
        for (Run run : runs) {
            Run newer = run.only(slice -> slice.maxTimestamp() > after);
            if (newer != null && newer.overlaps(from, to)) {
                sources.add(new RunSource(newer, projection, BlockCache.Use.PASS));
            }
        }
        return sources;
    }

    /// Whether the key has a version later than `after`, or a range erase after it covers the key.
    boolean isWrittenAfter(Bytes key, long after, FilterCounters filters) {
        if (!erases.isEmpty() && erases.newerThan(after, key.array(), key.length())) {
            return true;
        }
        var newer = new NewerVersion();
        var row = new Row(Projection.NOTHING);
        row.begin(key);
        long hash = Keys.hash(key.array(), key.length());
        active.mergeInto(row, key, hash, after, newer);
        for (int index = 0; index < frozen.size() && !newer.found; index++) {
            frozen.get(index).mergeInto(row, key, hash, after, newer);
        }
        for (int index = 0; index < runs.size() && !newer.found; index++) {
            Run run = runs.get(index);
            int number = run.findEqual(key);
            if (number < 0 || run.slices().get(number).maxTimestamp() <= after) {
                continue;
            }
            TableReader table = run.tables().get(number);
            if (table.hasFilter() && !table.mayContain(hash)) {
                filters.negative();
                continue;
            }
            long ingestedAt = run.slices().get(number).ingestedAt();
            row.begin(key);
            table.get(key.array(), key.length(), row, Projection.NOTHING, after, ingestedAt, newer);
        }
        return newer.found;
    }

    private static final class NewerVersion implements ReadWatch {
        private boolean found;

        @Override
        public void newerVersion() {
            found = true;
        }
    }

    /// Merges the versions of the key that the snapshot sees into `row`.
    void merge(
            Bytes key,
            Row row,
            Projection projection,
            long snapshot,
            ReadWatch watch,
            FilterCounters filters) {
        if (!erases.isEmpty()) {
            row.floor = erases.floor(key.array(), key.length(), snapshot);
            if (erases.newerThan(snapshot, key.array(), key.length())) {
                watch.newerVersion();
            }
        }
        byte[] wanted = key.array();
        long hash = Keys.hash(wanted, wanted.length);
        if (active.mergeInto(row, key, hash, snapshot, watch)) {
            return;
        }
        for (FrozenMemtable memtable : frozen) {
            if (memtable.mergeInto(row, key, hash, snapshot, watch)) {
                return;
            }
        }
        for (Run run : runs) {
            int number = run.findEqual(key);
            if (number < 0) {
                continue;
            }
            TableReader table = run.tables().get(number);
            if (table.hasFilter() && !table.mayContain(hash)) {
                filters.negative();
                continue;
            }
            long ingestedAt = run.slices().get(number).ingestedAt();
            TableReader.LookupResult found =
                    table.get(wanted, wanted.length, row, projection, snapshot, ingestedAt, watch);
            if (table.hasFilter()) {
                filters.passed(found != TableReader.LookupResult.NOTHING);
            }
            if (found == TableReader.LookupResult.ALL) {
                return;
            }
        }
    }
}
