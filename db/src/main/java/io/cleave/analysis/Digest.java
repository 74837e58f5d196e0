package io.cleave.analysis;

import java.util.Arrays;
import java.util.Comparator;

/// A set of numbers by their order, in bounded space: neighbours are put together when there are
/// too many, more in the middle than at the ends, so that what is rare stays exact.
final class Digest {
    private static final int MAX_CENTROIDS = 8192;

    /// How finely the whole is cut where numbers are put together.
    private static final double FINENESS = 1000;

    /// Numbers put together: their mean and how many they are.
    private record Centroid(double mean, double count) {}

    private Centroid[] centroids = new Centroid[16];
    private int size;
    private double total;
    private boolean sorted = true;

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

    /// Where that part of the numbers lies below: each stands in the middle of its own share.
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
