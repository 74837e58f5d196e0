package io.cleave.query;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.access.Caller;
import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.query.metric.QueryMeter;
import io.cleave.query.view.SessionInfo;
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

/// The state that the server keeps for a client: its open transactions. It runs one request at a
/// time.
///
/// Invariants: only the request that is inside ([#enter]) uses a transaction. Once the session is
/// closed and no request is inside, every transaction has been rolled back.
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

    /// The value of `inside` if no request is inside. CLOSED is final.
    private enum NoRequest {
        YET,
        CLOSED
    }

    /// The request that is inside, a [Cancellation], or a `NoRequest`.
    private final AtomicReference<Object> inside = new AtomicReference<>(NoRequest.YET);

    /// When the last request left. Not meaningful while a request is inside.
    private volatile long lastUsedNanos;

    private final ReentrantLock lock = new ReentrantLock();

    /// Attached sessions live as long as their stream; other sessions expire when idle.
    @GuardedBy("lock")
    private boolean attached;

    @GuardedBy("lock")
    private final List<Runnable> closeListeners = new ArrayList<>();

    private final TemporaryTables temporaries = new TemporaryTables();

    /// Used only by the request inside, or by the thread that closes the session if none is inside.
    private final Map<String, Transaction> open = new LinkedHashMap<>();

    private final Caller caller;
    private final SessionClient client;
    private final long startedMicros;

    /// Whether the session ever had a request.
    private volatile boolean used;

    // Written by the request inside without synchronization; other threads may see old values.
    private long queryCount;
    private String lastQuery = "";

    Session(Ids ids, Env env, Transactions transactions, Caller caller, SessionClient client) {
        this.caller = caller;
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

    /// Who opened the session.
    Caller caller() {
        return caller;
    }

    /// Lets one request in, until the request closes the returned object.
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

    /// Whether the session ever had a request.
    boolean wasUsed() {
        return used;
    }

    /// Postpones the expiry of an idle session.
    public void touch() {
        used = true;
        lastUsedNanos = env.nanoTime();
    }

    /// From now on the session lives until it is closed. `onClose` runs when it is closed, or at
    /// once if it already is.
    public void attach(Runnable onClose) {
        lock.lock();
        try {
            attached = true;
        } finally {
            lock.unlock();
        }
        onClose(onClose);
    }

    /// For the system view.
    SessionInfo info() {
        Object now = inside.get();
        long offset = env.wallMicros() - env.nanoTime() / 1000;
        long begun = now instanceof Cancellation request ? offset + request.begunNanos() / 1000 : 0;
        return new SessionInfo(
                id,
                begun != 0,
                lastQuery,
                queryCount,
                caller,
                client.processId(),
                client.userAgent(),
                client.sdk(),
                client.application(),
                startedMicros,
                begun,
                begun != 0 ? begun : offset + lastUsedNanos / 1000);
    }

    /// The temporary tables, which only this session sees.
    public TemporaryTables temporaries() {
        return temporaries;
    }

    /// Runs `listener` when the session is closed, or at once if it already is.
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

    /// Cancels the request inside. Transactions are rolled back once it has left.
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
        // A thread that sees that the request has left also sees this value.
        LAST_USED_NANOS.lazySet(this, nowNanos);
        if (!inside.compareAndSet(request, NoRequest.YET) && isClosed()) {
            rollbackAll();
        }
    }

    private void rollbackAll() {
        open.values().forEach(Transaction::rollback);
        open.clear();
    }

    /// The operations of the one request that is inside.
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

        /// Called when the request runs this program.
        void runs(QueryMeter query) {
            // A write of the reference costs more than a read, and most requests run the same
            // program again.
            String text = query.text();
            if (!lastQuery.equals(text)) {
                lastQuery = text;
            }
            queryCount++;
        }

        /// Called when the request has ended, with the current time, so that the clock is not read
        /// again.
        void ended(long nowNanos) {
            endedNanos = nowNanos;
            ended = true;
        }

        /// Begins a transaction by its own request. It stays open until it is taken out.
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

        /// Begins a transaction with its first query. Any isolation is allowed.
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

        /// Gives the next query of a transaction its own snapshot, if the isolation keeps none
        /// between queries.
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

        /// Removes the transaction from the session. The caller must end it.
        Transaction take(String txId) {
            Transaction found = open.remove(txId);
            if (found == null) {
                throw transactionNotFound(txId);
            }
            return found;
        }

        /// Rolls back the transaction if it is still open.
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

    /// YDB's name of the isolation.
    public static String modeName(Isolation isolation) {
        return switch (isolation) {
            case SERIALIZABLE -> "SerializableReadWrite";
            case SNAPSHOT_READ_ONLY -> "SnapshotReadOnly";
            case SNAPSHOT_READ_WRITE -> "SnapshotReadWrite";
            case ROW_LOCKS -> "RowLocks";
            case ONLINE_READ_ONLY, ONLINE_INCONSISTENT -> "OnlineReadOnly";
            case STALE_READ_ONLY -> "StaleReadOnly";
        };
    }
}
