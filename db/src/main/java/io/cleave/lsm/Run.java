package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Tables that hold different keys, in the order of their keys: what one flush or one level has. A
/// read looks at one table of each run.
///
/// Every table is open, so that a reader of an old view needs no file that may be gone by then.
record Run(List<Slice> slices, List<TableReader> tables) {
    /// Level 0 has a run for each flush, the newest first; every other level is one run.
    static List<Run> of(List<Slice> slices, TableFiles files) {
        List<Run> runs = new ArrayList<>();
        for (List<Slice> run : split(slices)) {
            runs.add(new Run(run, run.stream().map(slice -> files.open(slice.blobId())).toList()));
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

    /// The first table that can hold a key of at least `key`; their number if none can.
    int find(Bytes key) {
        int low = 0;
        int high = slices.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            Bytes to = slices.get(middle).to();
            if (to != null && to.compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
