package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import io.cleave.base.Status;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class CancellationTest {
    private final ManualEnv env = new ManualEnv();

    @Test
    void theTimeGivenRunsOut() {
        var cancellation = new Cancellation(env, Duration.ofSeconds(2), Status.TIMEOUT);
        env.pass(Duration.ofSeconds(1));
        cancellation.check();
        env.pass(Duration.ofSeconds(1));
        assertFails(Status.TIMEOUT, "timeout exceeded", cancellation::check);
    }

    @Test
    void cancelAfterIsCancelled() {
        var cancellation = new Cancellation(env, Duration.ofSeconds(2), Status.CANCELLED);
        env.pass(Duration.ofSeconds(3));
        assertFails(Status.CANCELLED, "time limit", cancellation::check);
    }

    @Test
    void aClientThatLeavesCancels() {
        var cancellation = new Cancellation(env, Duration.ofDays(100_000), Status.TIMEOUT);
        cancellation.check();
        cancellation.cancel();
        assertFails(Status.CANCELLED, "by the client", cancellation::check);
    }
}
