package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
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

    private final Env env;
    private final Ids ids;
    private final Transactions transactions;
    private final ConcurrentMap<String, Session> byId = new ConcurrentHashMap<>();

    /// Counted apart, so that no two openers share the last place.
    private final AtomicInteger count = new AtomicInteger();

    Sessions(Env env, Ids ids, Transactions transactions) {
        this.env = env;
        this.ids = ids;
        this.transactions = transactions;
    }

    /// For a client who has not said who it is.
    public Session open() {
        return open(SessionClient.UNKNOWN);
    }

    public Session open(SessionClient client) {
        if (count.incrementAndGet() > MAX_SESSIONS) {
            count.decrementAndGet();
            throw new StatusException(
                    Status.OVERLOADED,
                    Issue.error(
                            Issue.OVERLOADED,
                            "Active sessions limit exceeded, maximum allowed: " + MAX_SESSIONS));
        }
        Session session = new Session(ids, env, transactions, client);
        byId.put(session.id(), session);
        return session;
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
        count.decrementAndGet();
        found.close();
    }

    /// As [#close], for whoever may come second.
    public void closeIfOpen(Session session) {
        if (byId.remove(session.id(), session)) {
            count.decrementAndGet();
            session.close();
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

    /// Closes what nobody has used for [#IDLE_LIMIT].
    public void expireIdle() {
        long since = env.nanoTime() - IDLE_LIMIT.toNanos();
        for (Session session : List.copyOf(byId.values())) {
            if (session.isIdleSince(since)) {
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
