package io.cleave.analysis;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.function.Supplier;

/// What pure functions get that are worked out while no query runs: they ask nothing of it, and
/// those that take long are ended.
///
/// Threads: one.
final class NoRun implements ScalarFunction.Run {
    /// As much as takes a few milliseconds.
    private static final int MOST_STEPS = 1 << 20;

    private int stepsLeft = MOST_STEPS;

    @Override
    public long nowMicros() {
        throw new IllegalStateException("a pure function asks for the time");
    }

    @Override
    public String user() {
        throw new IllegalStateException("a pure function asks for the user");
    }

    @Override
    public double randomDouble() {
        throw new IllegalStateException("a pure function asks for chance");
    }

    @Override
    public long randomLong() {
        throw new IllegalStateException("a pure function asks for chance");
    }

    @Override
    public void pass(int steps) {
        stepsLeft -= steps;
        if (stepsLeft < 0) {
            throw new StatusException(
                    Status.PRECONDITION_FAILED,
                    "A constant takes too long to be worked out before the query runs");
        }
    }

    @Override
    public <T> T remember(Object owner, Class<T> kind, Supplier<T> maker) {
        return maker.get();
    }
}
