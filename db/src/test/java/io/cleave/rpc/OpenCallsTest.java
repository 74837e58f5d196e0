package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// How many calls a connection may have, and what is left of those that were reset.
class OpenCallsTest {
    private static final String REFUSED = "RST_STREAM %d REFUSED_STREAM";

    private final TestCalls calls = new TestCalls();

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void aCallThatIsOneTooManyIsRefused() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            int stream = open(client, "test/Silent", 1, TestCalls.MAX_CALLS);
            assertThat(client.answers()).isEmpty();
            client.send("call %d test/Echo".formatted(stream));
            assertThat(client.answers()).containsExactly(REFUSED.formatted(stream));
            client.send("reset 1");
            client.send("call %d test/Echo".formatted(stream + 2));
            client.send("message %d end hello".formatted(stream + 2));
            assertThat(client.answers()).contains("DATA %d hello".formatted(stream + 2));
        }
    }

    @Test
    void aLongRowOfCallsIsAnsweredWhole() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            var frames = new ByteArrayOutputStream();
            for (int stream = 1; stream < 20_000; stream += 2) {
                frames.writeBytes(RawClient.bytes("call " + stream + " test/Echo"));
                frames.writeBytes(RawClient.bytes("message " + stream + " end hello"));
            }
            client.send("window 0 1000000");
            Thread sending = Thread.ofVirtual().start(() -> client.sendAll(frames.toByteArray()));
            for (int stream = 1; stream < 20_000; stream += 2) {
                client.await("DATA " + stream + " hello");
            }
            sending.join();
        }
    }

    @Test
    void callsThatStayOpenLeaveTheOthersTheirRoom() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            int stream = open(client, "test/Attach", 1, 128);
            assertThat(client.answers()).containsExactly("SETTINGS 3=1064", "SETTINGS 3=1128");
            stream = open(client, "test/Silent", stream, TestCalls.MAX_CALLS);
            assertThat(client.answers()).isEmpty();
            client.send("call %d test/Echo".formatted(stream));
            assertThat(client.answers()).containsExactly(REFUSED.formatted(stream));
        }
    }

    @Test
    void callsThatHaveStayedOpenLeaveNoRoomBehind() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            int stream = open(client, "test/Attach", 1, 256);
            client.answers();
            for (int attached = 1; attached < stream; attached += 2) {
                client.send("reset " + attached);
            }
            assertThat(client.answers()).contains("SETTINGS 3=1000");
            stream = open(client, "test/Silent", stream, TestCalls.MAX_CALLS);
            assertThat(client.answers()).isEmpty();
            client.send("call %d test/Echo".formatted(stream));
            assertThat(client.answers()).containsExactly(REFUSED.formatted(stream));
        }
    }

    @Test
    void callsThatComeWhileTheServerStopsAreRefusedOneByOne() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            client.send("call 1 test/Silent");
            client.answers();
            Thread stopping = Thread.ofVirtual().start(() -> calls.server().shutdown());
            client.await("GOAWAY last=1 NO_ERROR: the server is stopping");
            int stream = open(client, "test/Echo", 3, 1_100);
            assertThat(client.answers())
                    .hasSize(1_100)
                    .contains(REFUSED.formatted(3), REFUSED.formatted(stream - 2));
            stopping.join();
        }
    }

    @Test
    void callsThatStayOpenHaveALimitOfTheirOwn() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            int stream = open(client, "test/Attach", 1, TestCalls.MAX_LONG_CALLS);
            client.answers();
            client.send("call %d test/Attach".formatted(stream));
            assertThat(client.answers()).containsExactly(REFUSED.formatted(stream));
        }
    }

    @Test
    void aCallThatIsResetLeavesEveryList() throws Exception {
        try (RawClient client = RawClient.greeted(calls.port())) {
            // The connection's window is used up, and then that of some streams.
            client.send("settings 4=100000");
            client.send("call 1 test/Echo");
            client.send("large 1 70000");
            client.await("DATA 1 (16383 bytes)");
            for (int stream = 3; stream < 203; stream += 2) {
                if (stream == 101) {
                    client.send("settings 4=0");
                }
                client.send("call %d test/Echo".formatted(stream));
                client.send("message %d end hello".formatted(stream));
            }
            client.answers();
            assertThat(waitingCalls()).isEqualTo(101);
            for (int stream = 1; stream < 203; stream += 2) {
                client.send("reset " + stream);
            }
            client.answers();
            assertThat(waitingCalls()).isZero();
        }
    }

    /// Opens so many calls; answers the next stream.
    private static int open(RawClient client, String method, int stream, int count)
            throws Exception {
        int next = stream;
        for (int call = 0; call < count; call++) {
            client.send("call %d %s".formatted(next, method));
            next += 2;
        }
        return next;
    }

    private int waitingCalls() throws Exception {
        Connection connection = List.copyOf(calls.server().connections()).getFirst();
        var count = new CompletableFuture<Integer>();
        connection.later(() -> count.complete(connection.outbox().waitingCalls()));
        return count.get(20, TimeUnit.SECONDS);
    }
}
