package io.cleave.base;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.random.RandomGenerator;

/// The JVM's own clock, threads and chance.
public final class SystemEnv implements Env {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }

    @Override
    public Thread spawnWorker(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    public void await(Condition condition, Duration timeout) throws InterruptedException {
        // The answer says signal or timeout; the caller's loop looks at its own state instead.
        var _ = condition.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
}
