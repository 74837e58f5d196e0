package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.testkit.ForwardingEnv;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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
        var rounds = new CountDownLatch(3);
        var expiry =
                new TransactionExpiry(
                        hurried(),
                        () -> {
                            rounds.countDown();
                            throw new StatusException(Status.UNAVAILABLE, "the log has failed");
                        });
        expiry.start();
        assertThat(rounds.await(60, TimeUnit.SECONDS)).isTrue();
        expiry.close();
    }
}
