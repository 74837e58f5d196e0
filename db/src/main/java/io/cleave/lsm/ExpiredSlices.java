package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.KeyHistogram;
import io.cleave.lsm.table.Expiry;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.Slice;
import io.cleave.lsm.table.TableReader;
import io.cleave.lsm.table.TableStatistics;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Finds expired data of a tree from the expiry statistics of its files, or from their keys. Reads
/// no rows.
///
/// The statistics of a file cover all its versions; a version that does not set the expiry column
/// counts as never expiring. So a file whose latest expiry time has passed holds only expired rows.
/// If no other part of the tree has keys in its range, no newer version can make one of them live.
///
/// If keys begin with the expiry time, the expired keys form a range. Every key in it has expired,
/// whatever is written to it, so a file within that range holds only expired rows.
public final class ExpiredSlices {
    private final TreeView view;

    ExpiredSlices(TreeView view) {
        this.view = view;
    }

    /// Keys `[from, to)`, all of whose rows have expired.
    ///
    /// @param to null: no upper bound
    public record Part(Bytes from, @Nullable Bytes to, long rows) {}

    /// The ranges of files whose rows have all expired by `throughMicros`, according to the expiry
    /// column. Nothing else in the tree has keys in these ranges, not even a memtable, so they can
    /// be erased.
    public List<Part> alone(Expiry expiry, long throughMicros) {
        List<Part> found = new ArrayList<>();
        for (Run run : view.runs()) {
            for (int number = 0; number < run.slices().size(); number++) {
                Slice slice = run.slices().get(number);
                if (isExpired(run.tables().get(number), expiry, throughMicros)
                        && isAlone(slice)
                        && !slice.isHiddenBy(view.erases())) {
                    found.add(new Part(slice.from(), slice.to(), slice.rows()));
                }
            }
        }
        return found;
    }

    /// The slices within `[from, to)`, all keys of which have expired. Other files may have keys in
    /// the same ranges, because those keys have expired too. A slice is left out if a memtable has
    /// keys in its range, because rows in memory are not counted.
    public List<Part> within(Bytes from, @Nullable Bytes to) {
        List<Part> found = new ArrayList<>();
        for (Slice slice : view.slices()) {
            if (isWithin(slice, from, to)
                    && !view.inMemory(slice.from(), slice.to())
                    && !slice.isHiddenBy(view.erases())) {
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

    private boolean isAlone(Slice slice) {
        return !view.inMemory(slice.from(), slice.to())
                && view.slices().stream().filter(slice::overlaps).count() == 1;
    }

    /// The estimated number of rows that expire in `(afterMicros, throughMicros]`. Assumes that the
    /// expiry times of a file are evenly distributed. Files without expiry times are not counted.
    public long rows(Expiry expiry, long afterMicros, long throughMicros) {
        double rows = 0;
        for (Run run : view.runs()) {
            for (int number = 0; number < run.slices().size(); number++) {
                TableReader table = run.tables().get(number);
                Slice slice = run.slices().get(number);
                if (expiry.equals(table.meta().expiry()) && !slice.isHiddenBy(view.erases())) {
                    TableStatistics times = table.statistics();
                    rows += slice.rows() * share(times, afterMicros, throughMicros);
                }
            }
        }
        return Math.round(rows);
    }

    /// The estimated number of rows of files in `[from, to)`.
    public long rows(Bytes from, @Nullable Bytes to) {
        long rows = 0;
        for (Run run : view.runs()) {
            for (int number = 0; number < run.slices().size(); number++) {
                Slice slice = run.slices().get(number);
                if (slice.overlaps(from, to) && !slice.isHiddenBy(view.erases())) {
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
        // If some rows never expire, the others are assumed to expire by now.
        long latest = times.latestExpiry() == Expiry.NEVER ? throughMicros : times.latestExpiry();
        double all = (double) latest - earliest + 1;
        double some =
                (double) Math.min(latest, throughMicros) - Math.max(earliest - 1, afterMicros);
        return Math.clamp(some / all, 0, 1);
    }
}
