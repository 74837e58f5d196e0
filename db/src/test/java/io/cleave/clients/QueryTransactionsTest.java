package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.result.QueryInfo;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;
import tech.ydb.table.values.PrimitiveValue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// Interactive transactions of `ydb-sdk-query`, their conflicts, and the SDK's own retries.
@ExtendWith(SharedServer.class)
class QueryTransactionsTest {
    private final Clients clients;
    private final String table;
    private final QuerySession first;
    private final QuerySession second;

    QueryTransactionsTest(Clients clients) {
        this.clients = clients;
        table = "`" + clients.newDirectory() + "/accounts`";
        first = newSession();
        second = newSession();
    }

    @BeforeEach
    void createTable() {
        clients.define(
                "CREATE TABLE "
                        + table
                        + " (id Int64 NOT NULL, amount Int64, PRIMARY KEY (id))"
                        + " WITH (PARTITION_AT_KEYS = (10, 20, 30))");
        clients.query(
                "UPSERT INTO " + table + " (id, amount) VALUES (5, 100), (15, 100), (25, 100)");
    }

    @AfterEach
    void closeSessions() {
        first.close();
        second.close();
    }

    @Test
    void aTransactionSeesItsOwnWritesAndOthersSeeThemAfterTheCommit() {
        QueryTransaction transaction = begin(first);
        run(transaction, "UPDATE " + table + " SET amount = amount - 30 WHERE id = 5");
        run(transaction, "UPDATE " + table + " SET amount = amount + 30 WHERE id = 25");
        assertThat(Rows.of(run(transaction, amounts()).getResultSet(0)))
                .containsExactly("70", "100", "130");
        assertThat(clients.rows(amounts())).containsExactly("100", "100", "100");

        assertThat(transaction.commit().join().getStatus().isSuccess()).isTrue();

        assertThat(clients.rows(amounts())).containsExactly("70", "100", "130");
        assertThat(transaction.isActive()).isFalse();
    }

    @Test
    void aRollbackLeavesNothing() {
        QueryTransaction transaction = begin(first);
        run(transaction, "DELETE FROM " + table);
        run(transaction, "UPSERT INTO " + table + " (id, amount) VALUES (40, 1)");

        assertThat(transaction.rollback().join().isSuccess()).isTrue();

        assertThat(clients.rows(amounts())).containsExactly("100", "100", "100");
    }

    @Test
    void theFirstQueryMayBeginAndTheLastMayCommit() {
        QueryTransaction transaction = first.createNewTransaction(TxMode.SERIALIZABLE_RW);
        assertThat(transaction.isActive()).isFalse();
        run(transaction, "UPSERT INTO " + table + " (id, amount) VALUES (5, 1)");
        assertThat(transaction.isActive()).isTrue();
        QueryReader.readFrom(
                        transaction.createQueryWithCommit(
                                "UPSERT INTO " + table + " (id, amount) VALUES (15, 2)"))
                .join()
                .getStatus()
                .expectSuccess();
        assertThat(transaction.isActive()).isFalse();
        assertThat(clients.rows(amounts())).containsExactly("1", "2", "100");
    }

    @Test
    void theSecondToCommitAConflictingWriteIsAborted() {
        QueryTransaction one = begin(first);
        QueryTransaction two = begin(second);
        run(one, "UPDATE " + table + " SET amount = amount + 1 WHERE id = 5");
        run(two, "UPDATE " + table + " SET amount = amount + 1 WHERE id = 5");
        assertThat(one.commit().join().getStatus().isSuccess()).isTrue();

        Status refused = two.commit().join().getStatus();

        assertThat(refused.getCode()).isEqualTo(StatusCode.ABORTED);
        assertThat(refused.toString()).contains("Transaction locks invalidated");
        assertThat(clients.rows(amounts())).containsExactly("101", "100", "100");
        // The session lives on.
        assertThat(Rows.of(run(begin(second), amounts()).getResultSet(0))).hasSize(3);
    }

    @Test
    void aRowThatAppearsInACountedRangeAborts() {
        QueryTransaction one = begin(first);
        assertThat(
                        Rows.of(
                                run(one, "SELECT COUNT(*) FROM " + table + " WHERE id > 12")
                                        .getResultSet(0)))
                .containsExactly("2");
        clients.query("UPSERT INTO " + table + " (id, amount) VALUES (22, 0)");
        Result<QueryReader> write =
                QueryReader.readFrom(
                                one.createQuery(
                                        "UPSERT INTO " + table + " (id, amount) VALUES (1, 2)"))
                        .join();
        Status end = write.isSuccess() ? one.commit().join().getStatus() : write.getStatus();
        assertThat(end.getCode()).isEqualTo(StatusCode.ABORTED);
        assertThat(clients.rows("SELECT amount FROM " + table + " WHERE id = 1")).isEmpty();
    }

