package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.http.RawHttp;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.yt.command.Command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.DeflaterOutputStream;

/// What clients that mean no good can do to the proxy.
class YtProxyTest {
    private final FakeCommands fake = new FakeCommands();
    private final List<RawHttp> clients = new ArrayList<>();
    private Node node;
    private YtProxy proxy;

    @BeforeEach
    void start() throws Exception {
        node = Node.start(NodeOptions.inMemory());
        List<Command> commands = fake.all();
        proxy =
                YtProxy.start(
                        new SystemEnv(), node.frontDoor(), commands, "localhost", 0, List.of());
    }

    @AfterEach
    void stop() throws IOException {
        fake.gate.countDown();
        for (RawHttp client : clients) {
            client.close();
        }
        proxy.close();
        node.close();
    }

    private RawHttp client(String from) throws IOException {
        var client = new RawHttp(proxy.port(), from);
        clients.add(client);
        return client;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            assertThat(tries).as("tries").isLessThan(30_000);
            Thread.sleep(1);
        }
    }

    private long requestBytes() {
        return node.frontDoor().memory().requests().usedBytes();
    }

    @Test
    void aCommandEndsWhenItsClientClosesTheConnectionWhileRowsAreWritten() throws Exception {
        RawHttp client = client("127.0.0.1").send(get("/api/v4/many_rows?count=1000000000"));
        assertThat(client.read()).isEqualTo('H');
        assertThat(proxy.requests()).isEqualTo(1);
        client.close();
        await(() -> proxy.requests() == 0);
    }

    @Test
    void rowsWaitForTheirClient() throws Exception {
        RawHttp slow = client("127.0.0.1").send(get("/api/v4/many_rows?count=100000000"));
        assertThat(slow.read()).isEqualTo('H');
        assertThat(client("127.0.0.1").send(get("/api/v4/echo")).reply().status()).isEqualTo(200);
        assertThat(proxy.requests()).isEqualTo(1);
    }

    @Test
    void oneAddressDoesNotTakeAllPlaces() throws Exception {
        for (int count = 0; count < YtProxy.PEER_REQUESTS; count++) {
            client("127.0.0.1").send(get("/api/v4/hold"));
        }
        await(() -> fake.holding.get() == YtProxy.PEER_REQUESTS);
        RawHttp.Reply refused = client("127.0.0.1").send(get("/api/v4/echo")).reply();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(client("127.0.0.2").send(get("/api/v4/echo")).reply().status()).isEqualTo(200);
        assertThat(client("127.0.0.1").send(get("/ping")).reply().status()).isEqualTo(200);
    }

    /// 200 MB of zeros in 200 KB.
    @Test
    void aBombIsRefusedAndItsMemoryGivenBack() throws Exception {
        var packed = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(packed)) {
            out.write('"');
            byte[] zeros = new byte[1 << 20];
            for (int count = 0; count < 200; count++) {
                out.write(zeros);
            }
            out.write('"');
        }
        RawHttp client = client("127.0.0.1");
        client.send(
                "PUT /api/v4/store HTTP/1.1\r\n"
                        + "Host: localhost\r\n"
                        + "Content-Encoding: deflate\r\n"
                        + "Content-Length: "
                        + packed.size()
                        + "\r\n\r\n");
        client.send(packed.toByteArray());
        RawHttp.Reply reply = client.reply();
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        await(() -> requestBytes() == 0);
    }

    @Test
    void memoryOfABodyThatStopsHalfwayIsGivenBack() throws Exception {
        RawHttp client = client("127.0.0.1");
        client.send(
                "PUT /api/v4/store HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
        client.send(new byte[500_000]);
        await(() -> requestBytes() >= 500_000);
        client.close();
        await(() -> requestBytes() == 0);
        assertThat(proxy.requests()).isZero();
    }

    @Test
    void aCommandHasATimeLimit() throws Exception {
        RawHttp client = client("127.0.0.1");
        client.send(get("/api/v4/slow_rows?timeout=50"));
        RawHttp.Reply reply = client.reply();
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("X-YT-Response-Code")).isEqualTo("3");
        assertThat(fake.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
