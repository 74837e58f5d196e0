package io.cleave.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;

/// Limits the connections, in total and for each peer address.
///
/// When a limit is reached, a new connection evicts one without calls. The victim belongs to the
/// peer that has reached its own limit, or otherwise to the peer with the most connections. If all
/// of that peer's connections have calls, the new one is refused.
///
/// Threads: any.
final class ConnectionPlaces {
    /// One peer address may use three quarters of all connections.
    private static final int PEER_QUARTERS = 3;

    /// Orders eviction: connections that never had a call go first, then those that have been
    /// silent for longest.
    private static final Comparator<Connection> MOST_USELESS =
            Comparator.comparing(Connection::neverCalled).thenComparingInt(Connection::silentLooks);

    private final int maxConnections;
    private final int maxPeerConnections;
    private final ReentrantLock lock = new ReentrantLock();

    /// Each connection with its peer, oldest first.
    @GuardedBy("lock")
    private final SequencedMap<Connection, Object> connections = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Map<Object, Integer> peers = new HashMap<>();

    ConnectionPlaces(int maxConnections) {
        this.maxConnections = maxConnections;
        this.maxPeerConnections = Math.max(1, maxConnections * PEER_QUARTERS / 4);
    }

    /// Why the connection is refused, or which connection it evicts. Both are empty if there is
    /// room.
    record Admission(Optional<String> refusal, Optional<Connection> evicted) {}

    Admission admit(Connection connection) {
        Object peer = connection.peer();
        lock.lock();
        try {
            Object crowded = crowded(peer);
            Optional<Connection> evicted = Optional.empty();
            if (crowded != null) {
                evicted = idle(crowded);
                if (evicted.isEmpty()) {
                    return new Admission(Optional.of(refusal(peer)), evicted);
                }
                remove(evicted.get());
            }
            connections.put(connection, peer);
            peers.merge(peer, 1, Integer::sum);
            return new Admission(Optional.empty(), evicted);
        } finally {
            lock.unlock();
        }
    }

    /// The peer that has to give up a connection before `peer` gets one more; null if there is
    /// room.
    @GuardedBy("lock")
    private @Nullable Object crowded(Object peer) {
        if (peers.getOrDefault(peer, 0) >= maxPeerConnections) {
            return peer;
        }
        if (connections.size() < maxConnections) {
            return null;
        }
        return peers.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(peer);
    }

    /// The connection of the peer to evict, which has no calls. A call that starts on it meanwhile
    /// is still answered.
    @GuardedBy("lock")
    private Optional<Connection> idle(Object peer) {
        Connection found = null;
        for (Map.Entry<Connection, Object> each : connections.entrySet()) {
            Connection next = each.getKey();
            if (each.getValue().equals(peer)
                    && next.hasNoCalls()
                    && (found == null || MOST_USELESS.compare(next, found) > 0)) {
                found = next;
            }
        }
        return Optional.ofNullable(found);
    }

    @GuardedBy("lock")
    private String refusal(Object peer) {
        return "%d connections are open, %d of them from this address, and all have open calls. The limit is %d, and %d from one address. Close connections, or use one connection for several calls"
                .formatted(
                        connections.size(),
                        peers.getOrDefault(peer, 0),
                        maxConnections,
                        maxPeerConnections);
    }

    void leave(Connection connection) {
        lock.lock();
        try {
            remove(connection);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void remove(Connection connection) {
        Object peer = connections.remove(connection);
        if (peer != null) {
            peers.compute(peer, (_, count) -> count == null || count == 1 ? null : count - 1);
        }
    }
}
