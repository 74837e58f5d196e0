package io.cleave.tablet;

/// How fast a cell's new files come, by the last one and the time it took to fill it. Threads: one
/// flushes, anyone may ask.
final class FlushRate {
    private record Last(long atNanos, long bytes, long tookNanos) {}

    private volatile Last last;

    FlushRate(long nowNanos) {
        last = new Last(nowNanos, 0, 1);
    }

    void flushed(long bytes, long nowNanos) {
        last = new Last(nowNanos, bytes, Math.max(1, nowNanos - last.atNanos()));
    }

    /// Falls when no new file comes.
    long bytesPerSecond(long nowNanos) {
        Last at = last;
        long nanos = Math.max(at.tookNanos(), nowNanos - at.atNanos());
        return (long) (at.bytes() * 1e9 / nanos);
    }
}
