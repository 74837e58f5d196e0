package io.cleave.base;

import java.time.Duration;
import java.time.Instant;
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

/// The JVM's own clock, threads and chance.
public final class SystemEnv implements Env {
    /// For so long the time is counted on from when the system's clock was last asked: that takes
    /// twice as long as to ask for nanoseconds.
    private static final long STEP_NANOS = 100_000_000;

    /// How often it is noted what was asked for: all threads share the note.
    private static final long RECENT_NANOS = 1_000_000;

    /// Of a thread for [#deep]. Only what is used of it takes memory.
    private static final long DEEP_STACK_BYTES = 32 << 20;

    /// So many of these threads there are at once; others wait for them.
    private static final int DEEP_THREADS = 4;

    private final BackgroundCpu background = new BackgroundCpu();
    private final Semaphore deepThreads = new Semaphore(DEEP_THREADS, true);
    private volatile boolean cpuAsked;
    private volatile Optional<CpuClock> cpu = Optional.empty();
    private volatile WallClock wall = WallClock.now();
    private volatile long recent = System.nanoTime();

    /// What the system's clock said, and when.
    private record WallClock(long micros, long nanos) {
        static WallClock now() {
            Instant now = Instant.now();
            return new WallClock(
                    now.getEpochSecond() * 1_000_000 + now.getNano() / 1000, System.nanoTime());
        }
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
    public long recentMicros() {
        WallClock last = wall;
        long since = recent - last.nanos;
        return since >= 0 && since < STEP_NANOS ? last.micros + since / 1000 : wallMicros();
    }

    /// Before the clock is there, and where there is none, it is the time.
    @Override
    public long cpuNanos() {
        Optional<CpuClock> clock = cpuClock();
        return clock.isPresent() ? clock.get().nanos() : System.nanoTime();
    }

    private Optional<CpuClock> cpuClock() {
        if (!cpuAsked) {
            cpuAsked = true;
            // Once; nobody waits for it, least of all who measures.
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
        return Thread.ofVirtual().name(name).start(body);
    }

    @Override
    public Thread spawnWorker(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }

    /// It parks rather than yields: one that yields comes before those that were never run, where
    /// its carrier has others that yield. While many threads park here, one that was never run can
    /// still wait for seconds, since a carrier goes on with the queue that it took a thread from.
    @Override
    public void yieldProcessor() {
        if (Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(1);
        }
    }

    @Override
    public <T> T deep(Supplier<T> work) {
        var task = new FutureTask<>(work::get);
        deepThreads.acquireUninterruptibly();
        try {
            Thread.ofPlatform().daemon().name("deep").stackSize(DEEP_STACK_BYTES).start(task);
            return result(task);
        } finally {
            deepThreads.release();
        }
    }

    /// The work is short, so that nobody who interrupts waits for long.
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
        Thread.sleep(duration);
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    public void await(Condition condition, Duration timeout) throws InterruptedException {
        // The answer says signal or timeout; the caller's loop looks at its own state instead.
        var _ = condition.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
}
