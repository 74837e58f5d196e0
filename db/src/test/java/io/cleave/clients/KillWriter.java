package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.clients.WriterModel.Key;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.StructValue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Writes and reads its own rows, which lie in every tablet of two tables, until the server is
/// gone.
final class KillWriter implements Runnable {
    static final List<String> TABLES = List.of("/local/kill/left", "/local/kill/right");

    private static final int SLOT_COUNT = 32;
    private static final int MAX_WRITE_ROWS = 6;
    private static final StructType ROW =
            StructType.of(
                    "id", PrimitiveType.Uint64,
                    "payload", PrimitiveType.Text,
                    "version", PrimitiveType.Int64,
                    "writer", PrimitiveType.Int32);
    private static final StructType KEY = StructType.of("id", PrimitiveType.Uint64);

    /// Nothing was written, and the writer may go on.
    private static final Set<StatusCode> REFUSALS =
            Set.of(StatusCode.ABORTED, StatusCode.OVERLOADED);

    private final int index;
    private final QueryClient client;
    private final WriterModel model;
    private final Random random;
    private final AtomicLong acknowledgedCount;
    private final AtomicBoolean killed;

    KillWriter(
            int index,
            QueryClient client,
            WriterModel model,
            Random random,
            AtomicLong acknowledgedCount,
            AtomicBoolean killed) {
        this.index = index;
        this.client = client;
        this.model = model;
        this.random = random;
        this.acknowledgedCount = acknowledgedCount;
        this.killed = killed;
    }

    @Override
    public void run() {
        Result<QuerySession> created = client.createSession(Duration.ofSeconds(10)).join();
        if (!created.isSuccess()) {
            // Killed before the first write. The client may have had its session half made, and
            // then waits for the rest until its own deadline.
            boolean halfMade = created.getStatus().getCode() == StatusCode.CLIENT_DEADLINE_EXPIRED;
            if (!(halfMade && killed.get())) {
                checkGone(created.getStatus());
            }
            return;
        }
        try (QuerySession session = created.getValue()) {
            boolean alive = true;
            while (alive) {
                alive = random.nextInt(4) == 0 ? readOwnRows(session) : write(session);
            }
        }
    }

    /// What the row with this key and version holds.
    static String payload(Key key, long version) {
        String text = key.id() + ":" + version + " ";
        int repeats = (int) Math.floorMod(key.id() * 31 + version * 17, 60L);
        return text.repeat(1 + repeats);
    }

    /// Whether the server still answers.
    private boolean readOwnRows(QuerySession session) {
        String table = TABLES.get(random.nextInt(TABLES.size()));
        Result<QueryReader> result =
                QueryReader.readFrom(
                                session.createQuery(
                                        "SELECT id, version, payload FROM `"
                                                + table
                                                + "` WHERE writer = "
                                                + index,
                                        TxMode.SNAPSHOT_RO))
                        .join();
        if (!result.isSuccess()) {
            checkGone(result.getStatus());
            return false;
        }
        Map<Key, Long> expected = new TreeMap<>(model.rows());
        expected.keySet().removeIf(key -> !key.table().equals(table));
        Map<Key, Long> found = new TreeMap<>();
        ResultSetReader rows = result.getValue().getResultSet(0);
        while (rows.next()) {
            found.put(key(table, rows), version(table, rows));
        }
        assertThat(found).isEqualTo(expected);
        return true;
    }

    static Key key(String table, ResultSetReader row) {
        return new Key(table, row.getColumn("id").getUint64());
    }

    /// The row's version; its payload must be the version's.
    static long version(String table, ResultSetReader row) {
        Key key = key(table, row);
        long version = row.getColumn("version").getInt64();
        assertThat(row.getColumn("payload").getText())
                .as("%s version %d", key, version)
                .isEqualTo(payload(key, version));
        return version;
    }

