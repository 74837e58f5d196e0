package io.cleave.function.aggregate;

import java.util.Arrays;
import java.util.Comparator;

/// A summary of the distribution of numbers in bounded space. When there are too many numbers,
/// neighbours are merged. Merging is coarser in the middle than at the ends, so that extreme values
/// stay exact.
final class Digest {
    private static final int MAX_CENTROIDS = 8192;

    /// The number of parts into which merging divides the distribution.
    private static final double FINENESS = 1000;

    /// The size of a centroid in memory, including its array slot.
    private static final int CENTROID_BYTES = 40;

    /// Merged numbers: their mean and count.
    private record Centroid(double mean, double count) {}

    private Centroid[] centroids = new Centroid[16];
    private int size;
    private double total;
    private boolean sorted = true;

    /// The approximate size in memory.
    long bytes() {
        return (long) CENTROID_BYTES * size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(double number) {
        if (size == centroids.length) {
            if (size == MAX_CENTROIDS) {
                compress();
            } else {
                centroids = Arrays.copyOf(centroids, size * 2);
            }
        }
        sorted = false;
        centroids[size++] = new Centroid(number, 1);
        total++;
    }

    private void sort() {
        if (!sorted) {
            Arrays.sort(centroids, 0, size, Comparator.comparingDouble(Centroid::mean));
            sorted = true;
        }
    }

    private void compress() {
        sort();
        int to = 0;
        double before = 0;
        Centroid current = centroids[0];
        for (int index = 1; index < size; index++) {
            Centroid next = centroids[index];
            double count = current.count() + next.count();
            double middle = (before + count / 2) / total;
            if (count <= Math.max(1, 4 * total * middle * (1 - middle) / FINENESS)) {
                double mean =
                        current.mean() + (next.mean() - current.mean()) * next.count() / count;
                current = new Centroid(mean, count);
            } else {
                before += current.count();
                centroids[to++] = current;
                current = next;
            }
        }
        centroids[to++] = current;
        size = to;
    }

    /// The quantile: the value below which the given part of the numbers lies. Each centroid is
    /// placed at the middle of its share.
    double at(double part) {
        sort();
        double wanted = part * total;
        double before = 0;
        double lastPlace = 0;
        double lastMean = centroids[0].mean();
        for (int index = 0; index < size; index++) {
            Centroid centroid = centroids[index];
            double place = before + centroid.count() / 2;
            if (wanted <= place) {
                double share = index == 0 ? 1 : (wanted - lastPlace) / (place - lastPlace);
                return lastMean + (centroid.mean() - lastMean) * share;
            }
            before += centroid.count();
            lastPlace = place;
            lastMean = centroid.mean();
        }
        return lastMean;
    }
}
