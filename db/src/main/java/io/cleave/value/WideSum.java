package io.cleave.value;

/// An exact sum of 64-bit integers, kept in 128 bits: `high` and `low` together are a signed
/// number. It cannot overflow, because that would take 2^63 additions.
public final class WideSum {
    private static final double TWO_64 = 0x1p64;

    private WideSum() {}

    /// The high half after `added` was added to `low`.
    public static long high(long high, long low, long added, boolean unsigned) {
        long carry = Long.compareUnsigned(low + added, low) < 0 ? 1 : 0;
        long sign = unsigned ? 0 : added >> 63;
        return high + sign + carry;
    }

    /// The nearest double, or one next to it if the sum has more than 64 bits.
    public static double toDouble(long high, long low) {
        if (high == low >> 63) {
            return low;
        }
        double rest = low >= 0 ? low : ((low >>> 1) | (low & 1)) * 2.0;
        return high * TWO_64 + rest;
    }
}
