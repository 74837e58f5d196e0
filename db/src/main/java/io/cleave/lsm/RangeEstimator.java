package io.cleave.lsm;

import io.cleave.base.Bytes;
import io.cleave.lsm.memtable.MemtableHistogram;
import io.cleave.lsm.row.KeyHistogram;
import io.cleave.lsm.table.Run;
import io.cleave.lsm.table.Slice;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Estimates sizes of key ranges from the histograms of a tree's memtables and slices. Reads no
/// data.
///
/// At each end of a range, the error is at most one bucket of each histogram. At the ends of the
/// tree the estimate is exact.
public final class RangeEstimator {
    private final List<KeyHistogram> histograms;
    private final long bytes;

    RangeEstimator(List<KeyHistogram> histograms) {
        this.histograms = List.copyOf(histograms);
        bytes = histograms.stream().mapToLong(KeyHistogram::bytes).sum();
    }

    static RangeEstimator of(TreeView view) {
        List<KeyHistogram> all = new ArrayList<>();
        all.add(MemtableHistogram.of(view.active()));
        view.frozen().forEach(memtable -> all.add(memtable.histogram()));
        for (Run run : view.runs()) {
            for (int index = 0; index < run.slices().size(); index++) {
                Slice slice = run.slices().get(index);
                KeyHistogram whole = run.tables().get(index).meta().histogram();
                all.add(whole.within(slice.from(), slice.to()));
            }
        }
        return new RangeEstimator(all);
    }

    /// An estimate of the data in `[from, to)`; without `to`, up to the last row.
    public Estimate between(Bytes from, @Nullable Bytes to) {
        if (to != null && from.compareTo(to) >= 0) {
            return new Estimate(0, 0);
        }
        long rows = 0;
        long rangeBytes = 0;
        for (KeyHistogram histogram : histograms) {
            KeyHistogram.Point low = histogram.at(from);
            rows -= low.rows();
            rangeBytes -= low.bytes();
            rows += to == null ? histogram.rows() : histogram.rowsBefore(to);
            rangeBytes += to == null ? histogram.bytes() : histogram.bytesBefore(to);
        }
        return new Estimate(rows, rangeBytes);
    }

    /// The bucket boundary whose share of bytes before it is closest to `fraction`, with some bytes
    /// on either side.
    public Optional<Bytes> keyAt(double fraction) {
        double wanted = fraction * bytes;
        // First search the ends of the histograms, which are few; then all boundaries between two
        // ends.
        List<Bytes> ends = keys(KeyHistogram::ends);
        if (ends.isEmpty()) {
            return Optional.empty();
        }
        int end = firstWithBefore(ends, wanted);
        Bytes low = ends.get(Math.max(end - 1, 0));
        Bytes high = ends.get(Math.min(end, ends.size() - 1));
        List<Bytes> keys = keys(histogram -> histogram.keysBetween(low, high));
        int at = firstWithBefore(keys, wanted);
        Bytes nearest = null;
        double nearestDistance = Double.MAX_VALUE;
        for (int index = Math.max(at - 1, 0); index < Math.min(at + 1, keys.size()); index++) {
            long before = bytesBefore(keys.get(index));
            double distance = Math.abs(before - wanted);
            if (before > 0 && before < bytes && distance < nearestDistance) {
                nearest = keys.get(index);
                nearestDistance = distance;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /// Ascending distinct keys with about `1/count`, `2/count`, … of the bytes before them.
    public List<KeyShare> quantiles(int count) {
        List<KeyShare> quantiles = new ArrayList<>();
        for (int index = 1; index < count; index++) {
            Bytes key = keyAt((double) index / count).orElse(null);
            if (key != null
                    && (quantiles.isEmpty() || quantiles.getLast().key().compareTo(key) < 0)) {
                quantiles.add(new KeyShare(key, (double) bytesBefore(key) / bytes));
            }
        }
        return quantiles;
    }

    /// The keys of all histograms, sorted.
    private List<Bytes> keys(Function<KeyHistogram, List<Bytes>> of) {
        return histograms.stream()
                .flatMap(histogram -> of.apply(histogram).stream())
                .sorted()
                .distinct()
                .toList();
    }

    private int firstWithBefore(List<Bytes> ascending, double wanted) {
        int low = 0;
        int high = ascending.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bytesBefore(ascending.get(middle)) < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private long bytesBefore(Bytes key) {
        long before = 0;
        for (KeyHistogram histogram : histograms) {
            before += histogram.bytesBefore(key);
        }
        return before;
    }
}
