package io.cleave.bookkeeper;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.apache.bookkeeper.client.api.ReadHandle;
import org.jspecify.annotations.Nullable;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The blobs that this process reads. Readers are not closed explicitly: when the garbage collector
/// finds a reader unreachable, its handle is closed. Threads: any.
final class BlobReaders {
    private final ReferenceQueue<BookKeeperBlobReader> gone = new ReferenceQueue<>();
    private final ReentrantLock lock = new ReentrantLock();

    /// Keeps the references reachable, because the collector reports only those.
    @GuardedBy("lock")
    private final Set<Forgotten> held = new HashSet<>();

    /// The number of readers of each blob, including those being opened.
    @GuardedBy("lock")
    private final Map<Long, Integer> counts = new HashMap<>();

    private static final class Forgotten extends PhantomReference<BookKeeperBlobReader> {
        private final long blobId;
        private final ReadHandle ledger;

        Forgotten(
                BookKeeperBlobReader reader,
                long blobId,
                ReadHandle ledger,
                ReferenceQueue<BookKeeperBlobReader> queue) {
            super(reader, queue);
            this.blobId = blobId;
            this.ledger = ledger;
        }
    }

    /// Must be called before the check whether the blob exists; then nobody deletes it after the
    /// check. Followed by [#opened] or [#failed].
    void opening(long blobId) {
        lock.lock();
        try {
            counts.merge(blobId, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    void opened(long blobId, BookKeeperBlobReader reader, ReadHandle ledger) {
        lock.lock();
        try {
            held.add(new Forgotten(reader, blobId, ledger, gone));
        } finally {
            lock.unlock();
        }
    }

    void failed(long blobId) {
        lock.lock();
        try {
            release(blobId);
        } finally {
            lock.unlock();
        }
    }

    boolean isRead(long blobId) {
        lock.lock();
        try {
            return counts.containsKey(blobId);
        } finally {
            lock.unlock();
        }
    }

    /// Closes the handles of readers that the collector has found unreachable.
    void release() {
        for (Forgotten reader = poll(); reader != null; reader = poll()) {
            // Closing a read handle cannot lose data.
            var _ = reader.ledger.closeAsync();
            lock.lock();
            try {
                held.remove(reader);
                release(reader.blobId);
            } finally {
                lock.unlock();
            }
        }
    }

    private @Nullable Forgotten poll() {
        return (Forgotten) gone.poll();
    }

    @GuardedBy("lock")
    private void release(long blobId) {
        counts.computeIfPresent(blobId, (_, count) -> count == 1 ? null : count - 1);
    }
}
