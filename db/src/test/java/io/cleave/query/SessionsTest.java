package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class SessionsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualEnv env = new ManualEnv();
    private final Sessions sessions =
            new Sessions(env, new Ids(env, 1), new RecordedTransactions());

    @Test
    void anUnknownSessionIsNamed() {
        assertFails(
                Status.BAD_SESSION,
                "ydb://session/3?node_id=1&id=gone",
                () -> sessions.find("ydb://session/3?node_id=1&id=gone"));
        assertFails(Status.BAD_SESSION, "''", () -> sessions.close(""));
    }

    @Test
    void sessionsAreLimitedAndAClosedOneMakesRoom() {
        Session first = sessions.open();
        for (int count = 1; count < Sessions.MAX_SESSIONS; count++) {
            sessions.open();
        }
        assertFails(Status.OVERLOADED, "1000", sessions::open);
        sessions.closeIfOpen(first);
        sessions.closeIfOpen(first);
        sessions.open();
        assertFails(Status.OVERLOADED, "1000", sessions::open);
    }

    @Test
    void anIdleSessionExpiresAndOneInUseDoesNot() {
        Session idle = sessions.open();
        Session kept = sessions.open();
        Session attached = sessions.open();
        Session busy = sessions.open();
        attached.attach(() -> {});
        var use = busy.enter(Cancellation.byDefault(env));
        env.pass(Sessions.IDLE_LIMIT.minus(MINUTE));
        kept.touch();
        env.pass(MINUTE.plusNanos(1));

        sessions.expireIdle();

        assertFails(Status.BAD_SESSION, idle.id(), () -> sessions.find(idle.id()));
        assertThat(sessions.find(kept.id())).isSameAs(kept);
        assertThat(sessions.find(attached.id())).isSameAs(attached);
        assertThat(sessions.find(busy.id())).isSameAs(busy);
        use.close();
    }
}
