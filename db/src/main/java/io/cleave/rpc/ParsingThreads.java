package io.cleave.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Threads that decompress and parse large messages, so that connections' threads are not blocked.
/// There are few of them: more threads would only take processors away from small requests.
/// Connections take turns. A thread without work stays for a while, because a new thread costs as
/// much as parsing a message of 100 KB.
///
/// Threads: any.
final class ParsingThreads {
    /// Limit of messages that wait for a thread. Each has taken its memory, and each call has at
    /// most one.
    static final int MAX_WAITING = 10_000;

    private static final Duration IDLE_LIMIT = Duration.ofSeconds(10);

    private final Env env;
    private final int maxThreads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();

    /// The waiting tasks of each connection. The first connection is served next.
    @GuardedBy("lock")
    private final SequencedMap<Object, Queue<Runnable>> waiting = new LinkedHashMap<>();

    @GuardedBy("lock")
    private int waitingCount;

    @GuardedBy("lock")
    private int threads;

    /// Threads that wait for work. Each task that was added for one of them is in `waiting`.
    @GuardedBy("lock")
    private int idleThreads;

    ParsingThreads(Env env, int maxThreads) {
        this.env = env;
        this.maxThreads = maxThreads;
    }

    /// Runs the task soon. Returns false if too many tasks wait.
    boolean submit(Object connection, Runnable task) {
        lock.lock();
        try {
            if (waitingCount < idleThreads) {
                added.signal();
                return enqueue(connection, task);
            }
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

    /// The next task, or null when the thread should end.
    private @Nullable Runnable next() {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                awaitTask();
            }
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

    @GuardedBy("lock")
    private void awaitTask() {
        long deadlineNanos = env.nanoTime() + IDLE_LIMIT.toNanos();
        idleThreads++;
        try {
            long leftNanos = IDLE_LIMIT.toNanos();
            while (waiting.isEmpty() && leftNanos > 0) {
                env.await(added, Duration.ofNanos(leftNanos));
                leftNanos = deadlineNanos - env.nanoTime();
            }
        } catch (InterruptedException _) {
            // Nobody interrupts these threads on purpose. The thread ends, and the next task starts
            // another one.
            Thread.currentThread().interrupt();
        } finally {
            idleThreads--;
        }
    }
}
