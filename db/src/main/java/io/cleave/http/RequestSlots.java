package io.cleave.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Limits how many handlers run at once, in total and for each peer.
///
/// Threads: any.
final class RequestSlots {
    private final HttpLimits limits;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Object, Integer> taken = new HashMap<>();

    @GuardedBy("lock")
    private int total;

    RequestSlots(HttpLimits limits) {
        this.limits = limits;
    }

    /// Takes a slot. Returns the reason if there is none.
    Optional<String> take(Object peer) {
        lock.lock();
        try {
            if (total >= limits.requests()) {
                return Optional.of(
                        "%d requests are in progress, which is the limit; retry later"
                                .formatted(limits.requests()));
            }
            int ofPeer = taken.getOrDefault(peer, 0);
            if (ofPeer >= limits.peerRequests()) {
                return Optional.of(
                        "%d requests from this address are in progress, which is the limit; retry later"
                                .formatted(limits.peerRequests()));
            }
            total++;
            taken.put(peer, ofPeer + 1);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Takes a slot for a request whose body is still arriving. Slow clients may keep such slots
    /// for long, so together they get at most half of all slots, and half of those of a peer.
    boolean takeEarly(Object peer) {
        lock.lock();
        try {
            int ofPeer = taken.getOrDefault(peer, 0);
            if (total >= limits.requests() / 2 || ofPeer >= limits.peerRequests() / 2) {
                return false;
            }
            total++;
            taken.put(peer, ofPeer + 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void giveBack(Object peer) {
        lock.lock();
        try {
            total--;
            taken.compute(peer, (_, count) -> count == null || count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }

    int total() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }
}
