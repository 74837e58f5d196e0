package io.cleave.testkit;

import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;

/// Threads, time and chance from one seed. Time passes only when every thread waits: it then jumps
/// to the next moment someone waits for, so a wait of an hour takes none.
///
/// Threads: one test thread at a time drives it, with [#run].
public final class SimEnv implements Env {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    private static final long MEASURED_NANOS = 2_000;

    private final SeededScheduler scheduler;
    private final Random random;
    private final Random luck;
    private final SimProcess world;

    /// Whether a thread is a simulated one: it has this from the one that started it.
    private static final InheritableThreadLocal<Boolean> SIMULATED = new InheritableThreadLocal<>();

    /// The next to wake up first; of two at the same moment, the one that came first.
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(
                    Comparator.<Alarm>comparingLong(alarm -> alarm.nanos)
                            .thenComparingLong(alarm -> alarm.number));

    /// How often each named point had bad luck.
    private final Map<String, Long> failures = new TreeMap<>();

    /// How often it was asked for one in so many.
    private final Map<Integer, Long> measured = new TreeMap<>();

    private long nanos = 1_000;
    private long wallJumpMicros;
    private long alarmCount;
    private long cpuNanos;
    private boolean measuresAll;
    private double failChance;
    private @Nullable Throwable failure;

    static {
        // Log lines of simulated threads are not printed: to print takes a lock that threads from
        // outside take, too.
        for (Handler printer : Logger.getLogger("").getHandlers()) {
            printer.setFilter(_ -> SIMULATED.get() == null);
        }
    }

    public SimEnv(long seed) {
        scheduler = new SeededScheduler(seed);
        random = new Random(seed);
        luck = new Random(~seed);
        world = newProcess();
    }

    private static final class Alarm {
        final long nanos;
        final long number;
        final Thread thread;
        boolean rang;

        Alarm(long nanos, long number, Thread thread) {
            this.nanos = nanos;
            this.number = number;
            this.thread = thread;
        }
    }

    /// Another process on the same clock.
    public SimProcess newProcess() {
        return new SimProcess(this, scheduler.newGroup());
    }

    /// Runs the body on a simulated thread, and all others with it, until the body has ended.
    /// Throws what it threw, or what another thread did not catch.
    public void run(Runnable body) {
        SIMULATED.set(true);
        try {
            runAll(spawn("test", body));
        } finally {
            SIMULATED.remove();
        }
    }

    private void runAll(Thread main) {
        while (main.isAlive() && failure == null) {
            scheduler.runUntilIdle();
            if (main.isAlive() && failure == null && !ring()) {
                scheduler.runUntilIdle(); // says it better if someone from outside was in play
                throw new AssertionError("every thread waits, and nothing will wake one");
            }
        }
        scheduler.runUntilIdle();
        if (failure != null) {
            throw new AssertionError("a thread failed", failure);
        }
    }

    /// To the next moment someone waits for.
    private boolean ring() {
        Alarm next = alarms.poll();
        if (next == null) {
            return false;
        }
        nanos = Math.max(nanos, next.nanos);
        next.rang = true;
        next.thread.interrupt();
        return true;
    }

    /// Ends the run: [#run] throws this.
    public void fail(Throwable why) {
        failure = failure == null ? why : failure;
    }

    public boolean failed() {
        return failure != null;
    }

    /// A digest of the run so far.
    public long digest() {
        return scheduler.digest() * 31 + nanos;
    }

    /// From now on each point of [#mayFail] fails with this probability.
    public void setFailChance(double chance) {
        failChance = chance;
    }

    public Map<String, Long> failures() {
        return failures;
    }

    /// From now on everything is measured that could be: a run is short.
    public void measureAll() {
        measuresAll = true;
    }

    /// The wall clock is set forward, or back.
    public void jumpWall(Duration by) {
        wallJumpMicros += by.toNanos() / 1000;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallMicros() {
        return START_MICROS + wallJumpMicros + nanos / 1000;
    }

    /// Whatever is measured costs the same.
    @Override
    public long cpuNanos() {
        cpuNanos += MEASURED_NANOS;
        return cpuNanos;
    }

    /// Every so many.
    @Override
    public boolean isOneIn(int count) {
        return measured.merge(count, 1L, Long::sum) % count == 0 || measuresAll;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public boolean mayFail(String point) {
        boolean fails = luck.nextDouble() < failChance;
        if (fails) {
            failures.merge(point, 1L, Long::sum);
        }
        return fails;
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        return world.spawn(name, body);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Alarm alarm = setAlarm(duration);
        while (!alarm.rang) {
            LockSupport.park(this);
            if (!alarm.rang && Thread.interrupted()) {
                alarms.remove(alarm);
                throw new InterruptedException();
            }
        }
        var _ = Thread.interrupted();
    }

    /// An alarm ends the wait by an interrupt, which is taken back before the caller sees it.
    @Override
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    public void await(Condition condition, Duration timeout) throws InterruptedException {
        Alarm alarm = setAlarm(timeout);
        try {
            condition.await();
        } catch (InterruptedException e) {
            if (!alarm.rang) {
                throw e;
            }
        } finally {
            alarms.remove(alarm);
            if (alarm.rang) {
                var _ = Thread.interrupted();
            }
        }
    }

    private Alarm setAlarm(Duration wait) {
        var alarm = new Alarm(nanos + wait.toNanos(), alarmCount++, Thread.currentThread());
        alarms.add(alarm);
        return alarm;
    }
}
