package io.cleave.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;

/// Threads that unpack and parse large messages, so that the connections' threads need not. There
/// are few of them: more would only take the processors from small requests. Connections take
/// turns.
///
/// Threads: any.
final class ParsingThreads {
    /// Messages that wait for a thread; each has taken its memory, and is the only one of its call.
    static final int MAX_WAITING = 10_000;

    private final Env env;
    private final int maxThreads;
    private final ReentrantLock lock = new ReentrantLock();

    /// Of each connection, whose turn is next first.
    @GuardedBy("lock")
    private final SequencedMap<Object, Queue<Runnable>> waiting = new LinkedHashMap<>();

    @GuardedBy("lock")
    private int waitingCount;

    @GuardedBy("lock")
    private int threads;

    ParsingThreads(Env env, int maxThreads) {
        this.env = env;
        this.maxThreads = maxThreads;
    }

    /// Runs it soon; false if too many wait.
    boolean submit(Object connection, Runnable task) {
        lock.lock();
        try {
            if (threads == maxThreads) {
                return waitingCount < MAX_WAITING && enqueue(connection, task);
            }
            threads++;
        } finally {
            lock.unlock();
        }
        var _ = env.spawnWorker("rpc-parse", () -> work(task));
        return true;
    }

    @GuardedBy("lock")
    private boolean enqueue(Object connection, Runnable task) {
        waitingCount++;
        return waiting.computeIfAbsent(connection, _ -> new ArrayDeque<>()).add(task);
    }

    private void work(Runnable first) {
        for (Runnable task = first; task != null; task = next()) {
            task.run();
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            var first = waiting.pollFirstEntry();
            if (first == null) {
                threads--;
                return null;
            }
            waitingCount--;
            Runnable task = first.getValue().remove();
            if (!first.getValue().isEmpty()) {
                waiting.putLast(first.getKey(), first.getValue());
            }
            return task;
        } finally {
            lock.unlock();
        }
    }
}
