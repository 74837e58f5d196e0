package io.cleave.lsm.row;

import io.cleave.base.ByteReader;
import io.cleave.base.ByteWriter;
import io.cleave.base.Bytes;
import io.cleave.base.Check;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The distribution of rows and bytes over the keys of a table or a memtable. A histogram is a list
/// of points: keys in ascending order, each with the rows and bytes before it. The range between
/// two points is a *bucket*; within a bucket, keys are assumed to be evenly distributed.
///
/// Invariant: a histogram has no points, or at least two. No key is less than the first point, and
/// every key is less than the last.
///
/// ```
/// varint  points
/// of each:
///   varint  bytes shared with the key of the point before
///   varint  other bytes, and these
///   varint  rows since the point before
///   varint  bytes since the point before
/// ```
public record KeyHistogram(List<Point> points) {
    public static final KeyHistogram EMPTY = new KeyHistogram(List.of());

    /// A key, and what is before it.
    ///
    /// @param rows the number of rows with keys less than `key`
    /// @param bytes the size of these rows
    public record Point(Bytes key, long rows, long bytes) {
        private Point since(Point start) {
            return new Point(key, rows - start.rows, bytes - start.bytes);
        }
    }

    public KeyHistogram {
        points = List.copyOf(points);
        Check.that(points.size() != 1, "a histogram of one point");
        for (int index = 1; index < points.size(); index++) {
            Point before = points.get(index - 1);
            Point point = points.get(index);
            Check.that(before.key.compareTo(point.key) < 0, "keys must ascend");
            Check.that(before.rows <= point.rows, "%d rows, %d", before.rows, point.rows);
            Check.that(before.bytes <= point.bytes, "%d bytes, %d", before.bytes, point.bytes);
        }
    }

    public long rows() {
        return points.isEmpty() ? 0 : points.getLast().rows;
    }

    public long bytes() {
        return points.isEmpty() ? 0 : points.getLast().bytes;
    }

    public long rowsBefore(Bytes key) {
        return at(key).rows;
    }

    public long bytesBefore(Bytes key) {
        return at(key).bytes;
    }

    /// The estimated rows and bytes before a key.
    public Point at(Bytes key) {
        int behind = firstAbove(key);
        if (behind == 0) {
            return new Point(key, 0, 0);
        }
        Point low = points.get(behind - 1);
        if (behind == points.size()) {
            return new Point(key, low.rows, low.bytes);
        }
        Point high = points.get(behind);
        double share = KeyDistance.share(low.key, high.key, key);
        return new Point(
                key,
                low.rows + (long) (share * (high.rows - low.rows)),
                low.bytes + (long) (share * (high.bytes - low.bytes)));
    }

    private int firstAbove(Bytes key) {
        int low = 0;
        int high = points.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (points.get(middle).key.compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The keys of the first and the last point.
    public List<Bytes> ends() {
        return points.isEmpty() ? List.of() : List.of(points.getFirst().key, points.getLast().key);
    }

    /// The keys of the points in `[low, high]`.
    public List<Bytes> keysBetween(Bytes low, Bytes high) {
        int to = firstAbove(high);
        int from = firstAbove(low);
        boolean begins = from > 0 && points.get(from - 1).key.equals(low);
        return points.subList(begins ? from - 1 : from, Math.max(from, to)).stream()
                .map(Point::key)
                .toList();
    }

    /// The part within `[from, to)`; without `to`, to the end.
    public KeyHistogram within(Bytes from, @Nullable Bytes to) {
        if (points.isEmpty()) {
            return this;
        }
        Bytes first = points.getFirst().key;
        Bytes last = points.getLast().key;
        Bytes low = from.compareTo(first) <= 0 ? first : from;
        Bytes high = to == null || last.compareTo(to) <= 0 ? last : to;
        if (low.equals(first) && high.equals(last)) {
            return this;
        }
        if (low.compareTo(high) >= 0) {
            return EMPTY;
        }
        Point start = at(low);
        List<Point> within = new ArrayList<>();
        within.add(new Point(low, 0, 0));
        for (int index = firstAbove(low); points.get(index).key.compareTo(high) < 0; index++) {
            within.add(points.get(index).since(start));
        }
        within.add(at(high).since(start));
        return new KeyHistogram(within);
    }

    public void writeTo(ByteWriter out) {
        out.putVarLong(points.size());
        var before = new Point(Bytes.EMPTY, 0, 0);
        for (Point point : points) {
            byte[] key = point.key.array();
            int shared = Math.max(0, Arrays.mismatch(before.key.array(), key));
            out.putVarLong(shared);
            out.putVarLong(key.length - shared);
            out.put(key, shared, key.length);
            out.putVarLong(point.rows - before.rows);
            out.putVarLong(point.bytes - before.bytes);
            before = point;
        }
    }

    /// Does not check for damage: the caller must have verified the checksum of the bytes.
    public static KeyHistogram readFrom(ByteReader in) {
        int count = (int) in.getVarLong();
        List<Point> points = new ArrayList<>();
        var before = new Point(Bytes.EMPTY, 0, 0);
        for (int index = 0; index < count; index++) {
            int shared = (int) in.getVarLong();
            byte[] rest = in.getBytes().array();
            byte[] key = Arrays.copyOf(before.key.array(), shared + rest.length);
            System.arraycopy(rest, 0, key, shared, rest.length);
            long rows = before.rows + in.getVarLong();
            before = new Point(Bytes.wrap(key), rows, before.bytes + in.getVarLong());
            points.add(before);
        }
        return new KeyHistogram(points);
    }
}
