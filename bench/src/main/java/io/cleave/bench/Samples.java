package io.cleave.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// Every latency of one client.
public final class Samples {
    private long[] nanos = new long[1024];
    private int count;

    public void add(long each) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count] = each;
        count++;
    }

    private LongStream stream() {
        return Arrays.stream(nanos, 0, count);
    }

    /// The latency that `perMille` of 1,000 samples do not exceed.
    public static double millisAt(List<Samples> all, int perMille) {
        long[] sorted = all.stream().flatMapToLong(Samples::stream).sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int index = (int) Math.min(sorted.length - 1, (long) sorted.length * perMille / 1000);
        return sorted[index] / 1e6;
    }

    public int count() {
        return count;
    }
}
