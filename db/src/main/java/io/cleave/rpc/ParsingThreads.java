package io.cleave.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/// Threads that unpack and parse large messages, so that the connections' threads need not. There
/// are few of them: more would only take the processors from small requests.
///
/// Threads: any.
final class ParsingThreads {
    /// Messages that wait for a thread; each has taken its memory, and is the only one of its call.
    static final int MAX_WAITING = 10_000;

    private final Env env;
    private final int maxThreads;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int threads;

    ParsingThreads(Env env, int maxThreads) {
        this.env = env;
        this.maxThreads = maxThreads;
    }

    /// Runs it soon; false if too many wait.
    boolean submit(Runnable task) {
        lock.lock();
        try {
            if (threads == maxThreads) {
                return waiting.size() < MAX_WAITING && waiting.add(task);
            }
            threads++;
        } finally {
            lock.unlock();
        }
        var _ = env.spawnWorker("rpc-parse", () -> work(task));
        return true;
    }

    private void work(Runnable first) {
        for (Runnable task = first; task != null; task = next()) {
            task.run();
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable task = waiting.poll();
            if (task == null) {
                threads--;
            }
            return task;
        } finally {
            lock.unlock();
        }
    }
}
