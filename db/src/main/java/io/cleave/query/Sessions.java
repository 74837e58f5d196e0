package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.txn.Transactions;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The sessions of this node.
public final class Sessions {
    public static final int MAX_SESSIONS = 1000;
    static final int MAX_ID_CHARS = 1024;
    public static final Duration IDLE_LIMIT = Duration.ofMinutes(10);

    /// Of one that was never attached or used.
    static final Duration UNUSED_LIMIT = Duration.ofMinutes(1);

    /// From so many sessions on, a peer may not have more than its share.
    static final int SHARED_FROM = MAX_SESSIONS / 4 * 3;

    /// What a session takes in memory beside its transactions.
    private static final int SESSION_BYTES = 4 << 10;

    private final Env env;
    private final Ids ids;
    private final Transactions transactions;
    private final MemoryPool memory;
    private final ConcurrentMap<String, Session> byId = new ConcurrentHashMap<>();

    /// How many sessions each peer has, if any.
    private final ConcurrentMap<SessionClient.Peer, Integer> byPeer = new ConcurrentHashMap<>();

    /// Counted apart, so that no two openers share the last place.
    private final AtomicInteger count = new AtomicInteger();

    Sessions(Env env, Ids ids, Transactions transactions, MemoryPool memory) {
        this.env = env;
        this.ids = ids;
        this.transactions = transactions;
        this.memory = memory;
    }

    /// For a client who has not said who it is.
    public Session open() {
        return open(SessionClient.UNKNOWN);
    }

    public Session open(SessionClient client) {
        int taken = count.incrementAndGet();
        boolean opened = false;
        try {
            if (taken > MAX_SESSIONS) {
                throw overloaded(
                        "Active sessions limit exceeded, maximum allowed: " + MAX_SESSIONS);
            }
            if (taken > SHARED_FROM) {
                checkShare(client.peer());
            }
            if (!memory.tryTake(SESSION_BYTES)) {
                throw memory.exhausted("This session", SESSION_BYTES);
            }
            Session session = new Session(ids, env, transactions, client);
            byPeer.merge(client.peer(), 1, Integer::sum);
            byId.put(session.id(), session);
            opened = true;
            return session;
        } finally {
            if (!opened) {
                count.decrementAndGet();
            }
        }
    }

    /// A place is kept for a peer that is still to come. Who is in this process is no peer.
    private void checkShare(SessionClient.Peer peer) {
        int own = byPeer.getOrDefault(peer, 0);
        int peers = byPeer.size() + (own == 0 ? 1 : 0);
        int share = MAX_SESSIONS / (peers + 1);
        if (!peer.address().isEmpty() && own >= share) {
            throw overloaded(
                    ("Active sessions limit exceeded: %s has %d sessions, and at most %d are for"
                                    + " each of %d clients while more than %d of %d are taken."
                                    + " Close sessions that are not used, or try again later")
                            .formatted(peer, own, share, peers, SHARED_FROM, MAX_SESSIONS));
        }
    }

    private static StatusException overloaded(String message) {
        return new StatusException(Status.OVERLOADED, Issue.error(Issue.OVERLOADED, message));
    }

    public Session find(String id) {
        Session found = byId.get(id);
        if (found == null) {
            checkId("Session", id);
            throw notFound(id);
        }
        return found;
    }

    public void close(String id) {
        Session found = byId.remove(id);
        if (found == null) {
            throw notFound(id);
        }
        closed(found);
    }

    private void closed(Session session) {
        byPeer.computeIfPresent(
                session.client().peer(), (_, before) -> before == 1 ? null : before - 1);
        count.decrementAndGet();
        memory.give(SESSION_BYTES);
        session.close();
    }

    /// As [#close], for whoever may come second.
    public void closeIfOpen(Session session) {
        if (byId.remove(session.id(), session)) {
            closed(session);
        }
    }

    /// Whether it is one of those that clients hold on to.
    boolean holds(Session session) {
        return byId.get(session.id()) == session;
    }

    /// All of them as they are now.
    List<Session.Info> list() {
        return byId.values().stream().map(Session::info).toList();
    }

    public int size() {
        return byId.size();
    }

    /// Closes what nobody has used for [#IDLE_LIMIT], or ever within [#UNUSED_LIMIT].
    public void expireIdle() {
        long now = env.nanoTime();
        for (Session session : List.copyOf(byId.values())) {
            Duration limit = session.wasUsed() ? IDLE_LIMIT : UNUSED_LIMIT;
            if (session.isIdleSince(now - limit.toNanos())) {
                closeIfOpen(session);
            }
        }
    }

    public void closeAll() {
        List.copyOf(byId.values()).forEach(this::closeIfOpen);
    }

    /// Of an id that is none of ours: it may be too long to be repeated.
    static void checkId(String what, String id) {
        if (id.length() > MAX_ID_CHARS) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    Issue.error(
                            Issue.BAD_REQUEST,
                            "%s id of %d characters is too long, at most %d"
                                    .formatted(what, id.length(), MAX_ID_CHARS)));
        }
    }

    static StatusException notFound(String id) {
        return new StatusException(
                Status.BAD_SESSION,
                Issue.error("Session not found: " + (id.isEmpty() ? "''" : id)));
    }
}
