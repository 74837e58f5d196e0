package io.cleave.query;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// What a client holds on to: its open transactions, and one request at a time.
///
/// Invariants: a transaction is used only by the request that is inside ([#enter]); once the
/// session is closed and nobody is inside, every transaction has been rolled back.
///
/// Threads: any.
public final class Session {
    public static final int MAX_TRANSACTIONS = 10;

    private static final AtomicLongFieldUpdater<Session> LAST_USED_NANOS =
            AtomicLongFieldUpdater.newUpdater(Session.class, "lastUsedNanos");

    private final String id;
    private final Ids ids;
    private final Env env;
    private final Transactions transactions;

    /// What is said instead of a request when there is none inside; CLOSED is for good.
    private enum NoRequest {
        YET,
        CLOSED
    }

    /// The request inside, a [Cancellation], or why there is none.
    private final AtomicReference<Object> inside = new AtomicReference<>(NoRequest.YET);

    /// When the last request left; while one is inside it does not count.
    private volatile long lastUsedNanos;

    private final ReentrantLock lock = new ReentrantLock();

    /// Attached sessions live as long as their stream; the others expire when idle.
    @GuardedBy("lock")
    private boolean attached;

    @GuardedBy("lock")
    private final List<Runnable> closeListeners = new ArrayList<>();

    private final TemporaryTables temporaries = new TemporaryTables();

    /// Used only by the request inside, or by the closer when nobody is.
    private final Map<String, Transaction> open = new LinkedHashMap<>();

    private final SessionClient client;
    private final long startedMicros;

    /// Whether a request ever came for it.
    private volatile boolean used;

    // Written by the request inside; others see them as they happen to be.
    private long queryCount;
    private String lastQuery = "";

    Session(Ids ids, Env env, Transactions transactions) {
        this(ids, env, transactions, SessionClient.UNKNOWN);
    }

    Session(Ids ids, Env env, Transactions transactions, SessionClient client) {
        this.client = client;
        this.startedMicros = env.wallMicros();
        this.id = ids.session();
        this.ids = ids;
        this.env = env;
        this.transactions = transactions;
        this.lastUsedNanos = env.nanoTime();
    }

    public String id() {
        return id;
    }

    SessionClient client() {
        return client;
    }

    /// Lets one request in until it closes what it gets.
    public Use enter(Cancellation request) {
        if (!inside.compareAndSet(NoRequest.YET, request)) {
            if (isClosed()) {
                throw Sessions.notFound(id);
            }
            throw new StatusException(
                    Status.SESSION_BUSY, Issue.error("Pending previous query completion"));
        }
        return new Use(request);
    }

    private boolean isClosed() {
        return inside.get() == NoRequest.CLOSED;
    }

    public boolean isBusy() {
        return inside.get() instanceof Cancellation;
    }

    /// Whether a request ever came for it.
    boolean wasUsed() {
        return used;
    }

    /// Puts the idle expiry off.
    public void touch() {
        used = true;
        lastUsedNanos = env.nanoTime();
    }

    /// From now on the session lives until it is closed, and `onClose` runs when that happens. At
    /// once if it has.
    public void attach(Runnable onClose) {
        lock.lock();
        try {
            attached = true;
        } finally {
            lock.unlock();
        }
        onClose(onClose);
    }

    /// A session as others see it. Times of what has not happened are 0.
    record Info(
            String id,
            boolean busy,
            String query,
            long queryCount,
            SessionClient client,
            long startedMicros,
            long queryStartedMicros,
            long changedMicros) {}

    Info info() {
        Object now = inside.get();
        long offset = env.wallMicros() - env.nanoTime() / 1000;
        long begun = now instanceof Cancellation request ? offset + request.begunNanos() / 1000 : 0;
        return new Info(
                id,
                begun != 0,
                lastQuery,
                queryCount,
                client,
                startedMicros,
                begun,
                begun != 0 ? begun : offset + lastUsedNanos / 1000);
    }

    /// Those that only this session knows.
    public TemporaryTables temporaries() {
        return temporaries;
    }

    /// Runs `listener` when the session is closed.
    void onClose(Runnable listener) {
        boolean tooLate;
        lock.lock();
        try {
            tooLate = isClosed();
            closeListeners.add(listener);
        } finally {
            lock.unlock();
        }
        if (tooLate) {
            listener.run();
        }
    }

