package io.cleave.tablet;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Holds the lock of a cell for a while, as if its leader hung: the cell commits, splits and moves
/// nothing until the freeze ends. For tests and measurements; no other code sleeps while it holds a
/// lock.
public final class CellFreeze {
    /// How often the thread checks whether the freeze should end.
    private static final Duration STEP = Duration.ofMillis(10);

    private final Env env;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private volatile boolean ends;

    private CellFreeze(Env env) {
        this.env = env;
    }

    /// Returns when the lock is held.
    static CellFreeze begin(long cellId, ReentrantLock lock, Duration most, Env env) {
        var freeze = new CellFreeze(env);
        env.spawn("freeze-" + cellId, () -> freeze.hold(lock, most));
        var _ = freeze.begun.join();
        return freeze;
    }

    /// Ends the freeze early. Returns when the lock is free.
    public void end() {
        ends = true;
        var _ = over.join();
    }

    public boolean isOver() {
        return over.isDone();
    }

    private void hold(ReentrantLock lock, Duration most) {
        lock.lock();
        try {
            begun.complete(true);
            long until = env.nanoTime() + most.toNanos();
            while (!ends && env.nanoTime() - until < 0) {
                env.sleep(STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
            over.complete(true);
        }
    }
}
