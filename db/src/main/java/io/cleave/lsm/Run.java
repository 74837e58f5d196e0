package io.cleave.lsm;

import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// Tables that hold different keys, in the order of their keys: what one flush or one level has. A
/// read looks at one table of each run.
///
/// Every table is open, so that a reader of an old view needs no file that may be gone by then.
record Run(List<Slice> slices, List<TableReader> tables, KeySearch froms) {
    /// Level 0 has a run for each flush, the newest first; every other level is one run.
    static List<Run> of(List<Slice> slices, TableFiles files) {
        List<Run> runs = new ArrayList<>();
        for (List<Slice> run : split(slices)) {
            List<TableReader> tables = run.stream().map(files::open).toList();
            runs.add(new Run(run, tables, fromsOf(run)));
        }
        return List.copyOf(runs);
    }

    /// From the newest versions to the oldest, and then by key.
    static List<Slice> inOrder(List<Slice> slices) {
        return slices.stream()
                .sorted(
                        Comparator.comparingInt(Slice::level)
                                .thenComparingLong(
                                        slice -> slice.level() == 0 ? -slice.generation() : 0)
                                .thenComparing(Slice::from))
                .toList();
    }

    static List<List<Slice>> split(List<Slice> slices) {
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

    /// Whether a slice can hold a key of the range; a closed one here, for a single key is one too.
    boolean overlaps(Bytes from, @Nullable Bytes to) {
        Bytes lastTo = slices.getLast().to();
        return (lastTo == null || from.compareTo(lastTo) < 0)
                && (to == null || slices.getFirst().from().compareTo(to) <= 0);
    }

    /// Some of its tables; null if there are none of them.
    @Nullable Run only(Predicate<Slice> wanted) {
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

    /// The first table that can hold a key of at least `key`; their number if none can.
    int find(Bytes key) {
        int at = Math.max(lastFrom(key), 0);
        Bytes to = slices.get(at).to();
        return to != null && Keys.compare(to, key) <= 0 ? at + 1 : at;
    }

    /// The table that holds the key if any does; -1 if none can.
    int findEqual(Bytes key) {
        int at = lastFrom(key);
        if (at < 0) {
            return -1;
        }
        Bytes to = slices.get(at).to();
        return to != null && Keys.compare(to, key) <= 0 ? -1 : at;
    }

    /// The last slice that does not begin behind the key; -1 if all do.
    private int lastFrom(Bytes key) {
        int at = froms.firstNotBefore(key.array(), key.length());
        boolean begins = at < slices.size() && slices.get(at).from().equals(key);
        return begins ? at : at - 1;
    }
}
