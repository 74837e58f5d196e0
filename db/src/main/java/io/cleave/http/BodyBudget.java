package io.cleave.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.memory.MemoryPool;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Limits the bytes of requests that are kept for handlers, in total and for each peer, so that one
/// peer cannot use the share of all others. The bytes are counted when they arrive. The length that
/// a client has announced does not count. If the server has a pool of memory, the bytes are taken
/// from it.
///
/// Threads: any.
final class BodyBudget {
    private final HttpLimits limits;
    private final Optional<MemoryPool> pool;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Object, Long> taken = new HashMap<>();

    @GuardedBy("lock")
    private long total;

    BodyBudget(HttpLimits limits, Optional<MemoryPool> pool) {
        this.limits = limits;
        this.pool = pool;
    }

    /// Takes the bytes. Throws with the reason if there are not enough.
    void take(Object peer, int count) throws BadRequestException {
        lock.lock();
        try {
            if (total + count > limits.bodyBytes()) {
                throw refused("all requests", limits.bodyBytes());
            }
            long ofPeer = taken.getOrDefault(peer, 0L);
            if (ofPeer + count > limits.peerBodyBytes()) {
                throw refused("all requests from this address", limits.peerBodyBytes());
            }
            if (pool.isPresent() && !pool.get().tryTake(count)) {
                throw new BadRequestException(
                        503, pool.get().exhaustedText("the body of a request", count));
            }
            total += count;
            taken.put(peer, ofPeer + count);
        } finally {
            lock.unlock();
        }
    }

    private static BadRequestException refused(String whose, long limit) {
        return new BadRequestException(
                503,
                "the bodies of %s together may have up to %d bytes; retry later"
                        .formatted(whose, limit));
    }

    void giveBack(Object peer, long count) {
        if (count == 0) {
            return;
        }
        lock.lock();
        try {
            total -= count;
            taken.compute(
                    peer, (_, bytes) -> bytes == null || bytes == count ? null : bytes - count);
        } finally {
            lock.unlock();
        }
        pool.ifPresent(some -> some.give(count));
    }

    long bytes() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }
}
