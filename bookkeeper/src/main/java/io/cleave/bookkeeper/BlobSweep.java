package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Deletes the ledgers of deleted blobs in the background, when no process reads them any more.
///
/// ZooKeeper orders all changes. This process publishes the last deletion up to which it has no
/// readers. A reader is counted before it checks whether its blob exists. So a reader that was not
/// counted when this process passed a deletion finds the blob gone.
///
/// Threads: any.
final class BlobSweep implements AutoCloseable {
    /// How often it checks when nothing was deleted here, because other processes read and delete
    /// too.
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final System.Logger LOGGER = System.getLogger(BlobSweep.class.getName());

    private final Env env;
    private final BlobRegistry registry;
    private final BlobHolders holders;
    private final BlobReaders readers;
    private final BlobLedgers ledgers;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private boolean isAsked;

    @GuardedBy("lock")
    private boolean isClosed;

    BlobSweep(
            Env env,
            BlobRegistry registry,
            BlobHolders holders,
            BlobReaders readers,
            BlobLedgers ledgers) {
        this.env = env;
        this.registry = registry;
        this.holders = holders;
        this.readers = readers;
        this.ledgers = ledgers;
    }

    void start() {
        env.spawn("blob-sweep", this::loop);
    }

    /// Called when there is something to delete.
    void soon() {
        lock.lock();
        try {
            isAsked = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        try {
            while (awaitTurn()) {
                try {
                    run();
                } catch (IOException e) {
                    // Nobody waits for the deletion, and the next turn tries again.
                    LOGGER.log(System.Logger.Level.DEBUG, "deleted blobs stay behind", e);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitTurn() throws InterruptedException {
        lock.lock();
        try {
            long until = env.nanoTime() + INTERVAL.toNanos();
            long left = until - env.nanoTime();
            while (!isAsked && !isClosed && left > 0) {
                env.await(changed, Duration.ofNanos(left));
                left = until - env.nanoTime();
            }
            isAsked = false;
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    void run() throws IOException {
        readers.release();
        Map<Long, Long> deleted = registry.deleted();
        if (deleted.isEmpty()) {
            return;
        }
        long own = deleted.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        for (var blob : deleted.entrySet()) {
            if (readers.isRead(blob.getKey())) {
                own = Math.min(own, blob.getValue() - 1);
            }
        }
        holders.pass(own);
        long passed = holders.passedByOthers();
        for (var blob : deleted.entrySet()) {
            if (blob.getValue() <= passed && !readers.isRead(blob.getKey())) {
                ledgers.delete(registry.ledgerId(blob.getKey()));
                registry.buried(blob.getKey());
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
