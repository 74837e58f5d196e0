package io.cleave.sim;

import io.cleave.sim.Simulation.Bug;
import io.cleave.testkit.SeededScheduler.OutsideException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// Runs simulations of many seeds, as many at a time as there are processors, and gathers what they
/// found.
final class Seeds {
    /// So many failures are enough to read.
    private static final int ENOUGH = Integer.getInteger("enough", 20);

    private static final int MOST_TRIES = 5;

    private static final long PROGRESS_NANOS = 30_000_000_000L;

    private final long first;
    private final long count;
    private final AtomicLong next;
    private final long began = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();

    // All under the lock.
    private final Totals totals = new Totals();
    private final List<String> failures = new ArrayList<>();
    private long told = began;

    Seeds(long first, long count) {
        this.first = first;
        this.count = count;
        next = new AtomicLong(first);
    }

    void run() throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        int processors = (int) Math.min(count, Runtime.getRuntime().availableProcessors());
        for (int worker = 0; worker < processors; worker++) {
            workers.add(Thread.ofPlatform().name("sim-" + worker).start(this::work));
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work() {
        for (long seed = next.getAndIncrement();
                seed < first + count && failures().size() < ENOUGH;
                seed = next.getAndIncrement()) {
            try {
                finished(run(seed, 0));
            } catch (RuntimeException | Error e) {
                failed(seed, e);
            }
        }
    }

    private Totals run(long seed, int tries) {
        try {
            return new Simulation(seed, Bug.NONE).run();
        } catch (OutsideException e) {
            if (tries == MOST_TRIES) {
                throw new AssertionError("-Dseed=" + seed + " cannot be repeated", e);
            }
            lock.lock();
            try {
                totals.count("runs begun anew");
            } finally {
                lock.unlock();
            }
            return run(seed, tries + 1);
        }
    }

    private void finished(Totals run) {
        lock.lock();
        try {
            totals.add(run);
            long now = System.nanoTime();
            if (now - told > PROGRESS_NANOS) {
                told = now;
                System.out.println(summary());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Says whether the seed fails again: one that does not is a failure too, of whatever made the
    /// two runs differ.
    private void failed(long seed, Throwable failure) {
        boolean again = false;
        try {
            run(seed, 0);
        } catch (RuntimeException | Error _) {
            again = true;
        }
        lock.lock();
        try {
            failure.printStackTrace(System.out);
            String message = "-Dseed=" + seed + ": " + failure.getMessage();
            failures.add(again ? message : message + " (a second run was good)");
        } finally {
            lock.unlock();
        }
    }

    List<String> failures() {
        lock.lock();
        try {
            return List.copyOf(failures);
        } finally {
            lock.unlock();
        }
    }

    /// That were good.
    long runs() {
        lock.lock();
        try {
            return totals.get("runs");
        } finally {
            lock.unlock();
        }
    }

    String summary() {
        lock.lock();
        try {
            return "%d of %d seeds from %d in %d s, %d failed: %s"
                    .formatted(
                            totals.get("runs") + failures.size(),
                            count,
                            first,
                            (System.nanoTime() - began) / 1_000_000_000,
                            failures.size(),
                            totals);
        } finally {
            lock.unlock();
        }
    }
}
