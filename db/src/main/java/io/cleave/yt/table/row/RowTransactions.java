package io.cleave.yt.table.row;

import io.cleave.access.Caller;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.query.Database;
import io.cleave.query.KeyedTable;
import io.cleave.query.KeyedTransaction;
import io.cleave.schema.LockGroups;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.RowConflict;
import io.cleave.schema.Table;
import io.cleave.txn.CommitOutcome;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.TransactionPlaces;
import io.cleave.yt.command.YtTimestamps;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.tree.TabletTransactions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// The open tablet transactions. A transaction ends with its commit or abort. It also ends if its
/// client has not pinged it for its timeout. It lives in this process only.
///
/// The number of transactions is limited here. The pool for transactions limits the memory of their
/// rows.
///
/// Threads: any. Calls that name the same transaction run one after the other.
public final class RowTransactions implements TabletTransactions {
    /// The maximum number of open tablet transactions.
    static final int MOST_OPEN = 10_000;

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /// An open transaction keeps compaction from removing old versions of rows.
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

    private final Database database;
    private final Env env;
    private final Map<ObjectId, Open> open = new ConcurrentHashMap<>();
    private final TransactionPlaces places =
            new TransactionPlaces("open tablet transactions", MOST_OPEN);

    public RowTransactions(Database database, Env env) {
        this.database = database;
        this.env = env;
    }

    /// One open transaction. Its methods are called inside [#with], which holds its lock.
    final class Open {
        private final ObjectId id;
        private final Caller.Peer peer;
        private final KeyedTransaction transaction;
        private final Duration timeout;
        private final ReentrantLock lock = new ReentrantLock();

        private volatile long deadlineNanos;

        // The lock guards the fields below.

        /// The tables that were written or locked, by id.
        private final Map<Long, NamedTable> written = new LinkedHashMap<>();

        private int rowCount;

        /// The first mistake in the rows. The commit reports it.
        private @Nullable YtError mistake;

        private boolean ended;

        private Open(
                ObjectId id, Caller.Peer peer, KeyedTransaction transaction, Duration timeout) {
            this.id = id;
            this.peer = peer;
            this.transaction = transaction;
            this.timeout = timeout;
            touch();
        }

        private void touch() {
            deadlineNanos = env.nanoTime() + timeout.toNanos();
        }

        KeyedTransaction transaction() {
            return transaction;
        }

        String idText() {
            return id.text();
        }

        /// Runs a modification: it writes or locks rows of a table. The commit reports mistakes in
        /// the rows.
        void modify(NamedTable table, int rows, Runnable modification) {
            written.put(table.wire().table().id(), table);
            rowCount += rows;
            if (rowCount > InputRows.MAX_WRITTEN_ROWS) {
                mistake(tooManyRows(rowCount));
            }
            if (mistake != null) {
                return;
            }
            try {
                modification.run();
                transaction.rest();
            } catch (YtException e) {
                mistake(e.error());
            } catch (StatusException e) {
                // The rows may have been added, and there is no memory to count them.
                mistake(RowAnswers.of(e).error());
            }
        }

        void mistake(YtError error) {
            if (mistake == null) {
                mistake = error;
            }
        }

        private void end() {
            ended = true;
            if (open.remove(id, this)) {
                places.give(peer);
            }
            transaction.abort();
        }
    }

    static YtError tooManyRows(int count) {
        return YtError.of(
                YtCodes.TOO_MANY_ROWS_IN_TRANSACTION,
                "Transaction affects too many rows: actual %d, limit %d"
                        .formatted(count, InputRows.MAX_WRITTEN_ROWS));
    }

    @Override
    public ObjectId start(CommandCall call) {
        String atomicity = call.parameters().text("atomicity").orElse("full");
        if (!atomicity.equals("full")) {
            throw new YtException(
                    YtCodes.GENERIC,
                    atomicity.equals("none")
                            ? "Transactions with atomicity \"none\" are not supported"
                            : "Error parsing EAtomicity value \"%s\"".formatted(atomicity));
        }
        if (open.size() >= MOST_OPEN) {
            expire();
        }
        Duration timeout =
                call.parameters()
                        .number("timeout")
                        .map(RowTransactions::timeout)
                        .orElse(DEFAULT_TIMEOUT);
        Caller.Peer peer = call.caller().peer();
        places.take(peer);
        try {
            return begin(call, peer, timeout);
        } catch (RuntimeException e) {
            places.give(peer);
            throw e;
        }
    }

    private ObjectId begin(CommandCall call, Caller.Peer peer, Duration timeout) {
        KeyedTransaction transaction = database.as(call.caller()).keyedRows().begin();
        var id =
                ObjectId.of(
                        ObjectType.ATOMIC_TABLET_TRANSACTION,
                        YtTimestamps.toYt(transaction.start()),
                        env.random().nextInt());
        open.put(id, new Open(id, peer, transaction, timeout));
        return id;
    }

    private static Duration timeout(long millis) {
        return Duration.ofMillis(Math.clamp(millis, 1, LONGEST_TIMEOUT.toMillis()));
    }

    @Override
    public void ping(ObjectId id) {
        find(id).touch();
    }

    @Override
    public void commit(CommandCall call, ObjectId id) {
        long timestamp = with(find(id), this::commit);
        call.answer(
                YsonNode.map()
                        .with("primary_commit_timestamp", YtTimestamps.node(timestamp))
                        .with("commit_timestamps", YsonNode.Members.EMPTY)
                        .build());
    }

