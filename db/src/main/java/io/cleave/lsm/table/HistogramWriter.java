package io.cleave.lsm.table;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.KeyHistogram;

import java.util.ArrayList;
import java.util.List;

/// Builds the histogram of a table while the table is written. It adds a point at the end of a
/// block once enough bytes were written since the last point. When there are 2000 points, it
/// removes every other point and doubles the bucket size. A bucket therefore has 64 KiB, or at most
/// about a thousandth of the file if that is more.
public final class HistogramWriter {
    private static final long FIRST_BUCKET_BYTES = 64 << 10;
    private static final int MAX_POINTS = 2000;

    private final List<KeyHistogram.Point> points = new ArrayList<>();
    private long bucketBytes = FIRST_BUCKET_BYTES;

    public void begin(Bytes firstKey) {
        points.add(new KeyHistogram.Point(firstKey, 0, 0));
    }

    /// Called at the end of a block. `separator` is at least the block's last key, and less than
    /// the next key.
    public void add(byte[] separator, long rows, long bytes) {
        if (bytes - points.getLast().bytes() >= bucketBytes) {
            points.add(new KeyHistogram.Point(Bytes.wrap(separator).successor(), rows, bytes));
            if (points.size() == MAX_POINTS) {
                thin();
            }
        }
    }

    private void thin() {
        for (int index = points.size() / 2 - 1; index > 0; index--) {
            points.remove(index * 2 - 1);
        }
        bucketBytes *= 2;
    }

    public KeyHistogram finish(Bytes lastKey, long rows, long bytes) {
        Bytes end = lastKey.successor();
        while (points.size() > 1 && points.getLast().key().compareTo(end) >= 0) {
            points.removeLast();
        }
        points.add(new KeyHistogram.Point(end, rows, bytes));
        return new KeyHistogram(points);
    }
}
