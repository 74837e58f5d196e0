package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;

/// Collects the histogram of a table being written: a point at the end of a block whenever enough
/// bytes went by, and with every doubling beyond a thousand points, only every other of them. So a
/// bucket has 64 KiB, or a thousandth of the file if that is more.
final class HistogramWriter {
    private static final long FIRST_BUCKET_BYTES = 64 << 10;
    private static final int MAX_POINTS = 2000;

    private final List<KeyHistogram.Point> points = new ArrayList<>();
    private long bucketBytes = FIRST_BUCKET_BYTES;

    void begin(Bytes firstKey) {
        points.add(new KeyHistogram.Point(firstKey, 0, 0));
    }

    /// A block has ended; `separator` is not before its last key, and before the next one.
    void add(byte[] separator, long rows, long bytes) {
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

    KeyHistogram finish(Bytes lastKey, long rows, long bytes) {
        Bytes end = lastKey.successor();
        while (points.size() > 1 && points.getLast().key().compareTo(end) >= 0) {
            points.removeLast();
        }
        points.add(new KeyHistogram.Point(end, rows, bytes));
        return new KeyHistogram(points);
    }
}