    @Override
    public void abort(ObjectId id) {
        with(
                find(id),
                each -> {
                    each.end();
                    return id;
                });
    }

    private long commit(Open each) {
        try {
            YtError mistake = each.mistake;
            if (mistake != null) {
                throw committing(each, mistake).exception();
            }
            return switch (each.transaction.commit()) {
                case CommitOutcome.Committed(long timestamp) -> timestamp;
                case CommitOutcome.Conflict(String path, RowConflict row) ->
                        throw committing(each, conflict(each, path, row)).exception();
                case CommitOutcome.Unknown(String why) ->
                        throw committing(each, YtError.of(YtCodes.GENERIC, why)).exception();
            };
        } catch (StatusException e) {
            YtError why = RowAnswers.of(e).error();
            for (NamedTable table : each.written.values()) {
                YtError closed = closed(table, table.wire().table().path());
                why = closed == null ? why : closed;
            }
            throw committing(each, why).exception();
        } finally {
            each.end();
        }
    }

    private static YtError committing(Open each, YtError why) {
        return YtError.of(YtCodes.GENERIC, "Error committing transaction " + each.idText())
                .with(why);
    }

    private YtError conflict(Open each, String path, @Nullable RowConflict row) {
        NamedTable table = null;
        for (NamedTable candidate : each.written.values()) {
            if (candidate.wire().table().path().equals(path)) {
                table = candidate;
            }
        }
        if (row != null && table != null) {
            return YtError.of(YtCodes.GENERIC, "Error sending transaction rows")
                    .with(rowConflict(each, table, row));
        }
        YtError closed = table == null ? null : closed(table, path);
        if (closed != null) {
            return closed;
        }
        return YtError.of(
                        YtCodes.INVALID_MOUNT_REVISION,
                        "Table %s has changed since the transaction wrote to it"
                                .formatted(table == null ? path : table.ypath()))
                .with("table_path", table == null ? path : table.ypath());
    }

    /// The reason why a table that has changed cannot be written now; null if it can be written.
    @Nullable YtError closed(NamedTable table, String path) {
        Table now =
                database.as(Caller.IN_PROCESS)
                        .keyedRows()
                        .find(path)
                        .map(KeyedTable::table)
                        .orElse(null);
        if (now == null || now.id() != table.wire().table().id()) {
            return YtError.of(
                    YtCodes.RESOLVE_ERROR, "Table %s does not exist".formatted(table.ypath()));
        }
        try {
            table.gate().checkAllWritable(now, table.ypath());
            return null;
        } catch (YtException e) {
            return e.error();
        }
    }

    private static YtError rowConflict(Open each, NamedTable table, RowConflict row) {
        Table written = table.wire().table();
        String text =
                switch (row.reason()) {
                    case WRITTEN -> "Row lock conflict due to concurrent write";
                    case READ_LOCKED -> "Write failed due to concurrent read lock";
                };
        return YtError.of(YtCodes.TRANSACTION_LOCK_CONFLICT, text)
                .with("winner_transaction_commit_timestamp", YtTimestamps.node(row.winner()))
                .with("loser_transaction_id", each.idText())
                .with("tablet_id", RowGate.tabletId(row.tabletId()))
                .with("table_path", table.ypath())
                .with("key", table.wire().shownKey(row.key()))
                .with("lock", LockGroups.of(written).name(row.groups()));
    }

    /// The tablet transaction that the call names; empty if the call names none.
    Optional<Open> of(CommandCall call) {
        String text = call.parameters().text("transaction_id").orElse("");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        ObjectId id =
                ObjectId.parse(text)
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "Error parsing GUID \"%s\"".formatted(text)));
        if (id.isNull()) {
            return Optional.empty();
        }
        if (id.typeCode() == ObjectType.TRANSACTION.code()
                || id.typeCode() == ObjectType.NESTED_TRANSACTION.code()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Commands on rows cannot be performed under master transaction " + text);
        }
        return Optional.of(find(id));
    }

    private Open find(ObjectId id) {
        Open found = open.get(id);
        if (found == null || expire(found, env.nanoTime())) {
            throw noSuch(id);
        }
        found.touch();
        return found;
    }

    private static YtException noSuch(ObjectId id) {
        return new YtException(
                YtCodes.NO_SUCH_TRANSACTION, "Sticky transaction %s is not found".formatted(id));
    }

    /// Runs `work` on a transaction. No other call can use the transaction at the same time.
    <T> T with(Open each, Function<Open, T> work) {
        each.lock.lock();
        try {
            if (each.ended) {
                throw noSuch(each.id);
            }
            return work.apply(each);
        } finally {
            each.touch();
            each.lock.unlock();
        }
    }

    /// Runs a query inside a transaction. `work` reads the transaction's snapshot.
    public <T> T reading(ObjectId id, Function<KeyedTransaction, T> work) {
        return with(find(id), each -> work.apply(each.transaction));
    }

    /// Ends the transactions that were not pinged in time.
    public void expire() {
        long now = env.nanoTime();
        open.values().forEach(each -> expire(each, now));
    }

    /// Ends the transaction if it has expired and no call uses it. Returns whether it has ended.
    private static boolean expire(Open each, long now) {
        if (now - each.deadlineNanos < 0 || !each.lock.tryLock()) {
            return false;
        }
        try {
            if (now - each.deadlineNanos >= 0) {
                each.end();
            }
            return each.ended;
        } finally {
            each.lock.unlock();
        }
    }

    /// The number of open transactions.
    int count() {
        return open.size();
    }
}
