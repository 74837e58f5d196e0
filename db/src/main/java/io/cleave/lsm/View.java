package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A tree at one moment: what a reader holds on to. The active memtable goes on growing, all else
/// is fixed.
///
/// @param frozen the newest first
/// @param runs from new to old
record View(Memtable active, List<Memtable> frozen, List<Slice> slices, List<Run> runs) {
    static View of(Memtable active, List<Memtable> frozen, List<Slice> slices, TableFiles files) {
        List<Slice> ordered = Run.inOrder(slices);
        return new View(active, List.copyOf(frozen), ordered, Run.of(ordered, files));
    }

    View withMemtables(Memtable newActive, List<Memtable> newFrozen) {
        return new View(newActive, List.copyOf(newFrozen), slices, runs);
    }

    /// All places where a key of the range may be, from new to old.
    List<Source> sources(Bytes from, @Nullable Bytes to) {
        List<Source> sources = new ArrayList<>(1 + frozen.size() + runs.size());
        sources.add(active.source());
        for (Memtable memtable : frozen) {
            sources.add(memtable.source());
        }
        for (Run run : runs) {
            if (run.overlaps(from, to)) {
                sources.add(new RunSource(run, BlockCache.Use.KEEP));
            }
        }
        return sources;
    }

    /// Merges into `row` what the snapshot sees of its key.
    void merge(Bytes key, Row row, long snapshot, ReadWatch watch) {
        if (mergeMemtable(active, key, row, snapshot, watch)) {
            return;
        }
        for (Memtable memtable : frozen) {
            if (mergeMemtable(memtable, key, row, snapshot, watch)) {
                return;
            }
        }
        for (Run run : runs) {
            if (!run.overlaps(key, key)) {
                continue;
            }
            var source = new RunSource(run, BlockCache.Use.KEEP);
            if (source.seekEqual(key) && source.mergeInto(row, snapshot, watch)) {
                return;
            }
        }
    }

    private static boolean mergeMemtable(
            Memtable memtable, Bytes key, Row row, long snapshot, ReadWatch watch) {
        return memtable.mergeInto(row, key, snapshot, watch);
    }
}
