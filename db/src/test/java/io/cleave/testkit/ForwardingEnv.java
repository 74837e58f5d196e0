package io.cleave.testkit;

import io.cleave.base.Env;

import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.locks.Condition;
import java.util.random.RandomGenerator;

/// Another [Env], as it is but for what a test overrides.
public abstract class ForwardingEnv implements Env {
    private final Env env;

    protected ForwardingEnv(Env env) {
        this.env = env;
    }

    @Override
    public long nanoTime() {
        return env.nanoTime();
    }

    @Override
    public long wallMicros() {
        return env.wallMicros();
    }

    @Override
    public ZoneId zone() {
        return env.zone();
    }

    @Override
    public RandomGenerator random() {
        return env.random();
    }

    @Override
    public void yieldProcessor() {
        env.yieldProcessor();
    }

    @Override
    public boolean mayFail(String point) {
        return env.mayFail(point);
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        return env.spawn(name, body);
    }

    @Override
    public Thread spawnWorker(String name, Runnable body) {
        return env.spawnWorker(name, body);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        env.sleep(duration);
    }

    @Override
    public void await(Condition condition, Duration timeout) throws InterruptedException {
        env.await(condition, timeout);
    }
}
