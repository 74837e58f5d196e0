package io.cleave.bench;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.result.QueryInfo;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// Clients that read, scan, write and run transactions on one table. They never retry: every answer
/// counts as it is.
final class MixedWorkload implements AutoCloseable {
    static final String TABLE = "mixed";
    static final int ROW_COUNT = 100_000;
    private static final int ROWS_A_LOAD = 1_000;
    private static final int ROWS_A_RANGE = 100;
    private static final int KEYS_A_TRANSACTION = 3;
    private static final Duration SESSION_WAIT = Duration.ofSeconds(10);
    private static final String TEXT = "0123456789".repeat(10);

    private static final String CREATE =
            """
            CREATE TABLE mixed (id Uint64 NOT NULL, text Utf8, PRIMARY KEY (id))
            WITH (PARTITION_AT_KEYS = (20000, 40000, 60000, 80000),
                  AUTO_PARTITIONING_BY_SIZE = DISABLED)\
            """;
    private static final String LOAD =
            """
            DECLARE $rows AS List<Struct<id: Uint64, text: Utf8>>;
            UPSERT INTO mixed SELECT id, text FROM AS_TABLE($rows)\
            """;
    private static final String READ =
            "DECLARE $id AS Uint64; SELECT text FROM mixed WHERE id = $id";
    private static final String READ_THREE =
            "DECLARE $ids AS List<Uint64>; SELECT id FROM mixed WHERE id IN $ids";
    private static final String RANGE =
            """
            DECLARE $from AS Uint64; DECLARE $to AS Uint64;
            SELECT id, text FROM mixed WHERE id >= $from AND id < $to ORDER BY id\
            """;
    private static final StructType ROW =
            StructType.of("id", PrimitiveType.Uint64, "text", PrimitiveType.Text);

    private final GrpcTransport transport;
    private final QueryClient client;

    MixedWorkload(String endpoint, int clients) {
        var uri = URI.create(endpoint);
        String address = uri.getScheme() + "://" + uri.getAuthority();
        transport = GrpcTransport.forEndpoint(address, uri.getPath()).build();
        client = QueryClient.newClient(transport).sessionPoolMaxSize(clients + 1).build();
    }

    void load() {
        try (QuerySession session = open()) {
            session.createQuery(CREATE, TxMode.NONE).execute().join().getStatus().expectSuccess();
            for (int from = 0; from < ROW_COUNT; from += ROWS_A_LOAD) {
                long[] ids = new long[ROWS_A_LOAD];
                for (int index = 0; index < ROWS_A_LOAD; index++) {
                    ids[index] = (long) from + index;
                }
                QueryReader.readFrom(session.createQuery(LOAD, TxMode.SERIALIZABLE_RW, rows(ids)))
                        .join()
                        .getStatus()
                        .expectSuccess();
            }
        }
    }

    /// The answers to all clients together.
    ///
    /// @param errors of reads and single writes: how often each status occurred
    /// @param failures of transactions, other than ABORTED
    record Answers(
            List<Samples> reads,
            List<Samples> writes,
            List<Samples> transactions,
            long aborted,
            Map<String, Long> errors,
            Map<String, Long> failures) {
        long transactionCount() {
            return transactions.stream().mapToLong(Samples::count).sum();
        }

        long errorCount() {
            return errors.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /// Runs the clients until `ended`.
    Answers run(int clients, BooleanSupplier ended)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Client>> running = new ArrayList<>();
            for (int index = 0; index < clients; index++) {
                running.add(threads.submit(() -> new Client(open()).run(ended)));
            }
            List<Client> done = new ArrayList<>();
            for (Future<Client> each : running) {
                done.add(each.get());
            }
            Map<String, Long> errors = new TreeMap<>();
            Map<String, Long> failures = new TreeMap<>();
            done.forEach(
                    each -> each.errors.forEach((what, n) -> errors.merge(what, n, Long::sum)));
            done.forEach(
                    each -> each.failures.forEach((what, n) -> failures.merge(what, n, Long::sum)));
            return new Answers(
                    done.stream().map(each -> each.reads).toList(),
                    done.stream().map(each -> each.writes).toList(),
                    done.stream().map(each -> each.transactions).toList(),
                    done.stream().mapToLong(each -> each.aborted).sum(),
                    errors,
                    failures);
        }
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }

