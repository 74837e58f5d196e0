package io.cleave.clients;

import io.cleave.sim.Totals;
import io.cleave.sim.history.Outcome;
import io.cleave.sim.workload.Client;

import org.jspecify.annotations.Nullable;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.result.QueryInfo;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.PrimitiveValue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// A client of the workloads that goes through YDB's SDK to a server that may be gone at any
/// moment. Nothing is retried: what a workload does next is up to the workload.
final class SdkClient implements Client {
    private static final String DIRECTORY = "/local/workloads/";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Before it is tried again to reach a server that is not there.
    private static final Duration AFTER_FAILURE = Duration.ofMillis(20);

    /// After these nobody knows whether a commit has happened.
    private static final Set<StatusCode> DOUBTFUL =
            Set.of(
                    StatusCode.UNDETERMINED,
                    StatusCode.TIMEOUT,
                    StatusCode.CANCELLED,
                    StatusCode.CLIENT_DEADLINE_EXPIRED,
                    StatusCode.CLIENT_INTERNAL_ERROR);

    private final Supplier<QueryClient> server;
    private final AtomicLong ticks;
    private final Totals totals;

    /// `server` answers with whoever serves at present.
    SdkClient(Supplier<QueryClient> server, AtomicLong ticks, Totals totals) {
        this.server = server;
        this.ticks = ticks;
        this.totals = totals;
    }

    static String path(String table) {
        return DIRECTORY + table;
    }

    @Override
    public long tick() {
        return ticks.incrementAndGet();
    }

    @Override
    public void createTable(String table, List<Long> cuts) {
        createTable(table, cuts, List.of(), List.of());
    }

    @Override
    public void createTable(String table, List<Long> cuts, List<String> sync, List<String> async) {
        var indexes = new StringBuilder();
        sync.forEach(name -> indexes.append(", INDEX " + name + " GLOBAL SYNC ON (v)"));
        async.forEach(name -> indexes.append(", INDEX " + name + " GLOBAL ASYNC ON (v)"));
        String layout =
                cuts.isEmpty()
                        ? ""
                        : cuts.stream()
                                .map(Object::toString)
                                .collect(
                                        Collectors.joining(
                                                ", ", " WITH (PARTITION_AT_KEYS = (", "))"));
        String text =
                "CREATE TABLE `%s` (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)%s)%s"
                        .formatted(path(table), indexes, layout);
        try (QuerySession session = session()) {
            session.createQuery(text, TxMode.NONE)
                    .execute(_ -> {})
                    .join()
                    .getStatus()
                    .expectSuccess();
        }
    }

    @Override
    public Transaction begin(Mode mode) {
        return new SdkTransaction(
                switch (mode) {
                    case ROW_LOCKS ->
                            throw new UnsupportedOperationException("row locks of YTsaurus");
                    case SERIALIZABLE -> TxMode.SERIALIZABLE_RW;
                    case SNAPSHOT_WRITE -> TxMode.SNAPSHOT_RW;
                    case SNAPSHOT_READ -> TxMode.SNAPSHOT_RO;
                    case ONLINE_READ -> TxMode.ONLINE_RO;
                    case STALE_READ -> TxMode.STALE_RO;
                });
    }

    private QuerySession session() {
        Result<QuerySession> session;
        try {
            session = server.get().createSession(PATIENCE).join();
        } catch (RejectedExecutionException e) {
            // The connection to a server that was killed has been closed meanwhile.
            throw failed(e.toString());
        }
        if (!session.isSuccess()) {
            throw failed(session.getStatus().toString());
        }
        return session.getValue();
    }

    private static FailedException failed(String why) {
        LockSupport.parkNanos(AFTER_FAILURE.toNanos());
        return new FailedException(why);
    }

    private record Write(String table, long key, @Nullable String value) {}

    private final class SdkTransaction implements Transaction {
        private final TxMode mode;

        /// Those that the server has not been told yet.
        private final List<Write> writes = new ArrayList<>();

        private @Nullable QuerySession session;

        /// Null before the first query, and in modes that know no transaction.
        private @Nullable QueryTransaction transaction;

        SdkTransaction(TxMode mode) {
            this.mode = mode;
        }

        @Override
        public @Nullable String get(String table, long key) {
            ResultSetReader rows =
                    read(
                            "SELECT v FROM `%s` WHERE k = $k".formatted(path(table)),
                            Params.of("$k", PrimitiveValue.newUint64(key)));
            return rows.next() ? rows.getColumn("v").getText() : null;
        }

