package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Cuts trees and puts them together, by the ranges of what they are made of. No row is touched.
///
/// *Generations.* In a tree, what is frozen later has the greater generation, and what is still
/// frozen has a greater one than any slice that compaction may choose: so slices of level 0 that
/// are merged into one, which has the greatest of their generations, never come before what is
/// flushed after them. A part keeps the generations as they are. Neighbours have counted each for
/// itself; put together, slices keep theirs, for in each range their order is the same as before,
/// and two slices of one generation hold different keys. What is frozen is counted anew, behind the
/// generations of all neighbours: the oldest of each become one generation, then the next, and are
/// flushed together.
final class TreeParts {
    private TreeParts() {}

    /// Nothing is in the active memtable.
    static View part(View whole, Bytes from, @Nullable Bytes to, TableFiles files) {
        List<FrozenMemtable> frozen =
                tidy(whole.frozen().stream().map(memtable -> memtable.within(from, to)).toList());
        RangeErases erases = whole.erases().within(from, to);
        return View.of(emptyMemtable(whole), frozen, slices(whole, from, to), erases, files);
    }

    /// Nothing is in the active memtables.
    static View merged(List<View> neighbours, List<Bytes> bounds, TableFiles files) {
        Check.that(bounds.size() == neighbours.size() - 1, "%d bounds", bounds.size());
        long last = 0;
        for (View neighbour : neighbours) {
            last = Math.max(last, emptyMemtable(neighbour).generation() - 1);
        }
        List<Slice> slices = new ArrayList<>();
        List<FrozenMemtable> frozen = new ArrayList<>();
        List<RangeErase> erases = new ArrayList<>();
        long lastFrozen = last;
        for (int index = 0; index < neighbours.size(); index++) {
            View neighbour = neighbours.get(index);
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
        return View.of(
                new Memtable(lastFrozen + 1), tidy(frozen), slices, new RangeErases(erases), files);
    }

    /// Without parts that hold nothing, and with neighbours of one memtable as one part again: a
    /// tree that is cut and merged while nothing can be flushed must not grow with each time. Of
    /// every generation something stays, for the cell has it to be flushed.
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

    private static Memtable emptyMemtable(View view) {
        Check.that(view.active().keys() == 0, "%d keys are not frozen", view.active().keys());
        return new Memtable(view.active().generation(), view.active().commonPrefix());
    }

    private static List<Slice> slices(View view, Bytes from, @Nullable Bytes to) {
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
