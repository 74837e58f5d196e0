package io.cleave.lsm;

import io.cleave.base.Bytes;

import java.util.ArrayList;
import java.util.List;

/// Makes the [KeyHistogram] of keys that come in ascending order, of which nobody knows how many
/// there will be: when there are too many buckets, each two become one.
///
/// In the end a bucket has about [#FIRST_BUCKET_BYTES] in a file of up to [#FEW_BUCKETS] of them,
/// then 1/128 to 1/64 of the file, then [#LARGE_BUCKET_BYTES], and from 2 GiB on 1/2000 to 1/1000
/// of the file. A single larger row is a bucket of its own size.
final class KeyHistogramBuilder {
    private static final long FIRST_BUCKET_BYTES = 16 << 10;
    private static final int FEW_BUCKETS = 128;
    private static final long LARGE_BUCKET_BYTES = 1 << 20;
    private static final int MANY_BUCKETS = 2000;

    private final List<KeyHistogram.Point> points = new ArrayList<>();
    private long bucketBytes = FIRST_BUCKET_BYTES;
    private long rows;
    private long bytes;

    /// The next key, which is copied only if a bucket begins here.
    void add(byte[] key, int keyBytes, long addedRows, long addedBytes) {
        if (points.isEmpty() || bytes - points.getLast().bytes() >= bucketBytes) {
            if (isFull()) {
                joinPairs();
            }
            points.add(new KeyHistogram.Point(Bytes.copyOf(key, 0, keyBytes), rows, bytes));
        }
        rows += addedRows;
        bytes += addedBytes;
    }

    private boolean isFull() {
        int most = bucketBytes < LARGE_BUCKET_BYTES ? FEW_BUCKETS : MANY_BUCKETS;
        return points.size() >= most;
    }

    private void joinPairs() {
        for (int index = 1; index <= points.size() / 2; index++) {
            points.remove(index);
        }
        bucketBytes *= 2;
    }

    /// What was added, with bytes scaled to a sum of `totalBytes`: of a table, what it takes on the
    /// disk. `lastKey` is the last key that was added.
    KeyHistogram finish(Bytes lastKey, long totalBytes) {
        if (points.isEmpty()) {
            return KeyHistogram.EMPTY;
        }
        double scale = bytes == 0 ? 0 : (double) totalBytes / bytes;
        List<KeyHistogram.Point> scaled = new ArrayList<>();
        for (KeyHistogram.Point point : points) {
            long before = Math.min((long) (point.bytes() * scale), totalBytes);
            scaled.add(new KeyHistogram.Point(point.key(), point.rows(), before));
        }
        scaled.add(new KeyHistogram.Point(lastKey.successor(), rows, totalBytes));
        return new KeyHistogram(scaled);
    }
}