    private QuerySession open() {
        return client.createSession(SESSION_WAIT).join().getValue();
    }

    private static Params rows(long... ids) {
        Value<?>[] rows = new Value<?>[ids.length];
        for (int index = 0; index < ids.length; index++) {
            rows[index] = ROW.newValue("id", id(ids[index]), "text", PrimitiveValue.newText(TEXT));
        }
        return Params.of("$rows", ListType.of(ROW).newValue(List.of(rows)));
    }

    private static PrimitiveValue id(long id) {
        return PrimitiveValue.newUint64(id);
    }

    /// Sends random requests one after the other: 40 % reads, 10 % ranges, 40 % writes and 10 %
    /// transactions.
    private static final class Client {
        private final QuerySession session;
        private final Samples reads = new Samples();
        private final Samples writes = new Samples();
        private final Samples transactions = new Samples();
        private final Map<String, Long> errors = new TreeMap<>();
        private final Map<String, Long> failures = new TreeMap<>();
        private long aborted;

        Client(QuerySession session) {
            this.session = session;
        }

        Client run(BooleanSupplier ended) {
            RandomGenerator random = ThreadLocalRandom.current();
            while (!ended.getAsBoolean()) {
                long from = System.nanoTime();
                int kind = random.nextInt(10);
                if (kind < 4) {
                    var params = Params.of("$id", id(random.nextInt(ROW_COUNT)));
                    read(READ, params, 1);
                    reads.add(System.nanoTime() - from);
                } else if (kind < 5) {
                    int first = random.nextInt(ROW_COUNT - ROWS_A_RANGE);
                    var params = Params.of("$from", id(first), "$to", id(first + ROWS_A_RANGE));
                    read(RANGE, params, ROWS_A_RANGE);
                    reads.add(System.nanoTime() - from);
                } else if (kind < 9) {
                    count(errors, write(random.nextInt(ROW_COUNT)));
                    writes.add(System.nanoTime() - from);
                } else {
                    transact(random);
                    transactions.add(System.nanoTime() - from);
                }
            }
            session.close();
            return this;
        }

        private void read(String text, Params params, int expectedRows) {
            Result<QueryReader> result =
                    QueryReader.readFrom(session.createQuery(text, TxMode.SNAPSHOT_RO, params))
                            .join();
            count(errors, result.getStatus());
            if (result.isSuccess()) {
                int rows = result.getValue().getResultSet(0).getRowCount();
                if (rows != expectedRows) {
                    errors.merge(rows + " rows instead of " + expectedRows, 1L, Long::sum);
                }
            }
        }

        private Status write(long id) {
            return QueryReader.readFrom(session.createQuery(LOAD, TxMode.SERIALIZABLE_RW, rows(id)))
                    .join()
                    .getStatus();
        }

        /// Reads three rows, and then writes them in the same transaction.
        private void transact(RandomGenerator random) {
            long[] ids = random.longs(KEYS_A_TRANSACTION, 0, ROW_COUNT).toArray();
            Value<?>[] values = new Value<?>[ids.length];
            for (int index = 0; index < ids.length; index++) {
                values[index] = id(ids[index]);
            }
            ListValue list = ListType.of(PrimitiveType.Uint64).newValue(List.of(values));
            QueryTransaction transaction = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
            Status status =
                    QueryReader.readFrom(
                                    transaction.createQuery(READ_THREE, Params.of("$ids", list)))
                            .join()
                            .getStatus();
            if (status.isSuccess()) {
                Result<QueryInfo> written =
                        transaction.createQueryWithCommit(LOAD, rows(ids)).execute().join();
                status = written.getStatus();
            }
            if (status.getCode() == StatusCode.ABORTED) {
                aborted++;
            } else {
                count(failures, status);
            }
        }

        private static void count(Map<String, Long> counts, Status status) {
            if (!status.isSuccess()) {
                counts.merge(status.toString(), 1L, Long::sum);
            }
        }
    }
}