        @Override
        public SortedMap<Long, String> scan(String table, long from, long to) {
            ResultSetReader rows =
                    read(
                            "SELECT k, v FROM `%s` WHERE k >= $from AND k < $to"
                                    .formatted(path(table)),
                            Params.of(
                                    "$from", PrimitiveValue.newUint64(from),
                                    "$to", PrimitiveValue.newUint64(to)));
            return byKey(rows);
        }

        @Override
        public SortedMap<Long, String> scanIndex(String table, String index) {
            String entries = path(Client.indexTable(table, index));
            return byKey(read("SELECT k, v FROM `%s`".formatted(entries), Params.empty()));
        }

        /// A key that is there twice has all its values.
        private static SortedMap<Long, String> byKey(ResultSetReader rows) {
            SortedMap<Long, String> found = new TreeMap<>();
            while (rows.next()) {
                found.merge(
                        rows.getColumn("k").getUint64(),
                        rows.getColumn("v").getText(),
                        (one, two) -> one + "+" + two);
            }
            return found;
        }

        @Override
        public void put(String table, long key, String value) {
            writes.add(new Write(table, key, value));
        }

        @Override
        public void erase(String table, long key) {
            writes.add(new Write(table, key, null));
        }

        /// What is read must show what was written before.
        private ResultSetReader read(String text, Params params) {
            if (!writes.isEmpty()) {
                Params values = Params.create();
                String statements = statements(values);
                writes.clear();
                check(begun().createQuery(statements, values).execute(_ -> {}).join().getStatus());
            }
            boolean single = mode == TxMode.ONLINE_RO;
            var query =
                    single
                            ? openSession().createQuery(text, mode, params)
                            : begun().createQuery(text, params);
            Result<QueryReader> result = QueryReader.readFrom(query).join();
            check(result.getStatus());
            return result.getValue().getResultSet(0);
        }

        private String statements(Params values) {
            var text = new StringBuilder();
            for (int index = 0; index < writes.size(); index++) {
                Write write = writes.get(index);
                values.put("$k" + index, PrimitiveValue.newUint64(write.key));
                if (write.value == null) {
                    text.append(
                            "DELETE FROM `%s` WHERE k = $k%d;\n"
                                    .formatted(path(write.table), index));
                } else {
                    values.put("$v" + index, PrimitiveValue.newText(write.value));
                    text.append(
                            "UPSERT INTO `%s` (k, v) VALUES ($k%d, $v%d);\n"
                                    .formatted(path(write.table), index, index));
                }
            }
            return text.toString();
        }

        private QuerySession openSession() {
            if (session == null) {
                session = session();
            }
            return session;
        }

        private QueryTransaction begun() {
            if (transaction == null) {
                transaction = openSession().createNewTransaction(mode);
            }
            return transaction;
        }

        private void check(Status status) {
            if (!status.isSuccess()) {
                totals.count("steps " + status.getCode());
                throw new FailedException(status.toString());
            }
        }

        @Override
        public Outcome commit() {
            Outcome outcome;
            try {
                outcome = outcome(sendCommit());
            } catch (FailedException _) {
                outcome = Outcome.ABORTED; // there was not even a session
            }
            totals.count(outcome.name());
            end();
            return outcome;
        }

        private Status sendCommit() {
            if (writes.isEmpty()) {
                return transaction == null || !transaction.isActive()
                        ? Status.SUCCESS
                        : transaction.commit().join().getStatus();
            }
            Params values = Params.create();
            String statements = statements(values);
            // Alone it is one request; else the last one ends the transaction.
            Result<QueryInfo> result =
                    transaction == null
                            ? openSession()
                                    .createQuery(statements, mode, values)
                                    .execute(_ -> {})
                                    .join()
                            : transaction
                                    .createQueryWithCommit(statements, values)
                                    .execute(_ -> {})
                                    .join();
            return result.getStatus();
        }

        private Outcome outcome(Status status) {
            if (status.isSuccess()) {
                return Outcome.COMMITTED;
            }
            totals.count("commits " + status.getCode());
            boolean doubtful =
                    status.getCode().isTransportError() || DOUBTFUL.contains(status.getCode());
            return doubtful ? Outcome.UNKNOWN : Outcome.ABORTED;
        }

        @Override
        public void rollback() {
            totals.count("ROLLED_BACK");
            if (transaction != null && transaction.isActive()) {
                transaction.rollback().join();
            }
            end();
        }

        private void end() {
            if (session != null) {
                session.close();
                session = null;
            }
        }
    }
}
