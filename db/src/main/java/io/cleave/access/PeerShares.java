package io.cleave.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A limited number of places, such as sessions, that peers share. Any peer may have any number
/// while there are many left. When three quarters are taken, a peer gets no more than its share, so
/// that no client shuts out the others. One share is kept for a peer that is still to come.
///
/// Callers inside this process have no share to keep to.
///
/// Threads: any.
public final class PeerShares {
    private final int places;
    private final int sharedFrom;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Caller.Peer, Integer> taken = new HashMap<>();

    @GuardedBy("lock")
    private int total;

    public PeerShares(int places) {
        this.places = places;
        this.sharedFrom = sharedFrom(places);
    }

    /// The number of taken places from which on peers keep to their shares.
    public static int sharedFrom(int places) {
        return places / 4 * 3;
    }

    /// Why a peer gets no place.
    public sealed interface Refusal {}

    /// All places are taken.
    public record Full(int places) implements Refusal {}

    /// The peer has `own` places, which is its share of all `peers`, while more than `sharedFrom`
    /// are taken.
    public record AboveShare(int own, int peers, int share, int sharedFrom) implements Refusal {}

    /// Takes a place, or says why there is none.
    public Optional<Refusal> take(Caller.Peer peer) {
        lock.lock();
        try {
            if (total >= places) {
                return Optional.of(new Full(places));
            }
            int own = taken.getOrDefault(peer, 0);
            if (total >= sharedFrom && !peer.host().isEmpty()) {
                int peers = taken.size() + (own == 0 ? 1 : 0);
                int share = places / (peers + 1);
                if (own >= share) {
                    return Optional.of(new AboveShare(own, peers, share, sharedFrom));
                }
            }
            taken.put(peer, own + 1);
            total++;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    public void give(Caller.Peer peer) {
        lock.lock();
        try {
            taken.computeIfPresent(peer, (_, own) -> own == 1 ? null : own - 1);
            total--;
        } finally {
            lock.unlock();
        }
    }

    public int taken() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }
}
