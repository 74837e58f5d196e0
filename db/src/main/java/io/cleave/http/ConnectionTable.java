package io.cleave.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The connections that there are, and which of them goes when there are too many.
///
/// A connection may go while no handler works for it: whether it is idle, has sent half a request,
/// or does not read its answer. The one goes that has not finished a request for the longest time;
/// of the peer itself if the peer has too many, else of the peer that has the most. So a client
/// that comes now is always let in, and one that keeps to itself is not shut out by others.
///
/// Handlers are fewer than connections, so there is always one that may go.
final class ConnectionTable<C> {
    private final int maxConnections;
    private final int maxPeerConnections;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Object, Peer<C>> peers = new HashMap<>();

    @GuardedBy("lock")
    private final Map<C, Peer<C>> connections = new HashMap<>();

    ConnectionTable(int maxConnections, int maxPeerConnections) {
        this.maxConnections = maxConnections;
        this.maxPeerConnections = maxPeerConnections;
    }

    private static final class Peer<C> {
        private final Object address;
        private int count;

        /// Those that may go, the next one first.
        private final LinkedHashSet<C> unfinished = new LinkedHashSet<>();

        Peer(Object address) {
            this.address = address;
        }
    }

    /// Whether a connection is let in, and which other one has to be closed for it.
    record Admission<C>(boolean isAdmitted, Optional<C> evicted) {}

    Admission<C> admit(C connection, Object address) {
        lock.lock();
        try {
            Peer<C> known = peers.get(address);
            Peer<C> peer = known == null ? new Peer<>(address) : known;
            Peer<C> crowded = crowded(peer);
            C evicted = null;
            if (crowded != null) {
                if (crowded.unfinished.isEmpty()) {
                    return new Admission<>(false, Optional.empty());
                }
                evicted = crowded.unfinished.getFirst();
                remove(evicted);
            }
            // It may be new, or may just have gone with its only connection.
            peers.put(address, peer);
            peer.count++;
            peer.unfinished.add(connection);
            connections.put(connection, peer);
            return new Admission<>(true, Optional.ofNullable(evicted));
        } finally {
            lock.unlock();
        }
    }

    /// Of whom one has to go before `peer` gets one more; null if there is room.
    @GuardedBy("lock")
    private @Nullable Peer<C> crowded(Peer<C> peer) {
        if (peer.count >= maxPeerConnections) {
            return peer;
        }
        if (connections.size() < maxConnections) {
            return null;
        }
        return peers.values().stream()
                .filter(each -> !each.unfinished.isEmpty())
                .max(Comparator.comparingInt(each -> each.count))
                .orElse(peer);
    }

    /// A handler works for it now: it may not go.
    void begin(C connection) {
        lock.lock();
        try {
            Peer<C> peer = connections.get(connection);
            if (peer != null) {
                peer.unfinished.remove(connection);
            }
        } finally {
            lock.unlock();
        }
    }

    /// It has got an answer: of those that may go it is the last.
    void finish(C connection) {
        lock.lock();
        try {
            Peer<C> peer = connections.get(connection);
            if (peer != null) {
                peer.unfinished.remove(connection);
                peer.unfinished.add(connection);
            }
        } finally {
            lock.unlock();
        }
    }

    void leave(C connection) {
        lock.lock();
        try {
            remove(connection);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void remove(C connection) {
        Peer<C> peer = connections.remove(connection);
        if (peer == null) {
            return;
        }
        peer.unfinished.remove(connection);
        peer.count--;
        if (peer.count == 0) {
            peers.remove(peer.address);
        }
    }

    int size() {
        lock.lock();
        try {
            return connections.size();
        } finally {
            lock.unlock();
        }
    }
}
