package io.cleave.plan.range;

/// Arithmetic on unsigned numbers of 64 bits that stays at the greatest number instead of wrapping
/// around.
final class Saturated {
    static final long MOST = -1L;

    private Saturated() {}

    static long sum(long left, long right) {
        long sum = left + right;
        return Long.compareUnsigned(sum, left) < 0 ? MOST : sum;
    }

    static long product(long left, long right) {
        return Math.unsignedMultiplyHigh(left, right) != 0 ? MOST : left * right;
    }
}
