package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.query.RecordedTransactions.End;
import io.cleave.testkit.TestMemory;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class SessionTest {
    private final ManualEnv env = new ManualEnv();
    private final RecordedTransactions transactions = new RecordedTransactions();
    private final Sessions sessions =
            new Sessions(env, new Ids(env, 7), transactions, TestMemory.runs());
    private final Session session = sessions.open(Caller.IN_PROCESS, SessionClient.UNKNOWN);

    private Session.Use enter() {
        return session.enter(Cancellation.byDefault(env));
    }

    @Test
    void theIdTellsTheNode() {
        assertThat(session.id()).startsWith("ydb://session/3?node_id=7&id=");
    }

    @Test
    void aSecondRequestIsToldToWaitItsTurn() {
        try (var _ = enter()) {
            assertFails(Status.SESSION_BUSY, "Pending previous query completion", this::enter);
        }
        enter().close();
    }

    @Test
    void aTransactionStaysOpenBetweenRequests() {
        String txId;
        try (var use = enter()) {
            txId = use.begin(Isolation.SERIALIZABLE);
        }
        assertThat(txId).hasSize(26);
        try (var use = enter()) {
            assertThat(use.find(txId)).isSameAs(transactions.begun.getFirst());
        }
        assertThat(transactions.ends()).containsExactly(End.OPEN);
    }

    @Test
    void aTransactionThatIsGoneIsNamed() {
        try (var use = enter()) {
            var thrown =
                    assertFails(
                            Status.NOT_FOUND, "Transaction not found: 01x", () -> use.take("01x"));
            assertThat(thrown.issues().getFirst().code()).isEqualTo(Issue.TRANSACTION_NOT_FOUND);
        }
    }

    @Test
    void openTransactionsAreLimited() {
        try (var use = enter()) {
            for (int count = 0; count < Session.MAX_TRANSACTIONS; count++) {
                use.begin(Isolation.SERIALIZABLE);
            }
            assertFails(
                    Status.BAD_SESSION,
                    "Too many transactions, current active: 10 MaxTxPerSession: 10",
                    () -> use.begin(Isolation.SERIALIZABLE));
        }
    }

    @Test
    void onlineAndStaleModesAreOpenedOnlyByAQuery() {
        try (var use = enter()) {
            assertFails(
                    Status.BAD_REQUEST,
                    "open transactions not supported for transaction mode OnlineReadOnly",
                    () -> use.begin(Isolation.ONLINE_READ_ONLY));
            assertFails(
                    Status.BAD_REQUEST,
                    "open transactions not supported for transaction mode StaleReadOnly",
                    () -> use.begin(Isolation.STALE_READ_ONLY));
            String txId = use.open(Isolation.STALE_READ_ONLY);
            Transaction before = use.find(txId);
            use.renew(txId);
            assertThat(use.take(txId)).isNotSameAs(before);
            assertThat(transactions.ends()).containsExactly(End.ROLLED_BACK, End.OPEN);
        }
    }

    @Test
    void closingRollsBack() {
        try (var use = enter()) {
            use.begin(Isolation.SERIALIZABLE);
        }
        sessions.close(session.id());
        assertThat(transactions.ends()).containsExactly(End.ROLLED_BACK);
        assertFails(Status.BAD_SESSION, session.id(), this::enter);
    }

    @Test
    void closingWaitsForTheRequestInsideToNoticeAndLeave() {
        Cancellation request = Cancellation.byDefault(env);
        try (var use = session.enter(request)) {
            use.begin(Isolation.SERIALIZABLE);
            sessions.close(session.id());
            assertThat(request.isCancelled()).isTrue();
            assertThat(transactions.ends()).containsExactly(End.OPEN);
        }
        assertThat(transactions.ends()).containsExactly(End.ROLLED_BACK);
    }

    @Test
    void whoIsAttachedLearnsThatTheSessionWasClosed() {
        List<String> told = new ArrayList<>();
        session.attach(() -> told.add("early"));
        sessions.close(session.id());
        session.attach(() -> told.add("late"));
        assertThat(told).containsExactly("early", "late");
    }

    @Test
    void aConflictIsAbortedWithTheTable() {
        transactions.outcome = new CommitOutcome.Conflict("/local/t");
        var thrown =
                assertFails(
                        Status.ABORTED,
                        "Transaction locks invalidated. Table: `/local/t`.",
                        () -> Commits.commit(transactions.begin(Isolation.SERIALIZABLE)));
        assertThat(thrown.issues().getFirst().code()).isEqualTo(Issue.LOCKS_INVALIDATED);
    }

    @Test
    void aLostCommitIsUndetermined() {
        transactions.outcome = new CommitOutcome.Unknown("the log is gone");
        assertFails(
                Status.UNDETERMINED,
                "the log is gone",
                () -> Commits.commit(transactions.begin(Isolation.SERIALIZABLE)));
    }
}
