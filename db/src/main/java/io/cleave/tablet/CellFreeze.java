package io.cleave.tablet;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Holds a cell's lock for a while, as if its leader hung: nothing is committed, cut or moved there
/// until it ends. For tests and measurements; nothing else holds a lock while it sleeps.
public final class CellFreeze {
    /// How soon it sees that it is to end.
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

    /// Ends it before its time. Returns when the cell is free.
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
