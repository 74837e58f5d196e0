package io.cleave.http;

import java.util.concurrent.atomic.AtomicLong;

/// The bytes of bodies that are kept for handlers, of all requests together.
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
