package io.cleave.query;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import io.cleave.base.Env;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.txn.Transactions;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// What a client holds on to: its open transactions, and one request at a time.
///
/// Invariants: a transaction is used only by the request that is inside ([#enter]); once the
/// session is closed and nobody is inside, every transaction has been rolled back.
///
/// Threads: any.
public final class Session {
    public static final int MAX_TRANSACTIONS = 10;

    private final String id;
    private final Ids ids;
    private final Env env;
    private final Transactions transactions;
    private final ReentrantLock lock = new ReentrantLock();

    /// The request inside; null when there is none.
    @GuardedBy("lock")
    private @Nullable Cancellation inside;

    @GuardedBy("lock")
    private boolean closed;

    /// Attached sessions live as long as their stream; the others expire when idle.
    @GuardedBy("lock")
    private boolean attached;

    /// When the last request left; while one is inside it does not count.
    @GuardedBy("lock")
    private long lastUsedNanos;

    @GuardedBy("lock")
    private final List<Runnable> closeListeners = new ArrayList<>();

    private final TemporaryTables temporaries = new TemporaryTables();

    /// Used only by the request inside, or by the closer when nobody is.
    private final Map<String, Transaction> open = new LinkedHashMap<>();

    Session(Ids ids, Env env, Transactions transactions) {
        this.id = ids.session();
        this.ids = ids;
        this.env = env;
        this.transactions = transactions;
        this.lastUsedNanos = env.nanoTime();
    }

    public String id() {
        return id;
    }

    /// Lets one request in until it closes what it gets.
    public Use enter(Cancellation request) {
        lock.lock();
        try {
            if (closed) {
                throw Sessions.notFound(id);
            }
            if (inside != null) {
                throw new StatusException(
                        Status.SESSION_BUSY, Issue.error("Pending previous query completion"));
            }
            inside = request;
        } finally {
            lock.unlock();
        }
        return new Use();
    }

    public boolean isBusy() {
        lock.lock();
        try {
            return inside != null;
        } finally {
            lock.unlock();
        }
    }

    /// Puts the idle expiry off.
    public void touch() {
        lock.lock();
        try {
            lastUsedNanos = env.nanoTime();
        } finally {
            lock.unlock();
        }
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

    /// Those that only this session knows.
    public TemporaryTables temporaries() {
        return temporaries;
    }

    /// Runs `listener` when the session is closed.
    void onClose(Runnable listener) {
        boolean tooLate;
        lock.lock();
        try {
            tooLate = closed;
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
            return !attached && inside == null && lastUsedNanos - nanos < 0;
        } finally {
            lock.unlock();
        }
    }

    /// The request inside is cancelled; transactions are rolled back once it has left.
    void close() {
        List<Runnable> listeners;
        boolean empty;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            empty = inside == null;
            if (inside != null) {
                inside.cancel();
            }
            listeners = List.copyOf(closeListeners);
        } finally {
            lock.unlock();
        }
        if (empty) {
            rollbackAll();
        }
        listeners.forEach(Runnable::run);
    }

    private void leave(long nowNanos) {
        boolean last;
        lock.lock();
        try {
            inside = null;
            last = closed;
            lastUsedNanos = nowNanos;
        } finally {
            lock.unlock();
        }
        if (last) {
            rollbackAll();
        }
    }

    private void rollbackAll() {
        open.values().forEach(Transaction::rollback);
        open.clear();
    }

    /// What the one request inside may do.
    public final class Use implements AutoCloseable {
        private long endedNanos;
        private boolean ended;

        private Use() {}

        Session session() {
            return Session.this;
        }

        /// The request has ended now, by a clock that was just asked.
        void ended(long nowNanos) {
            endedNanos = nowNanos;
            ended = true;
        }

        /// Begins a transaction that stays open until it is taken out.
        String begin(Isolation isolation) {
            if (!isolation.interactive()) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        Issue.error(
                                Issue.BAD_REQUEST,
                                "open transactions not supported for transaction mode "
                                        + modeName(isolation)));
            }
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
            return new StatusException(
                    Status.NOT_FOUND,
                    Issue.error(Issue.TRANSACTION_NOT_FOUND, "Transaction not found: " + txId));
        }

        @Override
        public void close() {
            leave(ended ? endedNanos : env.nanoTime());
        }
    }

    static String modeName(Isolation isolation) {
        return switch (isolation) {
            case SERIALIZABLE -> "SerializableReadWrite";
            case SNAPSHOT_READ_ONLY -> "SnapshotReadOnly";
            case SNAPSHOT_READ_WRITE -> "SnapshotReadWrite";
            case ONLINE_READ_ONLY, ONLINE_INCONSISTENT -> "OnlineReadOnly";
            case STALE_READ_ONLY -> "StaleReadOnly";
        };
    }
}
