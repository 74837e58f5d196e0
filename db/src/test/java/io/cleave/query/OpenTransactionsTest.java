package io.cleave.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.memory.MemoryBudget;
import io.cleave.memory.MemoryPool;
import io.cleave.query.StreamingTest.Counted;
import io.cleave.testkit.TestStore;
import io.cleave.txn.Isolation;
import io.cleave.txn.OptimisticTransactions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Transactions that stay open between requests are many, and each keeps a little: all of it is
/// counted.
class OpenTransactionsTest {
    /// Of which 8 percent are for transactions.
    private static final long HEAP_BYTES = 16L << 20;

    private final TestStore store = new TestStore();
    private final MemoryBudget budget = new MemoryBudget(HEAP_BYTES, store.env());
    private final MemoryPool pool = budget.transactions();
    private final Database database =
            new Database(
                    store.env(),
                    1,
                    store.cluster(),
                    new OptimisticTransactions(store.cluster(), store.env(), pool),
                    budget,
                    Optional.empty(),
                    BackgroundWork.NONE);

    @BeforeEach
    void createTable() {
        run(
                database.as(Caller.IN_PROCESS).openSession(),
                "CREATE TABLE t (k Int64, v Utf8, PRIMARY KEY (k))");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void smallChangesOfManyOpenTransactionsAreCounted() {
        String text = "UPSERT INTO t (k, v) VALUES (1, '" + "x".repeat(10_000) + "')";
        assertThatManyAreRefused(text);
    }

    @Test
    void fewLocksOfManyOpenTransactionsAreCounted() {
        assertThatManyAreRefused(
                "SELECT * FROM t WHERE k IN (1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25,"
                        + " 27)");
    }

    private void assertThatManyAreRefused(String text) {
        List<Session> sessions = new ArrayList<>();
        var refused =
                catchThrowableOfType(
                        StatusException.class,
                        () -> {
                            while (sessions.size() < 70) {
                                Session session = database.as(Caller.IN_PROCESS).openSession();
                                sessions.add(session);
                                for (int number = 0; number < Session.MAX_TRANSACTIONS; number++) {
                                    runInside(session, text);
                                }
                            }
                        });
        assertThat(refused.status()).isEqualTo(Status.OVERLOADED);
        assertThat(refused)
                .hasMessageContaining("the server's memory for transactions is in use")
                .hasMessageContaining("of at most " + pool.limitBytes() + " bytes");
        sessions.forEach(database.sessions()::closeIfOpen);
        assertThat(pool.usedBytes()).isZero();
    }

    private void runInside(Session session, String text) {
        String txId = database.begin(session, Isolation.SERIALIZABLE);
        run(session, text, new TxControl.Existing(txId, false));
    }

    private void run(Session session, String text) {
        run(session, text, TxControl.IMPLICIT);
    }

    private void run(Session session, String text, TxControl control) {
        database.run(
                session,
                QueryText.ofQueryService(text, Map.of()),
                new QueryRun(
                        control, Map.of(), ResultLimits.NONE, Cancellation.byDefault(store.env())),
                new Counted());
    }
}