    @Test
    void aSnapshotDoesNotMove() {
        QueryTransaction reader = begin(first, TxMode.SNAPSHOT_RO);
        assertThat(Rows.of(run(reader, amounts()).getResultSet(0)))
                .containsExactly("100", "100", "100");
        clients.query("UPDATE " + table + " SET amount = 0 WHERE id > 0");
        assertThat(Rows.of(run(reader, amounts()).getResultSet(0)))
                .containsExactly("100", "100", "100");
        assertThat(reader.commit().join().getStatus().isSuccess()).isTrue();
        assertThat(Rows.of(run(begin(first), amounts()).getResultSet(0)))
                .containsExactly("0", "0", "0");
    }

    @Test
    void anErrorEndsTheTransaction() {
        QueryTransaction transaction = begin(first);
        run(transaction, "UPSERT INTO " + table + " (id, amount) VALUES (5, 1)");
        Result<QueryReader> refused =
                QueryReader.readFrom(
                                transaction.createQuery(
                                        "INSERT INTO " + table + " (id, amount) VALUES (15, 1)"))
                        .join();
        assertThat(refused.getStatus().getCode()).isEqualTo(StatusCode.PRECONDITION_FAILED);
        assertThat(refused.getStatus().toString()).contains("Conflict with existing key.");
        assertThat(transaction.isActive()).isFalse();
        assertThat(clients.rows(amounts())).containsExactly("100", "100", "100");
    }

    @Test
    void theRetryContextRunsAnAbortedTransactionAgain() {
        var attempts = new AtomicInteger();
        Status status =
                clients.retries()
                        .supplyStatus(session -> addOne(session, 5, attempts.incrementAndGet()))
                        .join();
        assertThat(status.isSuccess()).as("%s", status).isTrue();
        assertThat(attempts).hasValue(2);
        assertThat(clients.rows("SELECT amount FROM " + table + " WHERE id = 5"))
                .containsExactly("1101");
    }

    @Test
    void manyClientsCountExactly() {
        int clientCount = 8;
        int incrementCount = 25;
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int client = 0; client < clientCount; client++) {
            int own = client;
            ends.add(CompletableFuture.runAsync(() -> count(own, incrementCount)));
        }
        ends.forEach(CompletableFuture::join);
        assertThat(clients.rows("SELECT SUM(amount) FROM " + table))
                .containsExactly(Integer.toString(300 + clientCount * incrementCount));
    }

    /// Increments one of two rows in turn, so that some attempts collide and some do not.
    private void count(int client, int times) {
        for (int round = 0; round < times; round++) {
            long id = (client + round) % 2 == 0 ? 5 : 15;
            Status status =
                    clients.retries().supplyStatus(session -> addOne(session, id, 0)).join();
            assertThat(status.isSuccess()).as("%s", status).isTrue();
        }
    }

    /// Reads a row and writes one more; in the first attempt another client comes in between.
    private CompletableFuture<Status> addOne(QuerySession session, long id, int attempt) {
        QueryTransaction transaction = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
        return QueryReader.readFrom(
                        transaction.createQuery(
                                "SELECT amount FROM " + table + " WHERE id = " + id))
                .thenCompose(
                        read -> {
                            if (!read.isSuccess()) {
                                return CompletableFuture.completedFuture(read.getStatus());
                            }
                            var rows = read.getValue().getResultSet(0);
                            rows.next();
                            long amount = rows.getColumn(0).getInt64();
                            if (attempt == 1) {
                                clients.query(
                                        "UPDATE " + table + " SET amount = 1100 WHERE id = " + id);
                            }
                            return transaction
                                    .createQueryWithCommit(
                                            "UPDATE "
                                                    + table
                                                    + " SET amount = $amount WHERE id = $id",
                                            Params.of(
                                                    "$amount",
                                                    PrimitiveValue.newInt64(amount + 1),
                                                    "$id",
                                                    PrimitiveValue.newInt64(id)))
                                    .execute(part -> {})
                                    .thenApply(Result<QueryInfo>::getStatus);
                        });
    }

    private String amounts() {
        return "SELECT amount FROM " + table + " ORDER BY id";
    }

    private QuerySession newSession() {
        return clients.queries().createSession(Duration.ofSeconds(10)).join().getValue();
    }

    private static QueryTransaction begin(QuerySession session) {
        return begin(session, TxMode.SERIALIZABLE_RW);
    }

    private static QueryTransaction begin(QuerySession session, TxMode mode) {
        return session.beginTransaction(mode).join().getValue();
    }

    private static QueryReader run(QueryTransaction transaction, String text) {
        Result<QueryReader> result = QueryReader.readFrom(transaction.createQuery(text)).join();
        assertThat(result.getStatus().isSuccess()).as("%s: %s", text, result.getStatus()).isTrue();
        return result.getValue();
    }
}