    boolean isIdleSince(long nanos) {
        lock.lock();
        try {
            return !attached && inside.get() == NoRequest.YET && lastUsedNanos - nanos < 0;
        } finally {
            lock.unlock();
        }
    }

    /// The request inside is cancelled; transactions are rolled back once it has left.
    void close() {
        List<Runnable> listeners;
        Object before;
        lock.lock();
        try {
            before = inside.getAndSet(NoRequest.CLOSED);
            listeners = List.copyOf(closeListeners);
        } finally {
            lock.unlock();
        }
        if (before == NoRequest.CLOSED) {
            return;
        }
        if (before instanceof Cancellation request) {
            request.cancel();
        } else {
            rollbackAll();
        }
        listeners.forEach(Runnable::run);
    }

    private void leave(Cancellation request, long nowNanos) {
        if (!used) {
            used = true;
        }
        // Seen by whoever sees that the request has left.
        LAST_USED_NANOS.lazySet(this, nowNanos);
        if (!inside.compareAndSet(request, NoRequest.YET) && isClosed()) {
            rollbackAll();
        }
    }

    private void rollbackAll() {
        open.values().forEach(Transaction::rollback);
        open.clear();
    }

    /// What the one request inside may do.
    public final class Use implements AutoCloseable {
        private final Cancellation request;
        private long endedNanos;
        private boolean ended;

        private Use(Cancellation request) {
            this.request = request;
        }

        Session session() {
            return Session.this;
        }

        /// The request runs this program.
        void runs(QueryMeter query) {
            // A reference that is written costs more than one that is read, and most ask the same.
            String text = query.text();
            if (!lastQuery.equals(text)) {
                lastQuery = text;
            }
            queryCount++;
        }

        /// The request has ended now, by a clock that was just asked.
        void ended(long nowNanos) {
            endedNanos = nowNanos;
            ended = true;
        }

        /// Begins a transaction that stays open until it is taken out, by a request of its own.
        String begin(Isolation isolation) {
            if (!isolation.interactive()) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        Issue.error(
                                Issue.BAD_REQUEST,
                                "open transactions not supported for transaction mode "
                                        + modeName(isolation)));
            }
            return open(isolation);
        }

        /// Begins one with its first query, which may be of any mode.
        String open(Isolation isolation) {
            if (open.size() >= MAX_TRANSACTIONS) {
                throw new StatusException(
                        Status.BAD_SESSION,
                        Issue.error(
                                Issue.TOO_MANY_TRANSACTIONS,
                                "Too many transactions, current active: %d MaxTxPerSession: %d"
                                        .formatted(open.size(), MAX_TRANSACTIONS)));
            }
            String txId = ids.ulid();
            open.put(txId, transactions.begin(isolation));
            return txId;
        }

        /// The next query of a transaction whose mode keeps no snapshot has one of its own.
        void renew(String txId) {
            Transaction before = find(txId);
            open.put(txId, transactions.begin(before.isolation()));
            before.rollback();
        }

        Transaction find(String txId) {
            Transaction found = open.get(txId);
            if (found == null) {
                throw transactionNotFound(txId);
            }
            return found;
        }

        /// Takes the transaction out: whoever called ends it.
        Transaction take(String txId) {
            Transaction found = open.remove(txId);
            if (found == null) {
                throw transactionNotFound(txId);
            }
            return found;
        }

        /// Rolls the transaction back if it is still open.
        void abandon(String txId) {
            Transaction found = open.remove(txId);
            if (found != null) {
                found.rollback();
            }
        }

        private StatusException transactionNotFound(String txId) {
            Sessions.checkId("Transaction", txId);
            return new StatusException(
                    Status.NOT_FOUND,
                    Issue.error(Issue.TRANSACTION_NOT_FOUND, "Transaction not found: " + txId));
        }

        @Override
        public void close() {
            leave(request, ended ? endedNanos : env.nanoTime());
        }
    }

    /// As YDB calls it.
    public static String modeName(Isolation isolation) {
        return switch (isolation) {
            case SERIALIZABLE -> "SerializableReadWrite";
            case SNAPSHOT_READ_ONLY -> "SnapshotReadOnly";
            case SNAPSHOT_READ_WRITE -> "SnapshotReadWrite";
            case ONLINE_READ_ONLY, ONLINE_INCONSISTENT -> "OnlineReadOnly";
            case STALE_READ_ONLY -> "StaleReadOnly";
        };
    }
}
