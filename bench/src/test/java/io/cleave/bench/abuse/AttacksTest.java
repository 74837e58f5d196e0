package io.cleave.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Small attacks on the bare echo: the attackers say what they are to say, and understand the
/// answers.
class AttacksTest {
    private static final Duration TIME = Duration.ofSeconds(20);

    private EchoTarget echo;

    @BeforeEach
    void start() throws Exception {
        echo = new EchoTarget();
    }

    @AfterEach
    void stop() {
        echo.close();
    }

    @Test
    void queriesAreAnswered() throws Exception {
        assertThat(endings(new QueryFlood(12, BigTable.GROUPS), TIME))
                .containsExactly("12 SUCCESS");
    }

    @Test
    void nobodyReadsTheStreams() throws Exception {
        assertThat(endings(new UnreadStreams(5), Duration.ofSeconds(1)))
                .containsExactly("5 unfinished when the attack ended");
    }

    @Test
    void bombsAreUnpacked() throws Exception {
        assertThat(endings(new PackedBombs(8, 2_000_000), TIME)).containsExactly("8 SUCCESS");
    }

    @Test
    void messagesStayUnfinished() throws Exception {
        assertThat(endings(new UnfinishedMessages(2, 2, 3_000_000), Duration.ofSeconds(1)))
                .containsExactly("4 unfinished when the attack ended");
    }

    @Test
    void sessionsAreOpenedAndGivenBack() throws Exception {
        assertThat(endings(new UnusedSessions(150), Duration.ofSeconds(1)))
                .containsExactly("150 SUCCESS");
    }

    @Test
    void callsStayOpenWhileSettingsChange() throws Exception {
        assertThat(endings(new SettingsOnManyCalls(300), Duration.ofSeconds(1)))
                .containsExactly("300 unfinished when the attack ended");
    }

    @Test
    void resetsAreSent() throws Exception {
        assertThat(endings(new RapidReset(2, 1_000), TIME)).contains("2000 frames sent");
    }

    @Test
    void framesAreSent() throws Exception {
        assertThat(endings(new FrameFloods(1_000), TIME)).contains("5000 frames sent");
    }

    @Test
    void bodiesAreNotSent() throws Exception {
        assertThat(endings(new UnsentBodies(10), Duration.ofSeconds(1)))
                .containsExactly("10 unfinished when the attack ended");
    }

    @Test
    void requestsToTheYtPortAreSent() throws Exception {
        assertThat(endings(new YtFlood(3, YtFlood.Kind.ROW_BOMB), Duration.ofSeconds(1)))
                .containsExactly("3 HTTP 200");
        assertThat(endings(new YtFlood(3, YtFlood.Kind.UNREAD_ROWS), Duration.ofSeconds(1)))
                .containsExactly("3 HTTP 200");
        assertThat(endings(new YtFlood(3, YtFlood.Kind.UNSENT_BODY), Duration.ofSeconds(1)))
                .containsExactly("3 unfinished when the attack ended");
    }

    @Test
    void everyAttackHasATitle() {
        assertThat(Attack.all().keySet()).noneMatch(name -> Attack.title(name).equals(name));
    }

    @Test
    void aGoodClientIsAnswered() throws Exception {
        try (var client = new GoodClient(echo.target(), 100);
                var probe = new HealthProbe(echo.target())) {
            Observed seen = Observed.calm(Duration.ofSeconds(1), client, probe);

            assertThat(seen.good().example()).isEmpty();
            assertThat(seen.good().failures()).isZero();
            assertThat(seen.good().requests()).isPositive();
            assertThat(seen.good().slowest()).isPositive();
            assertThat(seen.good().slowest()).isLessThanOrEqualTo(seen.good().slowestAtClient());
            assertThat(seen.health().failures()).isZero();
            assertThat(seen.health().answers()).isPositive();
        }
    }

    private List<String> endings(Attack attack, Duration time) throws Exception {
        var endings = new Endings();
        attack.run(echo.target(), endings, Deadline.after(time));
        return endings.lines().lines().map(line -> line.replace('\t', ' ').strip()).toList();
    }
}
