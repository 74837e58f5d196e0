package io.cleave.lsm;

import io.cleave.base.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What of a tree has expired, by the times that its files say of themselves, or by their keys.
/// Reads no rows.
///
/// A file knows the times of all its versions; one that does not name the column counts as never.
/// So a file whose latest time has passed has nothing but expired rows, and where no other place of
/// the tree has keys of its range, there is nothing newer that could say otherwise.
///
/// Where the time is what keys begin with, the keys of one range have expired, whatever is written
/// to them: a file that lies in it has nothing else.
public final class ExpiredSlices {
    private ExpiredSlices() {}

    /// Keys `[from, to)`, all of whose rows have expired.
    ///
    /// @param to null: no upper bound
    public record Part(Bytes from, @Nullable Bytes to, long rows) {}

    static List<Part> alone(View view, Expiry expiry, long throughMicros) {
        List<Part> found = new ArrayList<>();
        for (Run run : view.runs()) {
            for (int number = 0; number < run.slices().size(); number++) {
                Slice slice = run.slices().get(number);
                if (isExpired(run.tables().get(number), expiry, throughMicros)
                        && isAlone(view, slice)
                        && !view.erases().hideAll(slice)) {
                    found.add(new Part(slice.from(), slice.to(), slice.rows()));
                }
            }
        }
        return found;
    }

    /// The same of slices that lie in `[from, to)`, all keys of which have expired. Other files may
    /// have keys of their ranges, for these have expired too; what is in memory is not counted by
    /// anyone, and so it is left.
    static List<Part> within(View view, Bytes from, @Nullable Bytes to) {
        List<Part> found = new ArrayList<>();
        for (Slice slice : view.slices()) {
            if (isWithin(slice, from, to)
                    && !view.inMemory(slice.from(), slice.to())
                    && !view.erases().hideAll(slice)) {
                found.add(new Part(slice.from(), slice.to(), slice.rows()));
            }
        }
        return found;
    }

    private static boolean isWithin(Slice slice, Bytes from, @Nullable Bytes to) {
        Bytes sliceTo = slice.to();
        return from.compareTo(slice.from()) <= 0
                && (to == null || (sliceTo != null && sliceTo.compareTo(to) <= 0));
    }

    private static boolean isExpired(TableReader table, Expiry expiry, long throughMicros) {
        return expiry.equals(table.meta().expiry())
                && table.statistics().latestExpiry() <= throughMicros;
    }

    private static boolean isAlone(View view, Slice slice) {
        return !view.inMemory(slice.from(), slice.to())
                && view.slices().stream().filter(slice::overlaps).count() == 1;
    }

    /// Times are taken to be spread evenly over a file; what has none is left out.
    static long rows(View view, Expiry expiry, long afterMicros, long throughMicros) {
        double rows = 0;
        for (Run run : view.runs()) {
            for (int number = 0; number < run.slices().size(); number++) {
                TableReader table = run.tables().get(number);
                Slice slice = run.slices().get(number);
                if (expiry.equals(table.meta().expiry()) && !view.erases().hideAll(slice)) {
                    TableStatistics times = table.statistics();
                    rows += slice.rows() * share(times, afterMicros, throughMicros);
                }
            }
        }
        return Math.round(rows);
    }

    /// About how many rows files have in `[from, to)`.
    static long rows(View view, Bytes from, @Nullable Bytes to) {
        long rows = 0;
        for (Run run : view.runs()) {
            for (int number = 0; number < run.slices().size(); number++) {
                Slice slice = run.slices().get(number);
                if (slice.overlaps(from, to) && !view.erases().hideAll(slice)) {
                    KeyHistogram keys = run.tables().get(number).meta().histogram();
                    rows += keys.within(slice.from(), slice.to()).within(from, to).rows();
                }
            }
        }
        return rows;
    }

    private static double share(TableStatistics times, long afterMicros, long throughMicros) {
        long earliest = times.earliestExpiry();
        if (earliest == Expiry.NEVER || earliest > throughMicros) {
            return 0;
        }
        // Where some rows have no time, the others are taken to end now.
        long latest = times.latestExpiry() == Expiry.NEVER ? throughMicros : times.latestExpiry();
        double all = (double) latest - earliest + 1;
        double some =
                (double) Math.min(latest, throughMicros) - Math.max(earliest - 1, afterMicros);
        return Math.clamp(some / all, 0, 1);
    }
}
