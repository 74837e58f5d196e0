package io.cleave.balance.yt.move;

/// The tablets of each cell that may be moved, by their metric, ascending. Tablets of equal metric
/// are in the order of their indexes.
final class SortedTablets {
    private final double[] metrics;

    /// Those of cell `c` are at `[from[c], to[c])`.
    private final int[] tablets;

    private final int[] from;
    private final int[] to;

    /// @param chosen indexes of tablets, ascending
    SortedTablets(BundleLoad load, int[] chosen) {
        metrics = new double[load.tabletCount()];
        from = new int[load.cellCount()];
        to = new int[load.cellCount()];
        for (int tablet : chosen) {
            metrics[tablet] = load.metric(tablet);
            to[load.cellOf(tablet)]++;
        }
        int next = 0;
        for (int cell = 0; cell < from.length; cell++) {
            int count = to[cell];
            from[cell] = next;
            to[cell] = next;
            next += count;
        }
        tablets = new int[chosen.length];
        for (int tablet : sorted(chosen)) {
            tablets[to[load.cellOf(tablet)]++] = tablet;
        }
    }

    /// A merge sort: it keeps the order of equals, and it needs no objects.
    private int[] sorted(int[] chosen) {
        int[] source = chosen.clone();
        int[] target = new int[source.length];
        for (int width = 1; width < source.length; width *= 2) {
            for (int left = 0; left < source.length; left += 2 * width) {
                int middle = Math.min(left + width, source.length);
                merge(source, target, left, middle, Math.min(middle + width, source.length));
            }
            int[] swapped = source;
            source = target;
            target = swapped;
        }
        return source;
    }

    private void merge(int[] source, int[] target, int left, int middle, int right) {
        int fromLeft = left;
        int fromRight = middle;
        for (int at = left; at < right; at++) {
            boolean takesLeft =
                    fromLeft < middle
                            && (fromRight >= right
                                    || metrics[source[fromLeft]] <= metrics[source[fromRight]]);
            target[at] = takesLeft ? source[fromLeft++] : source[fromRight++];
        }
    }

    int from(int cell) {
        return from[cell];
    }

    int to(int cell) {
        return to[cell];
    }

    int tablet(int position) {
        return tablets[position];
    }

    double metric(int tablet) {
        return metrics[tablet];
    }

    /// The first position of a tablet of the cell that has at least this metric.
    int ceiling(int cell, double metric) {
        int low = from[cell];
        int high = to[cell];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (metrics[tablets[middle]] < metric) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Takes a tablet out that was moved.
    void remove(int cell, int tablet) {
        int position = ceiling(cell, metrics[tablet]);
        while (tablets[position] != tablet) {
            position++;
        }
        System.arraycopy(tablets, position + 1, tablets, position, to[cell] - position - 1);
        to[cell]--;
    }
}
