package io.cleave.base;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The machine as the rest of the code sees it: time, threads, waiting and random numbers. In
/// production it is the JVM ([SystemEnv]); in a simulation everything is derived from one seed.
///
/// Code gets its threads from here, sleeps only through this interface, and gives every wait a
/// timeout.
public interface Env {
    /// A monotonic clock for measuring durations.
    long nanoTime();

    /// The wall-clock time in microseconds since 1970; it may jump.
    long wallMicros();

    /// The time zone of schedules that users write.
    default ZoneId zone() {
        return ZoneOffset.UTC;
    }

    /// The result of a recent call of [#nanoTime] by any thread, at most a few milliseconds before
    /// the last call. Costs nothing. It is meant for code that runs within a request, since the
    /// request has called [#nanoTime] when it started.
    default long recentNanos() {
        return nanoTime();
    }

    /// The wall-clock time at [#recentNanos].
    default long recentMicros() {
        return wallMicros();
    }

    /// The CPU time of the current thread, to measure code that does not wait. Two results can only
    /// be compared on the same thread. If it is not available, this is [#nanoTime].
    default long cpuNanos() {
        return nanoTime();
    }

    /// Returns true once in `count` calls on average, at random, to choose what is measured. Almost
    /// free.
    default boolean isOneIn(int count) {
        return random().nextInt(count) == 0;
    }

    RandomGenerator random();

    /// Whether to make the next operation fail although nothing is wrong. Called where a failure is
    /// legal but rare, so that a simulation can make it frequent. `point` describes the failure.
    default boolean mayFail(String point) {
        return false;
    }

    /// Starts a virtual thread. An exception from it is reported and does not end the process.
    Thread spawn(String name, Runnable body);

    /// Runs a deeply recursive function on a thread with a large stack, and waits for it. The
    /// function itself must not wait for anything.
    default <T> T deep(Supplier<T> work) {
        return work.get();
    }

    /// Starts a thread for long computations. The operating system shares the processors fairly
    /// between it and virtual threads; a virtual thread would keep its carrier until it blocks.
    default Thread spawnWorker(String name, Runnable body) {
        return spawn(name, body);
    }

    /// Starts a worker thread for work that no request waits for. Its CPU time is not part of
    /// [#servingCpuNanos].
    default Thread spawnBackground(String name, Runnable body) {
        return spawnWorker(name, body);
    }

    /// The CPU time of the process without its background threads and its compiler; empty if it is
    /// not available. Only the difference of two results is meaningful. Must not be called often.
    default OptionalLong servingCpuNanos() {
        return OptionalLong.empty();
    }

    /// If the current thread is virtual, lets other virtual threads run, and returns when it may
    /// continue. For long computations outside worker threads. Must be called every few
    /// milliseconds, preferably without a lock that others wait for.
    default void yieldProcessor() {}

    void sleep(Duration duration) throws InterruptedException;

    /// Waits for a signal of `condition`, at most `timeout`; the caller holds its lock. The caller
    /// must check its condition in a loop.
    void await(Condition condition, Duration timeout) throws InterruptedException;

    /// Waits like [#await], and goes on when the thread is interrupted. Returns whether it was; the
    /// caller passes that to [#restoreInterrupt] when it no longer waits.
    default boolean awaitUninterrupted(Condition condition, Duration timeout) {
        try {
            await(condition, timeout);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /// Interrupts the current thread again if it was interrupted while it waited.
    static void restoreInterrupt(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
