package io.cleave.base;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The machine as the rest of the code may see it: time, threads, waiting and chance. In production
/// it is the JVM ([SystemEnv]); in a simulation everything comes from one seed.
///
/// Code blocks on virtual threads that come from here, sleeps only here, and gives every wait a
/// deadline.
public interface Env {
    /// A clock for measuring spans; it never goes back.
    long nanoTime();

    /// Wall time in microseconds since 1970; it may jump.
    long wallMicros();

    /// What [#nanoTime] said when it was last asked, whoever asked, to a few milliseconds: for what
    /// happens in the course of a request, which has asked when it began. Costs nothing.
    default long recentNanos() {
        return nanoTime();
    }

    /// The wall time at [#recentNanos].
    default long recentMicros() {
        return wallMicros();
    }

    /// CPU time that the current thread has had, to measure what does not wait; one after the
    /// other, on the same thread. Where it is not known it is [#nanoTime].
    default long cpuNanos() {
        return nanoTime();
    }

    /// Whether this is one of the few that are measured: one in so many, by chance. It costs next
    /// to nothing.
    default boolean isOneIn(int count) {
        return random().nextInt(count) == 0;
    }

    RandomGenerator random();

    /// Whether what comes next is to fail although nothing is wrong: asked where bad luck is legal
    /// but rare, so that a simulation can have it often. `point` says in words what would fail.
    default boolean mayFail(String point) {
        return false;
    }

    /// Starts a virtual thread. What it throws is reported and does not end the process.
    Thread spawn(String name, Runnable body);

    /// Does work that calls itself to a great depth, and waits for it: on a stack that is large
    /// enough for it. The work itself does not wait for anyone.
    default <T> T deep(Supplier<T> work) {
        return work.get();
    }

    /// Starts a thread for work that computes for long: the machine shares its processors fairly
    /// between it and the virtual ones, which would otherwise wait until it blocks.
    default Thread spawnWorker(String name, Runnable body) {
        return spawn(name, body);
    }

    /// The same for work that no request waits for; what it costs is no part of [#servingCpuNanos].
    default Thread spawnBackground(String name, Runnable body) {
        return spawnWorker(name, body);
    }

    /// CPU time that the process has used for all but its background threads and its compiler, to
    /// tell how much that is between two moments; empty where it is not known. To be asked once in
    /// a while.
    default OptionalLong servingCpuNanos() {
        return OptionalLong.empty();
    }

    /// Lets other virtual threads have the processor, if this is one: for what computes for long
    /// and is not a worker.
    default void yieldProcessor() {}

    void sleep(Duration duration) throws InterruptedException;

    /// Waits for a signal of `condition`, at most `timeout`; its lock is held. Whether the signal
    /// came is for the caller's loop to find out.
    void await(Condition condition, Duration timeout) throws InterruptedException;
}
