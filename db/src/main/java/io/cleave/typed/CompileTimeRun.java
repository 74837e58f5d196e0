package io.cleave.typed;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.util.function.Supplier;

/// The run given to pure functions that are evaluated while no query runs, such as in constant
/// folding. It limits their work and refuses every request that only a real run can answer.
///
/// Threads: one.
public final class CompileTimeRun implements ScalarFunction.Run {
    /// Enough for a few milliseconds of work.
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
                    "A constant expression takes too long to compute before the query runs");
        }
    }

    @Override
    public <T> T remember(Object owner, Class<T> kind, Supplier<T> maker) {
        return maker.get();
    }
}
