package io.cleave.yt;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.StatusException;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// Aborts the transactions whose clients no longer ping them. Such transactions hold locks on
/// nodes, snapshots, and memory. They are aborted even if no client calls the server.
///
/// Threads: one of its own.
final class TransactionExpiry implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(TransactionExpiry.class.getName());

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
        env.spawn("yt-transactions", this::watch);
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

    /// Returns false if it was closed.
    private boolean runOnce() {
        lock.lock();
        try {
            if (!closed) {
                expire.run();
            }
            return !closed;
        } catch (StatusException _) {
            // The log has failed. The next start removes everything that the transactions have
            // left.
            return true;
        } catch (RuntimeException e) {
            // The transactions are looked at again.
            LOGGER.log(System.Logger.Level.WARNING, "transactions could not be expired", e);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// When this method has returned, no transaction is touched any more.
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
