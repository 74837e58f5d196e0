package io.cleave.yt.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.query.Databases;
import io.cleave.schema.ObjectId;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.TestStore;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Tablet transactions whose clients go away. Time passes only in [#sweep].
class RowTransactionsTest {
    private final TestStore store = new TestStore();
    private final ManualEnv env = new ManualEnv();
    private final RowTransactions transactions = new RowTransactions(Databases.of(store), env);

    private static final class ManualEnv extends ForwardingEnv {
        private long nanos;
        private Runnable eachSecond = () -> {};

        ManualEnv() {
            super(new SystemEnv());
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        void passSecond() {
            nanos += Duration.ofSeconds(1).toNanos();
            eachSecond.run();
        }

        long seconds() {
            return Duration.ofNanos(nanos).toSeconds();
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private ObjectId start(int seconds) {
        return transactions.start(
                FakeCall.of(env, "{type=tablet;timeout=%d}".formatted(1000 * seconds)));
    }

    /// Ends expired transactions once a second, until no transaction is open.
    private void sweep() {
        while (transactions.count() > 0) {
            env.passSecond();
            transactions.expire();
        }
    }

    @Test
    void aTransactionThatNobodyPingsIsEndedAndKeepsNoVersions() {
        ObjectId id = start(5);
        long snapshot = store.tablets().timeline().oldest();
        long later = store.tablets().timeline().pass();
        assertThat(store.tablets().timeline().oldest()).isEqualTo(snapshot);

        sweep();

        assertThat(env.seconds()).isEqualTo(5);
        assertThat(transactions.count()).isZero();
        assertThat(store.tablets().timeline().oldest()).isEqualTo(later);
        assertThatThrownBy(() -> transactions.ping(id))
                .hasMessageContaining("Sticky transaction " + id.text() + " is not found");
    }

    @Test
    void aTransactionThatIsPingedStaysOpen() {
        ObjectId id = start(5);
        env.eachSecond =
                () -> {
                    if (env.seconds() <= 60) {
                        transactions.ping(id);
                    }
                };
        sweep();
        assertThat(env.seconds()).isEqualTo(65);
        assertThat(transactions.count()).isZero();
    }

    @Test
    void eachTransactionHasItsOwnTimeout() {
        var _ = start(5);
        var _ = start(9);
        sweep();
        assertThat(env.seconds()).isEqualTo(9);
    }

    @Test
    void aTimeoutHasALimit() {
        var _ = start(1_000_000);
        sweep();
        assertThat(env.seconds()).isEqualTo(600);
    }

    @Test
    void theNumberOfOpenTransactionsHasALimit() {
        for (int count = 0; count < RowTransactions.MOST_OPEN; count++) {
            var _ = start(5);
        }
        assertThatThrownBy(() -> start(5))
                .isInstanceOfSatisfying(
                        YtException.class,
                        e ->
                                assertThat(e.error().code())
                                        .isEqualTo(YtCodes.REQUEST_QUEUE_SIZE_LIMIT));
        sweep();
        assertThat(transactions.count()).isZero();
        var _ = start(5);
        assertThat(transactions.count()).isEqualTo(1);
    }
}
