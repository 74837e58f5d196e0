package io.cleave.exec;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/// Threads for the parts of queries that can run in parallel. Their number is a limit for all
/// queries together. A query takes the threads that are free when it starts. If fewer than two are
/// free, it runs on the thread of its caller.
final class Workers {
    private static final Duration LOOK_AROUND = Duration.ofMillis(50);

    private final @Nullable Env env;
    private final Semaphore free;

    Workers(Env env, int threads) {
        this.env = env;
        free = new Semaphore(threads);
    }

    private Workers() {
        env = null;
        free = new Semaphore(0);
    }

    /// Every query runs on the thread of its caller.
    static Workers none() {
        return new Workers();
    }

    /// The results of `task` for `0 .. count`, in that order. The first failure is thrown after all
    /// threads have stopped.
    <T> List<T> run(int count, IntFunction<T> task) {
        int threads = 0;
        while (threads < count && free.tryAcquire()) {
            threads++;
        }
        Env known = env;
        if (known == null || threads < 2) {
            free.release(threads);
            List<T> results = new ArrayList<>(count);
            for (int index = 0; index < count; index++) {
                results.add(task.apply(index));
            }
            return results;
        }
        try {
            return new Job<>(known, count, task).run(threads);
        } finally {
            free.release(threads);
        }
    }

    private static final class Job<T> {
        private final Env env;
        private final IntFunction<T> task;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition ended = lock.newCondition();
        private final int count;

        @GuardedBy("lock")
        private final List<@Nullable T> results;

        @GuardedBy("lock")
        private int next;

        @GuardedBy("lock")
        private int working;

        @GuardedBy("lock")
        private @Nullable Throwable failure;

        Job(Env env, int count, IntFunction<T> task) {
            this.env = env;
            this.count = count;
            this.task = task;
            results = new ArrayList<@Nullable T>(Collections.<@Nullable T>nCopies(count, null));
        }

        List<T> run(int threads) {
            lock.lock();
            try {
                start(threads);
                awaitAll();
                if (failure instanceof RuntimeException known) {
                    throw known;
                }
                if (failure instanceof Error error) {
                    throw error;
                }
                List<T> all = new ArrayList<>(count);
                for (T result : results) {
                    all.add(Objects.requireNonNull(result));
                }
                return all;
            } finally {
                lock.unlock();
            }
        }

        /// If a thread cannot be started, the running threads take no more tasks.
        @GuardedBy("lock")
        private void start(int threads) {
            try {
                while (working < threads) {
                    env.spawnWorker("query worker", this::work);
                    working++;
                }
            } catch (RuntimeException | Error thrown) {
                fail(thrown);
            }
        }

        /// The threads work on data of the caller. The caller therefore waits until the last thread
        /// has stopped, even if it is interrupted.
        @GuardedBy("lock")
        private void awaitAll() {
            boolean interrupted = false;
            while (working > 0) {
                try {
                    env.await(ended, LOOK_AROUND);
                } catch (InterruptedException stopped) {
                    interrupted = true;
                    fail(
                            new IllegalStateException(
                                    "interrupted while a query was running", stopped));
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @GuardedBy("lock")
        private void fail(Throwable thrown) {
            if (failure == null) {
                failure = thrown;
            }
            next = count;
        }

        private void work() {
            try {
                int index = take();
                while (index >= 0) {
                    put(index, task.apply(index));
                    index = take();
                }
                end(null);
            } catch (RuntimeException | Error thrown) {
                end(thrown);
            }
        }

        /// The index of the next task; -1 if there is none.
        private int take() {
            lock.lock();
            try {
                return next < count ? next++ : -1;
            } finally {
                lock.unlock();
            }
        }

        private void put(int index, T result) {
            lock.lock();
            try {
                results.set(index, result);
            } finally {
                lock.unlock();
            }
        }

        private void end(@Nullable Throwable thrown) {
            lock.lock();
            try {
                if (thrown != null) {
                    fail(thrown);
                }
                working--;
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
