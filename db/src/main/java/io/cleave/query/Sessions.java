package io.cleave.query;

import io.cleave.access.Caller;
import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.query.view.SessionInfo;
import io.cleave.txn.Transactions;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The open sessions of this node. A caller gets its sessions from [CallerDatabase].
///
/// Threads: any.
public final class Sessions {
    public static final int MAX_SESSIONS = 1000;
    static final int MAX_ID_CHARS = 1024;
    public static final Duration IDLE_LIMIT = Duration.ofMinutes(10);

    /// The time after which a session expires that was never attached or used, while more sessions
    /// than [#SCARCE_FROM] are open.
    static final Duration UNUSED_LIMIT = Duration.ofMinutes(1);

    /// Up to this number, an unused session may stay: YDB's SDK keeps sessions that it has only
    /// used for BulkUpsert, which names no session.
    static final int SCARCE_FROM = MAX_SESSIONS / 4;

    /// While more sessions than this are open, a peer may not have more than its share.
    static final int SHARED_FROM = MAX_SESSIONS / 4 * 3;

    /// The size of a session without its transactions.
    private static final int SESSION_BYTES = 4 << 10;

    private final Env env;
    private final Ids ids;
    private final Transactions transactions;
    private final MemoryPool memory;
    private final ConcurrentMap<String, Session> byId = new ConcurrentHashMap<>();

    /// The number of sessions of each peer that has any.
    private final ConcurrentMap<Caller.Peer, Integer> byPeer = new ConcurrentHashMap<>();

    /// Counted separately, so that two callers cannot both take the last place.
    private final AtomicInteger count = new AtomicInteger();

    Sessions(Env env, Ids ids, Transactions transactions, MemoryPool memory) {
        this.env = env;
        this.ids = ids;
        this.transactions = transactions;
        this.memory = memory;
    }

    Session open(Caller caller, SessionClient client) {
        int taken = count.incrementAndGet();
        boolean opened = false;
        try {
            if (taken > MAX_SESSIONS) {
                throw overloaded(
                        "Active sessions limit exceeded, maximum allowed: " + MAX_SESSIONS);
            }
            if (taken > SHARED_FROM) {
                checkShare(caller.peer());
            }
            if (!memory.tryTake(SESSION_BYTES)) {
                throw memory.exhausted("This session", SESSION_BYTES);
            }
            Session session = new Session(ids, env, transactions, caller, client);
            byPeer.merge(caller.peer(), 1, Integer::sum);
            byId.put(session.id(), session);
            opened = true;
            return session;
        } finally {
            if (!opened) {
                count.decrementAndGet();
            }
        }
    }

    /// One share is kept for a peer that is still to come. Callers inside this process have no
    /// limit.
    private void checkShare(Caller.Peer peer) {
        int own = byPeer.getOrDefault(peer, 0);
        int peers = byPeer.size() + (own == 0 ? 1 : 0);
        int share = MAX_SESSIONS / (peers + 1);
        if (!peer.host().isEmpty() && own >= share) {
            throw overloaded(
                    ("Active sessions limit exceeded: %s has %d sessions. While more than %d of %d"
                                    + " sessions are open, each of %d clients may have at most %d."
                                    + " Close unused sessions, or retry later")
                            .formatted(peer, own, SHARED_FROM, MAX_SESSIONS, peers, share));
        }
    }

    private static StatusException overloaded(String message) {
        return new StatusException(Status.OVERLOADED, Issue.error(Issue.OVERLOADED, message));
    }

    Session find(String id) {
        Session found = byId.get(id);
        if (found == null) {
            checkId("Session", id);
            throw notFound(id);
        }
        return found;
    }

    void close(String id) {
        Session found = byId.remove(id);
        if (found == null) {
            throw notFound(id);
        }
        closed(found);
    }

    private void closed(Session session) {
        byPeer.computeIfPresent(
                session.caller().peer(), (_, before) -> before == 1 ? null : before - 1);
        count.decrementAndGet();
        memory.give(SESSION_BYTES);
        session.close();
    }

    /// Closes the session if it is still open. For callers that may not be the first to close it.
    public void closeIfOpen(Session session) {
        if (byId.remove(session.id(), session)) {
            closed(session);
        }
    }

    /// Whether the session is one of the open sessions of clients.
    boolean holds(Session session) {
        return byId.get(session.id()) == session;
    }

    /// The current state of all sessions.
    List<SessionInfo> list() {
        return byId.values().stream().map(Session::info).toList();
    }

    public int size() {
        return byId.size();
    }

    /// Closes the sessions that were not used for [#IDLE_LIMIT]. If sessions are scarce, it also
    /// closes those that were not used at all within [#UNUSED_LIMIT].
    public void expireIdle() {
        long now = env.nanoTime();
        boolean isScarce = count.get() > SCARCE_FROM;
        for (Session session : List.copyOf(byId.values())) {
            Duration limit = isScarce && !session.wasUsed() ? UNUSED_LIMIT : IDLE_LIMIT;
            if (session.isIdleSince(now - limit.toNanos())) {
                closeIfOpen(session);
            }
        }
    }

    public void closeAll() {
        List.copyOf(byId.values()).forEach(this::closeIfOpen);
    }

    /// For an unknown id, which may be too long to be repeated in a message.
    static void checkId(String what, String id) {
        if (id.length() > MAX_ID_CHARS) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    Issue.error(
                            Issue.BAD_REQUEST,
                            "%s id has %d characters; the limit is %d"
                                    .formatted(what, id.length(), MAX_ID_CHARS)));
        }
    }

    static StatusException notFound(String id) {
        return new StatusException(
                Status.BAD_SESSION,
                Issue.error("Session not found: " + (id.isEmpty() ? "''" : id)));
    }
}
