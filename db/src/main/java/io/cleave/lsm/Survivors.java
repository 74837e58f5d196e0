package io.cleave.lsm;

import io.cleave.lsm.row.KeySample;

import java.util.ArrayList;
import java.util.List;

/// Estimates the rows and bytes that would be left if layers were merged: without rows that newer
/// layers erase, without versions that newer layers overwrite, and without the erases themselves.
/// Reads no rows.
///
/// The estimate is based on key samples: the share of an older layer's sample that is also in the
/// samples of newer layers is the share of its rows that they hide. An erased row frees all its
/// bytes. An overwritten row frees as many bytes as the newer version has, but at most those of the
/// older one, because an UPSERT may set only some columns. If a newer layer has far more rows, only
/// few sampled keys can be compared; then all such layers of a run are evaluated together.
///
/// If one of two layers has no sample, each ERASE of the newer layer is assumed to hide one row of
/// the layers below it, distributed in proportion to their rows. This may overestimate; the
/// compaction that follows writes files with samples.
final class Survivors {
    /// A layer with fewer keys to compare is evaluated together with the others of its run, unless
    /// its sample has no more keys.
    private static final int ENOUGH_KEYS = 16;

    private final List<List<Layer>> runs;
    private double rows;
    private double bytes;

    private Survivors(List<List<Layer>> runs) {
        this.runs = runs;
    }

    /// The estimated rows and bytes that are left.
    record Left(long rows, long bytes) {}

    /// The runs are ordered from new to old; layers of one run do not overlap.
    static Left of(List<List<Layer>> runs) {
        var survivors = new Survivors(runs);
        for (int run = 0; run < runs.size(); run++) {
            survivors.count(run);
        }
        return new Left(Math.round(survivors.rows), Math.round(survivors.bytes));
    }

    /// What newer layers hide of the sampled rows.
    ///
    /// @param rows the number of hidden rows
    /// @param bytes the sum of the shares of these rows that are garbage
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

    /// The estimated number of rows of a layer that are erased by newer layers, where one of the
    /// two layers has no sample.
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

    /// The share of a row's bytes that is garbage; 0 if no newer layer hides the row.
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

    /// The share that `layer` has of all rows below `above`.
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
