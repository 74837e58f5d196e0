package io.cleave.balance.yt.reshard;

/// How many other tablets each small tablet may absorb, so that a table keeps its
/// `min_tablet_count`. The merges are spread evenly over the small tablets; those on the right get
/// one first.
final class MergeBudget {
    private MergeBudget() {}

    /// For each tablet, how many others it may absorb.
    static int[] spread(long[] sizes, long minBytes, int minCount) {
        int[] budget = new int[sizes.length];
        int[] small = new int[sizes.length];
        int smallCount = 0;
        for (int index = 0; index < sizes.length; index++) {
            if (sizes[index] < minBytes) {
                small[smallCount++] = index;
            }
        }
        int total = Math.min(Math.max(0, sizes.length - minCount), smallCount);
        for (int unit = 0; unit < total; unit++) {
            long skipped = (long) smallCount * unit / total;
            budget[small[(int) (smallCount - 1 - skipped)]]++;
        }
        return budget;
    }
}
