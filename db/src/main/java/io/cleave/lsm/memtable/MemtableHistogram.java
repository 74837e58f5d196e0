package io.cleave.lsm.memtable;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.KeyHistogram;
import io.cleave.lsm.row.Source;

import java.util.ArrayList;
import java.util.List;

/// Computes the histogram of a memtable from a sample of its rows. Chance decides which rows reach
/// the upper levels of the skip list, so the rows of one level are a random sample. Each sampled
/// row stands for the same number of rows, and for bytes in proportion to its own size.
///
/// With `n` sampled rows, the share of rows before a key is nearly always accurate to `2 / √n`. A
/// memtable with few rows is counted exactly.
public final class MemtableHistogram {
    /// The sample is the highest level with at least this many rows.
    static final int SAMPLED_ROWS = 1000;

    private static final int NONE = MemtableNodes.NONE;

    private MemtableHistogram() {}

    public static KeyHistogram of(Memtable memtable) {
        long rows = memtable.keys();
        long bytes = memtable.bytes();
        MemtableSource ends = memtable.source();
        if (rows == 0 || !ends.seek(Bytes.EMPTY)) {
            return KeyHistogram.EMPTY;
        }
        Bytes first = key(ends);
        ends.seekBefore(null);
        Bytes behindLast = key(ends).successor();
        int level = sampledLevel(memtable);
        List<Sample> samples = samples(memtable, level);
        long sampledBytes = samples.stream().mapToLong(Sample::bytes).sum();
        List<KeyHistogram.Point> points = new ArrayList<>();
        points.add(new KeyHistogram.Point(first, 0, 0));
        // A sampled row stands for the rows on both sides of it. If all rows are counted, it stands
        // only for itself.
        double share = level == 0 ? 0 : 0.5;
        double rowsBefore = 0;
        double bytesBefore = 0;
        for (Sample sample : samples) {
            boolean inside =
                    first.compareTo(sample.key) < 0 && sample.key.compareTo(behindLast) < 0;
            if (inside) {
                points.add(
                        new KeyHistogram.Point(
                                sample.key,
                                (long) (rows * (rowsBefore + share) / samples.size()),
                                (long)
                                        (bytes
                                                * (bytesBefore + share * sample.bytes)
                                                / sampledBytes)));
            }
            rowsBefore++;
            bytesBefore += sample.bytes;
        }
        points.add(new KeyHistogram.Point(behindLast, rows, bytes));
        return new KeyHistogram(points);
    }

    private record Sample(Bytes key, long bytes) {}

    private static int sampledLevel(Memtable memtable) {
        for (int level = memtable.levels() - 1; level > 0; level--) {
            int rows = 0;
            int node = memtable.nextOnLevel(NONE, level);
            while (node != NONE && rows < SAMPLED_ROWS) {
                rows++;
                node = memtable.nextOnLevel(node, level);
            }
            if (rows == SAMPLED_ROWS) {
                return level;
            }
        }
        return 0;
    }

    private static List<Sample> samples(Memtable memtable, int level) {
        List<Sample> samples = new ArrayList<>();
        int node = memtable.nextOnLevel(NONE, level);
        while (node != NONE) {
            Bytes key = memtable.nodes().key(node);
            long versions = memtable.versions().chainBytes(memtable.nodes().newest(node));
            samples.add(new Sample(key, MemtableNodes.bytes(1, key.length()) + versions));
            node = memtable.nextOnLevel(node, level);
        }
        return samples;
    }

    private static Bytes key(Source source) {
        return Bytes.copyOf(source.key, 0, source.keyBytes);
    }
}
