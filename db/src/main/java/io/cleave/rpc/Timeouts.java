package io.cleave.rpc;

import java.util.concurrent.TimeUnit;

/// Reads gRPC's format of a time limit: at most eight digits and a unit.
final class Timeouts {
    static final long NEVER = Long.MAX_VALUE;

    private static final int MOST_DIGITS = 8;

    private Timeouts() {}

    /// A text that is not valid means no limit.
    static long nanos(String text) {
        int digits = text.length() - 1;
        if (digits < 1 || digits > MOST_DIGITS) {
            return NEVER;
        }
        long value = 0;
        for (int index = 0; index < digits; index++) {
            int digit = Character.digit(text.charAt(index), 10);
            if (digit < 0) {
                return NEVER;
            }
            value = value * 10 + digit;
        }
        return switch (text.charAt(digits)) {
            case 'H' -> TimeUnit.HOURS.toNanos(value);
            case 'M' -> TimeUnit.MINUTES.toNanos(value);
            case 'S' -> TimeUnit.SECONDS.toNanos(value);
            case 'm' -> TimeUnit.MILLISECONDS.toNanos(value);
            case 'u' -> TimeUnit.MICROSECONDS.toNanos(value);
            case 'n' -> value;
            default -> NEVER;
        };
    }
}
