package io.cleave.query;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.Condition;
import java.util.random.RandomGenerator;

/// A clock that goes when it is told to, and chance from a fixed seed.
public final class ManualEnv implements Env {
    private final Random random = new Random(1);
    private long nanos = 1_000;

    public void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallMicros() {
        return 1_700_000_000_000_000L + nanos / 1000;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        throw new UnsupportedOperationException("nothing here starts threads");
    }

    @Override
    public void sleep(Duration duration) {
        pass(duration);
    }

    @Override
    public void await(Condition condition, Duration timeout) {
        pass(timeout);
    }
}
