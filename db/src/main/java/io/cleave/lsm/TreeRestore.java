package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.lsm.memtable.FrozenMemtable;
import io.cleave.lsm.memtable.Memtable;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.table.LsmOptions;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;
import io.cleave.lsm.table.TreeSettings;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Restores a tree from a log. The files are known; the memtables are filled again, each with the
/// versions it had before. Threads: one.
public final class TreeRestore {
    private final TableFiles files;
    private final LsmOptions options;
    private final TreeSettings settings;
    private final List<Slice> slices;
    private final List<RangeErase> erases;
    private final TreeMap<Long, Memtable> memtables = new TreeMap<>();

    /// The greatest timestamp of the memtables and the range erases.
    private long lastTimestamp = Long.MIN_VALUE;

    /// `generations` are those of the memtables, the oldest first; the last one is that of the
    /// active memtable.
    public TreeRestore(
            TableFiles files,
            LsmOptions options,
            TreeSettings settings,
            List<Slice> slices,
            List<RangeErase> erases,
            List<Long> generations) {
        this.files = files;
        this.options = options;
        this.settings = settings;
        this.slices = slices;
        this.erases = erases;
        erases.forEach(erase -> lastTimestamp = Math.max(lastTimestamp, erase.timestamp()));
        generations.forEach(generation -> memtables.put(generation, new Memtable(generation)));
        Check.that(
                List.copyOf(memtables.keySet()).equals(generations),
                "generations %s are not in order",
                generations);
    }

    /// Adds a version to the memtable of this generation. The versions of one key come oldest
    /// first.
    public void write(long generation, Bytes key, long timestamp, Bytes change) {
        Memtable memtable = memtables.get(generation);
        if (memtable == null) {
            throw new IllegalStateException("no memtable of generation " + generation);
        }
        lastTimestamp = Math.max(lastTimestamp, timestamp);
        memtable.add(key, timestamp, change);
        if (memtable.keys() == LsmTree.ENOUGH_KEYS) {
            memtables.put(generation, memtable.withBetterPrefixes());
        }
    }

    public LsmTree finish() {
        List<Memtable> newestFirst = new ArrayList<>(memtables.descendingMap().values());
        List<FrozenMemtable> frozen = newestFirst.stream().skip(1).map(FrozenMemtable::of).toList();
        Memtable active = newestFirst.getFirst();
        TreeView view = TreeView.of(active, frozen, slices, new RangeErases(erases), files);
        return new LsmTree(files, options, settings, view, lastTimestamp);
    }
}
