package io.cleave.query;

import io.cleave.access.Caller;
import io.cleave.access.PeerShares;
import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryPool;
import io.cleave.query.view.SessionInfo;
import io.cleave.txn.Transactions;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

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
    static final int SHARED_FROM = PeerShares.sharedFrom(MAX_SESSIONS);

    /// The size of a session without its transactions.
    private static final int SESSION_BYTES = 4 << 10;

    private final Env env;
    private final Ids ids;
    private final Transactions transactions;
    private final MemoryPool memory;
    private final ConcurrentMap<String, Session> byId = new ConcurrentHashMap<>();

    private final PeerShares shares = new PeerShares(MAX_SESSIONS);

    Sessions(Env env, Ids ids, Transactions transactions, MemoryPool memory) {
        this.env = env;
        this.ids = ids;
        this.transactions = transactions;
        this.memory = memory;
    }

    Session open(Caller caller, SessionClient client) {
        Caller.Peer peer = caller.peer();
        Optional<PeerShares.Refusal> refusal = shares.take(peer);
        if (refusal.isPresent()) {
            throw overloaded(peer, refusal.get());
        }
        boolean opened = false;
        try {
            if (!memory.tryTake(SESSION_BYTES)) {
                throw memory.exhausted("This session", SESSION_BYTES);
            }
            Session session = new Session(ids, env, transactions, caller, client);
            byId.put(session.id(), session);
            opened = true;
            return session;
        } finally {
            if (!opened) {
                shares.give(peer);
            }
        }
    }

    private static StatusException overloaded(Caller.Peer peer, PeerShares.Refusal refusal) {
        String message =
                switch (refusal) {
                    case PeerShares.Full(int places) ->
                            "Active sessions limit exceeded, maximum allowed: " + places;
                    case PeerShares.AboveShare(int own, int peers, int share, int sharedFrom) ->
                            ("Active sessions limit exceeded: %s has %d sessions. While more than"
                                            + " %d of %d sessions are open, each of %d clients may"
                                            + " have at most %d. Close unused sessions, or retry"
                                            + " later")
                                    .formatted(peer, own, sharedFrom, MAX_SESSIONS, peers, share);
                };
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
        shares.give(session.caller().peer());
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
        boolean isScarce = shares.taken() > SCARCE_FROM;
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
