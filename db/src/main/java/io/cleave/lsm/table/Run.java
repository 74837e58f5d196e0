package io.cleave.lsm.table;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.lsm.row.Keys;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// A sorted run: tables with disjoint key ranges, in key order. One flush or one level makes a run.
/// A point read looks at one table of each run.
///
/// Every table is open, so a reader of an old view needs no file that may have been deleted since.
public record Run(List<Slice> slices, List<TableReader> tables, KeySearch froms) {
    /// The runs of a tree's slices. Level 0 has a run for each flush, the newest first; every other
    /// level is one run.
    public static List<Run> of(List<Slice> slices, TableFiles files) {
        List<Run> runs = new ArrayList<>();
        for (List<Slice> run : split(slices)) {
            List<TableReader> tables = run.stream().map(files::open).toList();
            runs.add(new Run(run, tables, fromsOf(run)));
        }
        return List.copyOf(runs);
    }

    /// Sorts slices from the newest versions to the oldest, and then by key.
    public static List<Slice> inOrder(List<Slice> slices) {
        return slices.stream()
                .sorted(
                        Comparator.comparingInt(Slice::level)
                                .thenComparingLong(
                                        slice -> slice.level() == 0 ? -slice.generation() : 0)
                                .thenComparing(Slice::from))
                .toList();
    }

    public static List<List<Slice>> split(List<Slice> slices) {
        List<List<Slice>> runs = new ArrayList<>();
        Slice before = null;
        for (Slice slice : inOrder(slices)) {
            if (before == null || !sameRun(before, slice)) {
                runs.add(new ArrayList<>());
            }
            runs.getLast().add(slice);
            before = slice;
        }
        return runs;
    }

    private static boolean sameRun(Slice a, Slice b) {
        return a.level() == b.level() && (a.level() > 0 || a.generation() == b.generation());
    }

    /// Whether the run may have a key in `[from, to]`. The range includes `to`, so that it can be a
    /// single key.
    public boolean overlaps(Bytes from, @Nullable Bytes to) {
        Bytes lastTo = slices.getLast().to();
        return (lastTo == null || from.compareTo(lastTo) < 0)
                && (to == null || slices.getFirst().from().compareTo(to) <= 0);
    }

    /// The run with only the wanted slices; null if there are none.
    public @Nullable Run only(Predicate<Slice> wanted) {
        List<Slice> newSlices = new ArrayList<>();
        List<TableReader> newTables = new ArrayList<>();
        for (int index = 0; index < slices.size(); index++) {
            if (wanted.test(slices.get(index))) {
                newSlices.add(slices.get(index));
                newTables.add(tables.get(index));
            }
        }
        return newSlices.isEmpty() ? null : new Run(newSlices, newTables, fromsOf(newSlices));
    }

    private static KeySearch fromsOf(List<Slice> slices) {
        var keys = new ByteWriter(1 << 8);
        int[] from = new int[slices.size() + 1];
        for (int index = 0; index < slices.size(); index++) {
            Bytes key = slices.get(index).from();
            keys.put(key.array(), 0, key.length());
            from[index + 1] = keys.length();
        }
        return new KeySearch(keys.toArray(), from);
    }

    /// The first table that may have a key of at least `key`; the number of tables if there is
    /// none.
    int find(Bytes key) {
        int at = Math.max(lastFrom(key), 0);
        Bytes to = slices.get(at).to();
        return to != null && Keys.compare(to, key) <= 0 ? at + 1 : at;
    }

    /// The only table that may have the key; -1 if there is none.
    public int findEqual(Bytes key) {
        int at = lastFrom(key);
        if (at < 0) {
            return -1;
        }
        Bytes to = slices.get(at).to();
        return to != null && Keys.compare(to, key) <= 0 ? -1 : at;
    }

    /// The last slice that begins at or before the key; -1 if there is none.
    private int lastFrom(Bytes key) {
        int at = froms.firstNotBefore(key.array(), key.length());
        boolean begins = at < slices.size() && slices.get(at).from().equals(key);
        return begins ? at : at - 1;
    }
}
