package io.cleave.lsm;

import java.util.ArrayList;
import java.util.List;

/// Estimates what would be left of layers if they were merged: without rows that newer layers have
/// erased, without versions that newer ones overwrite, and without the erases themselves. Reads no
/// rows.
///
/// It goes by the samples of keys: the part of an older layer's sample that is in samples of newer
/// layers is the part of its rows that these hide. A row that is erased frees all its bytes. One
/// that is overwritten frees as many as the newer version has, or the older one if that has fewer:
/// an UPSERT may set some columns only. Beside a newer layer with far more rows few keys of a
/// sample can be compared; all layers of the run are then taken together.
///
/// Where one of two layers has no sample, each ERASE of the newer one is taken to hide a row of
/// those below it, in proportion to their rows. That may be too much; the compaction that follows
/// writes files with samples.
final class Survivors {
    /// With fewer keys to compare, unless a layer has no more, it is taken for one with the others
    /// of its run.
    private static final int ENOUGH_KEYS = 16;

    private final List<List<Layer>> runs;
    private double rows;
    private double bytes;

    private Survivors(List<List<Layer>> runs) {
        this.runs = runs;
    }

    /// What is left.
    record Left(long rows, long bytes) {}

    /// Runs from new to old; layers of one run do not overlap.
    static Left of(List<List<Layer>> runs) {
        var survivors = new Survivors(runs);
        for (int run = 0; run < runs.size(); run++) {
            survivors.count(run);
        }
        return new Left(Math.round(survivors.rows), Math.round(survivors.bytes));
    }

    /// Of the rows that were looked at.
    ///
    /// @param rows that newer layers hide
    /// @param bytes the shares of these rows that are good for nothing, added up
    private record Hidden(int seen, int rows, double bytes, boolean isEnough) {
        static final Hidden NONE = new Hidden(0, 0, 0, true);

        double rowShare() {
            return seen == 0 ? 0 : (double) rows / seen;
        }

        double byteShare() {
            return seen == 0 ? 0 : bytes / seen;
        }

        Hidden with(Hidden other) {
            return new Hidden(seen + other.seen, rows + other.rows, bytes + other.bytes, true);
        }
    }

    private void count(int run) {
        List<Hidden> all = new ArrayList<>();
        Hidden together = Hidden.NONE;
        for (Layer layer : runs.get(run)) {
            Hidden hidden = hidden(layer, run);
            all.add(hidden);
            together = hidden.isEnough ? together : together.with(hidden);
        }
        for (int index = 0; index < all.size(); index++) {
            Layer layer = runs.get(run).get(index);
            Hidden hidden = all.get(index).isEnough ? all.get(index) : together;
            double erased = Math.min(1, unsampledErases(layer, run) / Math.max(1, layer.rows()));
            rows += layer.rows() * Math.max(0, 1 - hidden.rowShare() - erased);
            bytes += layer.liveBytes() * Math.max(0, 1 - hidden.byteShare() - erased);
        }
    }

    private Hidden hidden(Layer layer, int run) {
        KeySample own = layer.sample();
        if (own == null || layer.rows() == 0) {
            return Hidden.NONE;
        }
        long bound = own.bound();
        List<Layer> newer = new ArrayList<>();
        for (Layer above : above(layer, run)) {
            KeySample sample = above.sample();
            if (sample != null && sample.count() > 0) {
                newer.add(above);
                bound = Math.min(bound, sample.bound());
            }
        }
        if (newer.isEmpty()) {
            return Hidden.NONE;
        }
        int compared = own.countBelow(bound);
        int seen = 0;
        int hiddenRows = 0;
        double hiddenBytes = 0;
        for (int index = 0; index < compared; index++) {
            if (own.isErased(index)) {
                continue;
            }
            seen++;
            double freed = freed(layer, own.hash(index), newer);
            if (freed > 0) {
                hiddenRows++;
                hiddenBytes += freed;
            }
        }
        boolean isEnough = compared >= Math.min(ENOUGH_KEYS, own.count());
        return new Hidden(seen, hiddenRows, hiddenBytes, isEnough);
    }

    private List<Layer> above(Layer layer, int run) {
        List<Layer> above = new ArrayList<>();
        for (List<Layer> newer : runs.subList(0, run)) {
            for (Layer other : newer) {
                if (other.hides() && other.overlaps(layer)) {
                    above.add(other);
                }
            }
        }
        return above;
    }

    /// About how many of its rows are erased by layers that have no sample, or while it has none.
    private double unsampledErases(Layer layer, int run) {
        double erased = 0;
        for (int newer = 0; newer < run; newer++) {
            for (Layer above : runs.get(newer)) {
                boolean isKnown = above.sample() != null && layer.sample() != null;
                if (!isKnown && above.erases() > 0 && above.hides() && above.overlaps(layer)) {
                    erased += above.erases() * shareBelow(layer, above, newer);
                }
            }
        }
        return erased;
    }

    /// The share of a row's bytes that is good for nothing; 0 if nobody hides it.
    private static double freed(Layer layer, long hash, List<Layer> newer) {
        double most = 0;
        for (Layer above : newer) {
            KeySample sample = above.sample();
            int found = sample == null ? -1 : sample.find(hash);
            if (found >= 0) {
                boolean erased = sample != null && sample.isErased(found);
                double overwritten = above.bytesPerRow() / Math.max(1, layer.bytesPerRow());
                most = Math.max(most, erased ? 1 : Math.clamp(overwritten, Double.MIN_VALUE, 1));
            }
        }
        return most;
    }

    /// Of the rows below a layer.
    private double shareBelow(Layer layer, Layer above, int run) {
        long below = 0;
        for (int older = run + 1; older < runs.size(); older++) {
            for (Layer other : runs.get(older)) {
                below += other.overlaps(above) ? other.rows() : 0;
            }
        }
        return below == 0 ? 0 : (double) layer.rows() / below;
    }
}
