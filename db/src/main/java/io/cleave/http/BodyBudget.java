package io.cleave.http;

import java.util.concurrent.atomic.AtomicLong;

/// Limits the bytes of all request bodies that are kept for handlers.
///
/// Threads: any.
final class BodyBudget {
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();

    BodyBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    boolean take(int count) {
        if (bytes.addAndGet(count) <= maxBytes) {
            return true;
        }
        bytes.addAndGet(-count);
        return false;
    }

    void giveBack(int count) {
        bytes.addAndGet(-count);
    }

    long bytes() {
        return bytes.get();
    }
}
