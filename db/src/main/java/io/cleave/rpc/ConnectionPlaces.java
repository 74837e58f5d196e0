package io.cleave.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// Limits the connections, in total and for each peer address.
///
/// When a limit is reached, a new connection evicts one without calls. The victim belongs to the
/// peer that has reached its own limit, or otherwise to the peer with the most connections among
/// those that have one without calls. If there is none, the new connection is refused.
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
    private final LongAdder refused = new LongAdder();
    private final LongAdder evictions = new LongAdder();
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
            Optional<Connection> evicted = Optional.empty();
            if (!hasRoom(peer)) {
                evicted = victim(peer);
                if (evicted.isEmpty()) {
                    refused.increment();
                    return new Admission(Optional.of(refusal(peer)), evicted);
                }
                evictions.increment();
                remove(evicted.get());
            }
            connections.put(connection, peer);
            peers.merge(peer, 1, Integer::sum);
            return new Admission(Optional.empty(), evicted);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean hasRoom(Object peer) {
        return connections.size() < maxConnections && !isCrowded(peer);
    }

    /// Whether the peer has reached its own limit.
    @GuardedBy("lock")
    private boolean isCrowded(Object peer) {
        return peers.getOrDefault(peer, 0) >= maxPeerConnections;
    }

    /// The connection to evict before `peer` gets one more. It has no calls. A call that starts on
    /// it meanwhile is still answered.
    @GuardedBy("lock")
    private Optional<Connection> victim(Object peer) {
        boolean onlyOwn = isCrowded(peer);
        Connection found = null;
        int foundCount = 0;
        for (Map.Entry<Connection, Object> each : connections.entrySet()) {
            Connection next = each.getKey();
            if (!next.hasNoCalls() || (onlyOwn && !each.getValue().equals(peer))) {
                continue;
            }
            int count = peers.getOrDefault(each.getValue(), 0);
            if (found == null
                    || count > foundCount
                    || (count == foundCount && MOST_USELESS.compare(next, found) > 0)) {
                found = next;
                foundCount = count;
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

    /// How many connections were refused.
    long refused() {
        return refused.sum();
    }

    /// How many connections were evicted.
    long evicted() {
        return evictions.sum();
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
