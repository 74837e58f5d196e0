package io.cleave.tablet.pace;

/// The rate at which a cell writes new files, from the size of the last flush and the time since
/// the one before. Threads: one flushes, any may ask.
public final class FlushRate {
    private record Last(long atNanos, long bytes, long tookNanos) {}

    private volatile Last last;

    public FlushRate(long nowNanos) {
        last = new Last(nowNanos, 0, 1);
    }

    public void flushed(long bytes, long nowNanos) {
        last = new Last(nowNanos, bytes, Math.max(1, nowNanos - last.atNanos()));
    }

    /// The rate decreases while no new file is written.
    public long bytesPerSecond(long nowNanos) {
        Last at = last;
        long nanos = Math.max(at.tookNanos(), nowNanos - at.atNanos());
        return (long) (at.bytes() * 1e9 / nanos);
    }
}
