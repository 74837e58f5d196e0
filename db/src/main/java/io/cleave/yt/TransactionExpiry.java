package io.cleave.yt;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// Ends the transactions of the tree whose clients have gone away, also when nobody calls the
/// server any more: they hold locks on nodes, and memory.
///
/// Threads: one of its own.
final class TransactionExpiry implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Env env;
    private final Runnable expire;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean closed;

    TransactionExpiry(Env env, Runnable expire) {
        this.env = env;
        this.expire = expire;
    }

    void start() {
        env.spawn("yt-tree-transactions", this::watch);
    }

    private void watch() {
        try {
            do {
                env.sleep(PERIOD);
            } while (runOnce());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns false when it has been closed.
    private boolean runOnce() {
        lock.lock();
        try {
            if (!closed) {
                expire.run();
            }
            return !closed;
        } catch (StatusException _) {
            // The log has failed. The next start removes what the transactions have left.
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Nothing is touched afterwards.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
