package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Status;
import io.cleave.testkit.TestMemory;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;

class SessionsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualEnv env = new ManualEnv();
    private final Sessions sessions =
            new Sessions(env, new Ids(env, 1), new RecordedTransactions(), TestMemory.runs());

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

    private static SessionClient client(String address, String user) {
        return new SessionClient("/" + address + ":4711", "", "", "", "", user);
    }

    @Test
    void onePeerCannotTakeAllSessions() {
        SessionClient greedy = client("10.0.0.1", "");
        for (int count = 0; count < Sessions.SHARED_FROM; count++) {
            sessions.open(greedy);
        }
        assertFails(
                Status.OVERLOADED,
                "10.0.0.1 has 750 sessions, and at most 500 are for each of 1 clients",
                () -> sessions.open(greedy));
        assertFails(Status.OVERLOADED, "750 of 1000", () -> sessions.open(greedy));
        // Another address, and another user at the same address.
        for (int count = 0; count < 100; count++) {
            sessions.open(client("10.0.0.2", ""));
            sessions.open(client("10.0.0.1", "alice"));
        }
        assertFails(Status.OVERLOADED, "10.0.0.1 has 750", () -> sessions.open(greedy));
    }

    @Test
    void closedSessionsAreNotCountedForTheirPeer() {
        SessionClient peer = client("10.0.0.1", "");
        for (int round = 0; round < 3; round++) {
            var opened = new ArrayList<Session>();
            for (int count = 0; count < Sessions.SHARED_FROM; count++) {
                opened.add(sessions.open(peer));
            }
            assertFails(Status.OVERLOADED, "10.0.0.1", () -> sessions.open(peer));
            opened.forEach(sessions::closeIfOpen);
        }
        assertThat(sessions.size()).isZero();
    }

    @Test
    void aSessionThatIsNeverUsedLivesOneMinute() {
        Session unused = sessions.open();
        Session kept = sessions.open();
        kept.touch();
        Session queried = sessions.open();
        queried.enter(Cancellation.byDefault(env)).close();
        env.pass(MINUTE.plusNanos(1));

        sessions.expireIdle();

        assertFails(Status.BAD_SESSION, unused.id(), () -> sessions.find(unused.id()));
        assertThat(sessions.find(kept.id())).isSameAs(kept);
        assertThat(sessions.find(queried.id())).isSameAs(queried);
    }
}
