package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.query.Databases;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.TestStore;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.tree.BundleOutlook;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

class TransactionExpiryTest {
    /// A second takes a millisecond.
    private static ForwardingEnv hurried() {
        return new ForwardingEnv(new SystemEnv()) {
            @Override
            public void sleep(Duration time) throws InterruptedException {
                super.sleep(time.dividedBy(1000));
            }
        };
    }

    @Test
    void transactionsEndWithoutACallAlsoAfterAFailure() throws InterruptedException {
        goesOnAfter(new StatusException(Status.UNAVAILABLE, "the log has failed"));
    }

    @Test
    void transactionsEndAlsoAfterABug() throws InterruptedException {
        goesOnAfter(new IllegalStateException("a planted bug"));
    }

    private static void goesOnAfter(RuntimeException failure) throws InterruptedException {
        var rounds = new CountDownLatch(3);
        var expiry =
                new TransactionExpiry(
                        hurried(),
                        () -> {
                            rounds.countDown();
                            throw failure;
                        });
        expiry.start();
        assertThat(rounds.await(60, TimeUnit.SECONDS)).isTrue();
        expiry.close();
    }

    @Test
    void expiryAlsoEndsTabletTransactions() {
        var laterNanos = new AtomicLong();
        try (var store = new TestStore()) {
            var env =
                    new ForwardingEnv(store.env()) {
                        @Override
                        public long nanoTime() {
                            return super.nanoTime() + laterNanos.get();
                        }
                    };
            YtCommands commands =
                    YtCommands.of(
                            new YtCommands.Store(
                                    env,
                                    Databases.withBuilds(store),
                                    store.tablets(),
                                    store.resharding(),
                                    store.transactions(),
                                    store.balancer(),
                                    BundleOutlook.NONE));
            Command start =
                    commands.all().stream()
                            .filter(each -> each.descriptor().name().equals("start_transaction"))
                            .findFirst()
                            .orElseThrow();
            FakeCall.of(env, "{type=tablet;timeout=5000}").runs(start);
            var timeline = store.tablets().timeline();
            long snapshot = timeline.oldest();
            long later = timeline.pass();

            commands.expire().run();
            assertThat(timeline.oldest()).isEqualTo(snapshot);

            laterNanos.set(Duration.ofSeconds(6).toNanos());
            commands.expire().run();
            assertThat(timeline.oldest()).isEqualTo(later);
        }
    }
}
