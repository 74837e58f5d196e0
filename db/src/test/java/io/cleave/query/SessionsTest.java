package io.cleave.query;

import static io.cleave.query.Statuses.assertFails;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.schema.Access;
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
        Session first = open(Caller.IN_PROCESS);
        for (int count = 1; count < Sessions.MAX_SESSIONS; count++) {
            open(Caller.IN_PROCESS);
        }
        assertFails(Status.OVERLOADED, "1000", () -> open(Caller.IN_PROCESS));
        sessions.closeIfOpen(first);
        sessions.closeIfOpen(first);
        open(Caller.IN_PROCESS);
        assertFails(Status.OVERLOADED, "1000", () -> open(Caller.IN_PROCESS));
    }

    @Test
    void anIdleSessionExpiresAndOneInUseDoesNot() {
        Session idle = open(Caller.IN_PROCESS);
        Session kept = open(Caller.IN_PROCESS);
        Session attached = open(Caller.IN_PROCESS);
        Session busy = open(Caller.IN_PROCESS);
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

    private static Caller caller(String address, String user) {
        return Caller.ofToken(user, "/" + address + ":4711", Access.NOBODY);
    }

    private Session open(Caller caller) {
        return sessions.open(caller, SessionClient.UNKNOWN);
    }

    @Test
    void onePeerCannotTakeAllSessions() {
        Caller greedy = caller("10.0.0.1", "");
        for (int count = 0; count < Sessions.SHARED_FROM; count++) {
            open(greedy);
        }
        assertFails(
                Status.OVERLOADED,
                "10.0.0.1 has 750 sessions. While more than 750 of 1000 sessions are open, each of"
                        + " 1 clients may have at most 500",
                () -> open(greedy));
        assertFails(Status.OVERLOADED, "750 of 1000 sessions", () -> open(greedy));
        // Another address, and another user at the same address.
        for (int count = 0; count < 100; count++) {
            open(caller("10.0.0.2", ""));
            open(caller("10.0.0.1", "alice"));
        }
        assertFails(Status.OVERLOADED, "10.0.0.1 has 750", () -> open(greedy));
    }

    @Test
    void closedSessionsAreNotCountedForTheirPeer() {
        Caller peer = caller("10.0.0.1", "");
        for (int round = 0; round < 3; round++) {
            var opened = new ArrayList<Session>();
            for (int count = 0; count < Sessions.SHARED_FROM; count++) {
                opened.add(open(peer));
            }
            assertFails(Status.OVERLOADED, "10.0.0.1", () -> open(peer));
            opened.forEach(sessions::closeIfOpen);
        }
        assertThat(sessions.size()).isZero();
    }

    @Test
    void aSessionThatIsNeverUsedLivesOneMinute() {
        Session unused = open(Caller.IN_PROCESS);
        openUntilScarce();
        Session kept = open(Caller.IN_PROCESS);
        kept.touch();
        Session queried = open(Caller.IN_PROCESS);
        queried.enter(Cancellation.byDefault(env)).close();
        env.pass(MINUTE.plusNanos(1));

        sessions.expireIdle();

        assertFails(Status.BAD_SESSION, unused.id(), () -> sessions.find(unused.id()));
        assertThat(sessions.find(kept.id())).isSameAs(kept);
        assertThat(sessions.find(queried.id())).isSameAs(queried);
    }

    @Test
    void anUnusedSessionStaysWhileThereIsRoomForOthers() {
        Session unused = open(Caller.IN_PROCESS);
        env.pass(Sessions.UNUSED_LIMIT.plus(MINUTE));

        sessions.expireIdle();

        assertThat(sessions.find(unused.id())).isSameAs(unused);
    }

    private void openUntilScarce() {
        while (sessions.size() <= Sessions.SCARCE_FROM) {
            open(Caller.IN_PROCESS);
        }
    }
}
