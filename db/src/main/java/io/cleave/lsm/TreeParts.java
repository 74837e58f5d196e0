package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;
import io.cleave.lsm.memtable.FrozenMemtable;
import io.cleave.lsm.memtable.Memtable;
import io.cleave.lsm.row.KeyHistogram;
import io.cleave.lsm.row.RangeErase;
import io.cleave.lsm.row.RangeErases;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableFiles;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Splits and merges trees by the key ranges of their parts. No row is read or copied.
///
/// *Generations.* In a tree, a later freeze has a greater generation, and a memtable that is still
/// frozen has a greater generation than any slice that compaction may choose. A compaction within
/// level 0 gives its output the greatest generation of its inputs, so the output is still older
/// than memtables that are flushed later.
///
/// A split keeps all generations. The trees of a merge have counted independently. In the merged
/// tree, slices keep their generations: in each key range their order is unchanged, and two slices
/// of one generation have different keys. Frozen memtables get new generations, greater than those
/// of all merged trees. The oldest memtables of the trees become one generation, then the next
/// oldest, and so on; the memtables of one generation are flushed together.
final class TreeParts {
    private TreeParts() {}

    /// The active memtable must be empty.
    static TreeView part(TreeView whole, Bytes from, @Nullable Bytes to, TableFiles files) {
        List<FrozenMemtable> frozen =
                tidy(whole.frozen().stream().map(memtable -> memtable.within(from, to)).toList());
        RangeErases erases = whole.erases().within(from, to);
        return TreeView.of(emptyMemtable(whole), frozen, slices(whole, from, to), erases, files);
    }

    /// The active memtables must be empty.
    static TreeView merged(List<TreeView> neighbours, List<Bytes> bounds, TableFiles files) {
        Check.that(bounds.size() == neighbours.size() - 1, "%d bounds", bounds.size());
        long last = 0;
        for (TreeView neighbour : neighbours) {
            last = Math.max(last, emptyMemtable(neighbour).generation() - 1);
        }
        List<Slice> slices = new ArrayList<>();
        List<FrozenMemtable> frozen = new ArrayList<>();
        List<RangeErase> erases = new ArrayList<>();
        long lastFrozen = last;
        for (int index = 0; index < neighbours.size(); index++) {
            TreeView neighbour = neighbours.get(index);
            Bytes from = index == 0 ? Bytes.EMPTY : bounds.get(index - 1);
            Bytes to = index == bounds.size() ? null : bounds.get(index);
            slices.addAll(slices(neighbour, from, to));
            erases.addAll(neighbour.erases().within(from, to).all());
            List<Long> generations =
                    neighbour.frozen().stream()
                            .map(FrozenMemtable::generation)
                            .sorted()
                            .distinct()
                            .toList();
            for (FrozenMemtable memtable : neighbour.frozen()) {
                int order = generations.indexOf(memtable.generation());
                frozen.add(memtable.within(from, to).renumbered(last + 1 + order));
            }
            lastFrozen = Math.max(lastFrozen, last + generations.size());
        }
        frozen.sort(Comparator.comparingLong(FrozenMemtable::generation).reversed());
        return TreeView.of(
                new Memtable(lastFrozen + 1), tidy(frozen), slices, new RangeErases(erases), files);
    }

    /// Removes empty parts, and joins adjacent parts of one memtable. Otherwise a tree that is
    /// split and merged repeatedly while nothing can be flushed would grow each time. At least one
    /// part of every generation stays, because the cell expects to flush it.
    private static List<FrozenMemtable> tidy(List<FrozenMemtable> frozen) {
        List<FrozenMemtable> kept = new ArrayList<>();
        for (FrozenMemtable memtable : frozen) {
            boolean isNew = kept.isEmpty() || kept.getLast().generation() != memtable.generation();
            if (!isNew && kept.getLast().isEmpty()) {
                kept.set(kept.size() - 1, memtable);
            } else if (isNew || !memtable.isEmpty()) {
                add(kept, memtable);
            }
        }
        return kept;
    }

    private static void add(List<FrozenMemtable> kept, FrozenMemtable memtable) {
        for (int index = 0; index < kept.size(); index++) {
            if (kept.get(index).isFollowedBy(memtable)) {
                kept.set(index, kept.get(index).with(memtable));
                return;
            }
        }
        kept.add(memtable);
    }

    private static Memtable emptyMemtable(TreeView view) {
        Check.that(view.active().keys() == 0, "%d keys are not frozen", view.active().keys());
        return new Memtable(view.active().generation(), view.active().commonPrefix());
    }

    private static List<Slice> slices(TreeView view, Bytes from, @Nullable Bytes to) {
        List<Slice> inside = new ArrayList<>();
        for (Run run : view.runs()) {
            for (int index = 0; index < run.slices().size(); index++) {
                Slice slice = run.slices().get(index);
                if (slice.overlaps(from, to)) {
                    KeyHistogram table = run.tables().get(index).meta().histogram();
                    inside.add(slice.within(from, to, table));
                }
            }
        }
        return inside;
    }
}
