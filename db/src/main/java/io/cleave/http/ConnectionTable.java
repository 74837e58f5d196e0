package io.cleave.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Limits the connections, in total and for each peer, and chooses which one to close when there
/// are too many.
///
/// A connection may be closed if no handler works for it: it is idle, has sent half a request, or
/// does not read its answer. The victim is the connection whose last finished request is oldest. It
/// belongs to the new connection's peer if that peer has too many, and otherwise to the peer with
/// the most connections. So a new client is always admitted, and a client with few connections is
/// not shut out by others.
///
/// There are fewer handlers than connections, so there is always a connection that may be closed.
///
/// Threads: any.
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

        /// Connections that may be closed. The first one is closed next.
        private final LinkedHashSet<C> unfinished = new LinkedHashSet<>();

        Peer(Object address) {
            this.address = address;
        }
    }

    /// Whether the connection is admitted, and which one has to be closed for it.
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
            // The peer may be new, or was just removed with its only connection.
            peers.put(address, peer);
            peer.count++;
            peer.unfinished.add(connection);
            connections.put(connection, peer);
            return new Admission<>(true, Optional.ofNullable(evicted));
        } finally {
            lock.unlock();
        }
    }

    /// The peer that has to give up a connection before `peer` gets one more; null if there is
    /// room.
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

    /// Called when a handler begins to work for the connection. It must not be closed then.
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

    /// Called when the connection has its answer. It may be closed again, after all others.
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
