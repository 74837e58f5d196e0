package io.cleave.bookkeeper;

import io.cleave.base.Env;
import io.netty.buffer.ByteBuf;

import org.apache.bookkeeper.client.api.WriteHandle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// The ledger that a writer appends to, and whether a new one is due.
///
/// Threads: the sender; any may ask for the current ledger.
final class PresentLedger {
    /// A smaller ledger does not end because of its age. Otherwise the list of ledgers would grow
    /// without bound, because a log with few writes is rarely trimmed.
    static final long MIN_AGED_BYTES = 1 << 20;

    private final Env env;
    private final long fullBytes;
    private final Duration rollAge;

    private volatile WriteHandle handle;

    // Used only by the sender.
    private long bytes;
    private long sinceNanos;

    PresentLedger(Env env, WriteHandle first, long fullBytes, Duration rollAge) {
        this.env = env;
        this.fullBytes = fullBytes;
        this.rollAge = rollAge;
        handle = first;
        sinceNanos = env.nanoTime();
    }

    /// Replaces the ledger.
    void begin(WriteHandle next) {
        handle = next;
        bytes = 0;
        sinceNanos = env.nanoTime();
    }

    WriteHandle handle() {
        return handle;
    }

    long id() {
        return handle.getId();
    }

    boolean isFull() {
        return bytes >= fullBytes
                || (bytes >= MIN_AGED_BYTES && env.nanoTime() - sinceNanos >= rollAge.toNanos());
    }

    CompletableFuture<Long> append(ByteBuf entry) {
        bytes += entry.readableBytes();
        return handle.appendAsync(entry);
    }

    CompletableFuture<Void> seal() {
        return handle.closeAsync();
    }
}
