package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.http.RawHttp;
import io.cleave.memory.MemoryBudget;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.zip.DeflaterOutputStream;

/// What clients can keep in the memory of a server with a heap of 512 MB.
class YtMemoryTest {
    private static final long HEAP_BYTES = 512L << 20;

    private final FakeCommands fake = new FakeCommands();
    private final List<RawHttp> clients = new ArrayList<>();
    private final MemoryBudget memory = new MemoryBudget(HEAP_BYTES, new SystemEnv());
    private Node node;
    private YtProxy proxy;

    @BeforeEach
    void start() throws Exception {
        node = Node.start(NodeOptions.inMemory());
        proxy =
                YtProxy.start(
                        new SystemEnv(),
                        node.frontDoor(),
                        memory,
                        fake.all(),
                        "localhost",
                        0,
                        List.of());
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

    private RawHttp client() throws IOException {
        var client = new RawHttp(proxy.port());
        clients.add(client);
        return client;
    }

    private RawHttp put(String command, String headers, byte[] body) throws IOException {
        return client().send(
                        "PUT /api/v4/%s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
                                .formatted(command, headers, body.length))
                .send(body);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            assertThat(tries).as("tries").isLessThan(60_000);
            Thread.sleep(1);
        }
    }

    private void awaitNothingTaken() throws InterruptedException {
        await(() -> memory.requests().usedBytes() == 0 && memory.results().usedBytes() == 0);
    }

    /// One row, which is packed about as well as a body may be.
    private static byte[] packedRow(int bytes) throws IOException {
        byte[] noise = new byte[bytes / 400];
        var random = new Random(1);
        for (int index = 0; index < noise.length; index++) {
            noise[index] = (byte) random.nextInt('a', 'z');
        }
        var packed = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(packed)) {
            out.write("{k=\"".getBytes(StandardCharsets.US_ASCII));
            out.write(noise);
            out.write("x".repeat(bytes - noise.length).getBytes(StandardCharsets.US_ASCII));
            out.write("\"};".getBytes(StandardCharsets.US_ASCII));
        }
        return packed.toByteArray();
    }

    @Test
    void aRowThatCanNeverFitIsRefused() throws Exception {
        byte[] body = packedRow(60_000_000);
        assertThat(body.length).isLessThan(400_000);
        RawHttp.Reply reply = put("copy_rows", "Content-Encoding: deflate\r\n", body).reply();
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("X-YT-Response-Code")).isEqualTo("1");
        assertThat(reply.header("X-YT-Error"))
                .contains("The request needs", "for requests", "Send fewer rows at once");
        awaitNothingTaken();
    }

    @Test
    void largeRowsOfManyClientsStayWithinTheMemory() throws Exception {
        byte[] body = packedRow(6_000_000);
        List<RawHttp> senders = new ArrayList<>();
        for (int count = 0; count < 40; count++) {
            senders.add(put("keep_rows", "Content-Encoding: deflate\r\n", body));
        }
        await(() -> fake.refused.get() + fake.holding.get() == senders.size());
        assertThat(fake.holding.get()).isPositive();
        assertThat(memory.requests().usedBytes())
                .isBetween(fake.holding.get() * 6_000_000L, memory.requests().limitBytes());
        fake.gate.countDown();
        int refused = 0;
        for (RawHttp sender : senders) {
            RawHttp.Reply reply = sender.reply();
            if (reply.status() != 200) {
                refused++;
                // Clients send such a request again.
                assertThat(reply.header("X-YT-Response-Code")).as(reply.body()).isEqualTo("108");
                assertThat(reply.body()).contains("the server's memory for requests is in use");
            }
        }
        assertThat(refused).isEqualTo(fake.refused.get()).isPositive();
        awaitNothingTaken();
    }

    /// Kept rows take much more memory than their bytes.
    @Test
    void smallRowsAreCountedAsTheyAreKept() throws Exception {
        byte[] body = "{k=1};".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
        RawHttp sender = put("keep_rows", "", body);
        await(() -> fake.holding.get() == 1);
        assertThat(memory.requests().usedBytes()).isGreaterThan(100_000 * 150L);
        fake.gate.countDown();
        assertThat(sender.reply().status()).isEqualTo(200);
        awaitNothingTaken();
        byte[] more = "{k=1};".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
        assertThat(put("copy_rows", "", more).reply().body()).contains("Send fewer rows at once");
        awaitNothingTaken();
    }

    @Test
    void treesAreCounted() throws Exception {
        String list = "[" + "1;".repeat(2_000_000) + "]";
        for (String format : new String[] {"yson", "json"}) {
            byte[] body =
                    (format.equals("yson") ? list : list.replace(";]", "]").replace(';', ','))
                            .getBytes(StandardCharsets.US_ASCII);
            RawHttp.Reply reply =
                    put("store", "X-YT-Input-Format: " + format + "\r\n", body).reply();
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.body()).contains("The request needs", "for requests");
            awaitNothingTaken();
        }
        byte[] parameters = ("{requests=" + list + "}").getBytes(StandardCharsets.US_ASCII);
        RawHttp.Reply reply =
                client().send(
                                "POST /api/v4/execute_batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                                        .formatted(parameters.length))
                        .send(parameters)
                        .reply();
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("The request needs", "for requests");
        awaitNothingTaken();
    }

    /// An answer that its client does not read stays in memory.
    @Test
    void largeAnswersOfManyClientsStayWithinTheMemory() throws Exception {
        List<RawHttp> readers = new ArrayList<>();
        for (int count = 0; count < 20; count++) {
            readers.add(
                    client().send(
                                    "GET /api/v4/large_list?count=200000 HTTP/1.1\r\n"
                                            + "Host: localhost\r\n\r\n"));
        }
        await(
                () ->
                        fake.answered.get() == readers.size()
                                && memory.results().figures().refusals() > 0);
        assertThat(memory.results().usedBytes()).isBetween(1L, memory.results().limitBytes());
        int refused = 0;
        for (RawHttp reader : readers) {
            RawHttp.Reply reply = reader.reply();
            if (reply.status() == 400) {
                refused++;
                assertThat(reply.header("X-YT-Response-Code")).isEqualTo("108");
                assertThat(reply.body())
                        .contains("The answer needs", "the server's memory for results is in use");
            }
        }
        assertThat(refused).isBetween(1, readers.size() - 1);
        awaitNothingTaken();
    }

    /// Clients that do not read their rows hold buffers.
    @Test
    void unreadRowsAreCounted() throws Exception {
        RawHttp client =
                client().send(
                                "GET /api/v4/many_rows?count=1000000000 HTTP/1.1\r\n"
                                        + "Host: localhost\r\n"
                                        + "Accept-Encoding: z-zstd_3\r\n\r\n");
        assertThat(client.read()).isEqualTo('H');
        assertThat(memory.results().usedBytes()).isGreaterThan(100 << 10);
        client.close();
        awaitNothingTaken();
    }
}
