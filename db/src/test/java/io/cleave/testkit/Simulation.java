package io.cleave.testkit;

import io.cleave.base.Env;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// A machine whose threads, time and chance come from one seed, so that a run repeats exactly.
///
/// All threads run on the one that called [#run], in an order drawn by [SeededScheduler]; when all
/// of them wait, time jumps to the next deadline.
public final class Simulation implements Env {
    private final Random random;
    private final SeededScheduler scheduler;
    private final ThreadFactory threads;
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(
                    Comparator.comparingLong((Alarm alarm) -> alarm.nanos)
                            .thenComparingLong(alarm -> alarm.number));
    private long alarmCount;
    private long nanos;

    /// Ends a wait. The one way to end a wait for a [Condition] from outside, without its lock, is
    /// to interrupt the thread; it is told apart from a true interrupt by `rung`.
    private static final class Alarm {
        final long nanos;
        final long number;
        final Thread thread = Thread.currentThread();
        boolean rung;

        Alarm(long nanos, long number) {
            this.nanos = nanos;
            this.number = number;
        }
    }

    /// What a simulated thread may do: throw anything.
    public interface Body {
        void run() throws Exception;
    }

    public Simulation(long seed) {
        random = new Random(seed);
        scheduler = new SeededScheduler(random.nextLong());
        threads = scheduler.threads();
    }

    /// Runs the body as a thread of the simulation, and every other for as long as it takes. What
    /// the body throws is thrown here. Threads that still wait then are left where they are.
    public void run(Body body) throws Exception {
        var done = new boolean[1];
        var failure = new Throwable[1];
        spawn(
                "main",
                () -> {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        failure[0] = e;
                    }
                    done[0] = true;
                });
        scheduler.runUntilIdle();
        while (!done[0]) {
            ringNext();
            scheduler.runUntilIdle();
        }
        if (failure[0] instanceof Exception e) {
            throw e;
        }
        if (failure[0] instanceof Error e) {
            throw e;
        }
    }

    private void ringNext() {
        Alarm next = alarms.poll();
        if (next == null) {
            throw new AssertionError("every thread waits for another");
        }
        nanos = Math.max(nanos, next.nanos);
        next.rung = true;
        next.thread.interrupt();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallMicros() {
        return 1_700_000_000_000_000L + nanos / 1_000;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Thread spawn(String name, Runnable body) {
        Thread thread = threads.newThread(body);
        thread.setName(name);
        thread.start();
        return thread;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        var lock = new ReentrantLock();
        lock.lock();
        try {
            await(lock.newCondition(), duration);
        } finally {
            lock.unlock();
        }
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    public void await(Condition condition, Duration timeout) throws InterruptedException {
        var alarm = new Alarm(nanos + timeout.toNanos(), alarmCount++);
        alarms.add(alarm);
        try {
            condition.await();
        } catch (InterruptedException e) {
            if (!alarm.rung) {
                throw e;
            }
        } finally {
            alarms.remove(alarm);
        }
    }
}
