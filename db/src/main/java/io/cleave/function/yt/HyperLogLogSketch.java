package io.cleave.function.yt;

import io.cleave.base.Bytes;

/// Counts distinct fingerprints approximately, in 2^precision bytes. A state has the same bytes as
/// in YTsaurus, so that states can be exchanged. The estimate is Ertl's improved one. It needs no
/// tables of corrections: "New cardinality estimation algorithms for HyperLogLog sketches", 2017.
/// YTsaurus' estimate differs from it by less than the error of both.
final class HyperLogLogSketch {
    private final int precision;
    private final byte[] registers;

    HyperLogLogSketch(int precision) {
        this.precision = precision;
        this.registers = new byte[1 << precision];
    }

    int sizeBytes() {
        return registers.length;
    }

    void add(long fingerprint) {
        // The highest bit is set, so the run of zeros always ends.
        long bits = fingerprint | Long.MIN_VALUE;
        int index = (int) bits & (registers.length - 1);
        int rank = Long.numberOfTrailingZeros(bits >>> precision) + 1;
        if (registers[index] < rank) {
            registers[index] = (byte) rank;
        }
    }

    /// Adds another sketch, given as its bytes.
    void merge(Bytes state) {
        if (state.length() != registers.length) {
            throw YtQueryErrors.failure(
                    "State size mismatch in hyperloglog: expected %d, got %d; this potentially"
                                    .formatted(registers.length, state.length())
                            + " signals a misuse of function \"cardinality_*\"");
        }
        for (int index = 0; index < registers.length; index++) {
            // A register of a foreign state may have any value.
            int rank = Math.clamp(state.at(index), 0, highestRank());
            registers[index] = (byte) Math.max(registers[index], rank);
        }
    }

    private int highestRank() {
        return Long.SIZE - precision;
    }

    Bytes state() {
        return Bytes.wrap(registers.clone());
    }

    long estimate() {
        int highest = highestRank();
        int[] counts = new int[highest + 1];
        for (byte register : registers) {
            counts[register]++;
        }
        double m = registers.length;
        double sum = m * tau(1 - counts[highest] / m);
        for (int rank = highest - 1; rank >= 1; rank--) {
            sum = 0.5 * (sum + counts[rank]);
        }
        sum += m * sigma(counts[0] / m);
        return Math.round(m / (2 * Math.log(2)) * m / sum);
    }

    /// The correction for registers that are zero.
    private static double sigma(double share) {
        if (share == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double x = share;
        double y = 1;
        double z = share;
        double before;
        do {
            x *= x;
            before = z;
            z += x * y;
            y += y;
        } while (z != before);
        return z;
    }

    /// The correction for registers that are full.
    private static double tau(double share) {
        if (share == 0 || share == 1) {
            return 0;
        }
        double x = share;
        double y = 1;
        double z = 1 - share;
        double before;
        do {
            x = Math.sqrt(x);
            before = z;
            y *= 0.5;
            z -= (1 - x) * (1 - x) * y;
        } while (z != before);
        return z / 3;
    }
}
