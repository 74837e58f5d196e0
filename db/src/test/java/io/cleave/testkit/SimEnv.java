package io.cleave.testkit;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/// Threads, time and chance from one seed. Time passes only when every thread waits: it then jumps
/// to the next moment someone waits for, so a wait of an hour takes none.
///
/// Threads: one test thread at a time drives it, with [#run].
public final class SimEnv implements Env {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    private final SeededScheduler scheduler;
    private final ThreadFactory threads;
    private final Random random;

    /// The next to wake up first; of two at the same moment, the one that came first.
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(
                    Comparator.<Alarm>comparingLong(alarm -> alarm.nanos)
                            .thenComparingLong(alarm -> alarm.number));

    private long nanos = 1_000;
    private long alarmCount;
    private Throwable failure;

    public SimEnv(long seed) {
        scheduler = new SeededScheduler(seed);
        threads = scheduler.threads();
        random = new Random(seed);
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

    /// Runs the body on a simulated thread, and all others with it, until the body has ended.
    /// Throws what it threw, or what another thread did not catch.
    public void run(Runnable body) {
        Thread main = spawn("test", body);
        while (main.isAlive() && failure == null) {
            scheduler.runUntilIdle();
            if (main.isAlive() && failure == null && !ring()) {
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

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallMicros() {
        return START_MICROS + nanos / 1000;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        Thread thread =
                threads.newThread(
                        () -> {
                            try {
                                body.run();
                            } catch (Throwable e) {
                                failure = failure == null ? e : failure;
                            }
                        });
        thread.setName(name);
        thread.start();
        return thread;
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