    private boolean write(QuerySession session) {
        Map<Key, Long> rows = chooseWrite();
        model.sent(rows);
        Status status =
                random.nextInt(3) == 0 ? writeInSteps(session, rows) : writeAtOnce(session, rows);
        if (status.isSuccess()) {
            model.acknowledged();
            acknowledgedCount.incrementAndGet();
            return true;
        }
        if (REFUSALS.contains(status.getCode())) {
            model.refused();
            return true;
        }
        checkGone(status);
        return false;
    }

    /// A single row half of the time, and else several that lie in several tablets.
    private Map<Key, Long> chooseWrite() {
        int rowCount = random.nextBoolean() ? 1 : 2 + random.nextInt(MAX_WRITE_ROWS - 1);
        Map<Key, Long> rows = new TreeMap<>();
        while (rows.size() < rowCount) {
            String table = TABLES.get(random.nextInt(TABLES.size()));
            boolean deletes = rowCount > 1 && random.nextInt(5) == 0;
            rows.put(
                    new Key(table, id(random.nextInt(SLOT_COUNT))),
                    deletes ? WriterModel.DELETED : model.nextVersion());
        }
        return rows;
    }

    /// The slots of a writer are spread over all keys there are.
    private long id(int slot) {
        return (slot * KillRounds.WRITER_COUNT + index)
                * (Long.divideUnsigned(-1L, SLOT_COUNT * KillRounds.WRITER_COUNT));
    }

    private Status writeAtOnce(QuerySession session, Map<Key, Long> rows) {
        var text = new StringBuilder();
        Params params = Params.create();
        for (int table = 0; table < TABLES.size(); table++) {
            addStatements(text, params, table, rows);
        }
        return session.createQuery(text.toString(), TxMode.SERIALIZABLE_RW, params)
                .execute(part -> {})
                .join()
                .getStatus();
    }

    /// An interactive transaction with a query for each table.
    private Status writeInSteps(QuerySession session, Map<Key, Long> rows) {
        QueryTransaction transaction = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
        for (int table = 0; table < TABLES.size(); table++) {
            var text = new StringBuilder();
            Params params = Params.create();
            addStatements(text, params, table, rows);
            if (text.isEmpty()) {
                continue;
            }
            Status status =
                    transaction
                            .createQuery(text.toString(), params)
                            .execute(part -> {})
                            .join()
                            .getStatus();
            if (!status.isSuccess()) {
                return status;
            }
        }
        return transaction.commit().join().getStatus();
    }

    private void addStatements(
            StringBuilder text, Params params, int tableIndex, Map<Key, Long> write) {
        String table = TABLES.get(tableIndex);
        List<StructValue> upserts = new ArrayList<>();
        List<StructValue> deletes = new ArrayList<>();
        write.forEach(
                (key, version) -> {
                    if (!key.table().equals(table)) {
                        return;
                    }
                    PrimitiveValue id = PrimitiveValue.newUint64(key.id());
                    if (version == WriterModel.DELETED) {
                        deletes.add(KEY.newValue("id", id));
                    } else {
                        upserts.add(
                                ROW.newValue(
                                        Map.of(
                                                "id", id,
                                                "payload",
                                                        PrimitiveValue.newText(
                                                                payload(key, version)),
                                                "version", PrimitiveValue.newInt64(version),
                                                "writer", PrimitiveValue.newInt32(index))));
                    }
                });
        if (!upserts.isEmpty()) {
            params.put("$upserts" + tableIndex, ListType.of(ROW).newValue(List.copyOf(upserts)));
            text.append("UPSERT INTO `" + table + "`");
            text.append(" SELECT * FROM AS_TABLE($upserts" + tableIndex + ");\n");
        }
        if (!deletes.isEmpty()) {
            params.put("$deletes" + tableIndex, ListType.of(KEY).newValue(List.copyOf(deletes)));
            text.append("DELETE FROM `" + table + "`");
            text.append(" ON SELECT * FROM AS_TABLE($deletes" + tableIndex + ");\n");
        }
    }

    /// Only a broken connection may end a writer.
    private static void checkGone(Status status) {
        assertThat(status.getCode()).as("%s", status).matches(StatusCode::isTransportError);
    }
}
