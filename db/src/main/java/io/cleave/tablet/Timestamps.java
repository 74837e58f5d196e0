package io.cleave.tablet;

import io.cleave.base.Env;

import java.util.concurrent.atomic.AtomicLong;

/// Gives out strictly increasing timestamps, close to wall time in microseconds. A clock that jumps
/// back does not take them with it: they then grow by one until the clock has caught up.
public final class Timestamps {
    private final Env env;
    private final AtomicLong last = new AtomicLong();

    public Timestamps(Env env) {
        this.env = env;
    }

    public long next() {
        long now = env.wallMicros();
        return last.updateAndGet(previous -> Math.max(previous + 1, now));
    }

    /// Everything given out from here on is greater: called with what a log remembers.
    void skipPast(long timestamp) {
        last.accumulateAndGet(timestamp, Math::max);
    }
}
