package io.cleave.base;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The JVM's own clock, threads and random numbers.
public final class SystemEnv implements Env {
    /// How long the wall-clock time is extrapolated from the last reading of the system's clock.
    /// Such a reading takes twice as long as one of the nanosecond clock.
    private static final long STEP_NANOS = 100_000_000;

    /// The minimum interval between updates of `recent`, which all threads share.
    private static final long RECENT_NANOS = 1_000_000;

    /// The stack size of a thread for [#deep]. Only the part that is used takes memory.
    private static final long DEEP_STACK_BYTES = 32 << 20;

    /// The maximum number of threads for [#deep] at a time; further callers wait.
    private static final int DEEP_THREADS = 4;

    /// A virtual thread that computes for long takes a turn every few milliseconds. A thread that
    /// has not done so for this time is assumed to be blocked.
    private static final long COMPUTE_LEASE_NANOS = 100_000_000;

    /// The JVM's option for the number of carriers of virtual threads. The default is one for each
    /// processor.
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    private final int carriers =
            Integer.getInteger(CARRIERS, Runtime.getRuntime().availableProcessors());
    private final ComputeSlots slots =
            new ComputeSlots(Math.max(1, carriers - 1), COMPUTE_LEASE_NANOS);
    private final BackgroundCpu background = new BackgroundCpu();
    private final Semaphore deepThreads = new Semaphore(DEEP_THREADS, true);
    private final Optional<ZoneId> chosenZone;
    private volatile boolean cpuAsked;
    private volatile Optional<CpuClock> cpu = Optional.empty();
    private volatile WallClock wall = WallClock.now();
    private volatile long recent = System.nanoTime();

    /// A reading of the system's clock, and the time of the reading.
    private record WallClock(long micros, long nanos) {
        static WallClock now() {
            Instant now = Instant.now();
            return new WallClock(
                    now.getEpochSecond() * 1_000_000 + now.getNano() / 1000, System.nanoTime());
        }
    }

    public SystemEnv() {
        this(Optional.empty());
    }

    /// With another time zone than that of the process.
    public SystemEnv(Optional<ZoneId> zone) {
        chosenZone = zone;
    }

    @Override
    public long nanoTime() {
        long now = System.nanoTime();
        if (now - recent >= RECENT_NANOS) {
            recent = now;
        }
        return now;
    }

    @Override
    public long recentNanos() {
        return recent;
    }

    @Override
    public long wallMicros() {
        WallClock last = wall;
        long since = System.nanoTime() - last.nanos;
        if (since < STEP_NANOS) {
            return last.micros + since / 1000;
        }
        WallClock now = WallClock.now();
        wall = now;
        return now.micros;
    }

    @Override
    public ZoneId zone() {
        return chosenZone.orElseGet(ZoneId::systemDefault);
    }

    @Override
    public long recentMicros() {
        WallClock last = wall;
        long since = recent - last.nanos;
        return since >= 0 && since < STEP_NANOS ? last.micros + since / 1000 : wallMicros();
    }

    /// Returns the elapsed time if there is no CPU clock, or while it is being loaded.
    @Override
    public long cpuNanos() {
        Optional<CpuClock> clock = cpuClock();
        return clock.isPresent() ? clock.get().nanos() : System.nanoTime();
    }

    private Optional<CpuClock> cpuClock() {
        if (!cpuAsked) {
            cpuAsked = true;
            // Loaded once and in the background, so that the code that measures does not wait for
            // it.
            Thread.ofPlatform().daemon().name("cpu-clock").start(() -> cpu = CpuClock.load());
        }
        return cpu;
    }

    @Override
    public OptionalLong servingCpuNanos() {
        Optional<CpuClock> clock = cpuClock();
        return clock.isPresent()
                ? OptionalLong.of(clock.get().processNanos() - background.nanos())
                : OptionalLong.empty();
    }

    @Override
    public boolean isOneIn(int count) {
        return ThreadLocalRandom.current().nextInt(count) == 0;
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(() -> runAndLeave(body));
    }

    private void runAndLeave(Runnable body) {
        try {
            body.run();
        } finally {
            slots.leave();
        }
    }

    @Override
    public Thread spawnWorker(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }

    @Override
    public void yieldProcessor() {
        if (!Thread.currentThread().isVirtual()) {
            return;
        }
        slots.takeTurn();
        if (carriers == 1) {
            // This thread occupies the only carrier. While it is parked, all other threads can use
            // the carrier.
            LockSupport.parkNanos(1);
        }
    }

    /// A thread for [#deep].
    private static final class DeepThread extends Thread {
        DeepThread(Runnable work) {
            super(null, work, "deep", DEEP_STACK_BYTES);
            setDaemon(true);
        }
    }

    @Override
    public <T> T deep(Supplier<T> work) {
        if (Thread.currentThread() instanceof DeepThread) {
            // Waiting for another thread here could block for ever: all of them may wait so.
            return work.get();
        }
        var task = new FutureTask<>(work::get);
        deepThreads.acquireUninterruptibly();
        try {
            new DeepThread(task).start();
            return result(task);
        } finally {
            deepThreads.release();
        }
    }

    /// The work is short, so an interrupt can wait until it is done.
    private static <T> T result(FutureTask<T> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    switch (e.getCause()) {
                        case RuntimeException failure -> throw failure;
                        case Error error -> throw error;
                        case null, default -> throw new IllegalStateException(e);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Thread spawnBackground(String name, Runnable body) {
        return spawnWorker(name, () -> background.run(body));
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        slots.leave();
        Thread.sleep(duration);
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the caller has the loop
    public void await(Condition condition, Duration timeout) throws InterruptedException {
        slots.leave();
        // The result tells signal or timeout; the caller's loop checks its own state instead.
        var _ = condition.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
}
