package io.cleave.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryPool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Handlers that read a body while it arrives.
class ArrivingBodyTest {
    /// Long enough for a part of a body to be sent.
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int POOL_BYTES = 1 << 20;

    /// More than the buffers of sockets and the pool have together.
    private static final int HUGE_BYTES = 32 << 20;

    private static final String LONG_PART = "x".repeat(100 << 10);

    private final MemoryPool pool = new MemoryPool("requests", POOL_BYTES, new SystemEnv());
    private final List<RawHttp> clients = new ArrayList<>();
    private TestSite site;

    @AfterEach
    void close() throws IOException {
        for (RawHttp client : clients) {
            client.close();
        }
        site.close();
    }

    private void start(int requests, Duration bodyTime) throws IOException {
        var limits =
                new HttpLimits(
                        100,
                        100,
                        requests,
                        requests,
                        8 << 10,
                        16 << 10,
                        100,
                        POOL_BYTES,
                        POOL_BYTES,
                        LONG,
                        bodyTime,
                        LONG,
                        LONG,
                        LONG);
        site = new TestSite(limits, pool);
    }

    private RawHttp client() throws IOException {
        var client = new RawHttp(site.port());
        clients.add(client);
        return client;
    }

    private static String post(String path, String more) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\nX-Cleave: 1\r\n%s\r\n\r\n"
                .formatted(path, more);
    }

    private static String post(String path, int length) {
        return post(path, "Content-Length: " + length);
    }

    private static String chunked(String path) {
        return post(path, "Transfer-Encoding: chunked");
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            assertThat(tries).as("tries").isLessThan(30_000);
            Thread.sleep(1);
        }
    }

    /// Waits until nothing of any request is left.
    private void awaitNothing() throws InterruptedException {
        await(() -> site.server().requests() == 0);
        await(() -> pool.usedBytes() == 0);
    }

    @Test
    void theHandlerOfALongBodyBeginsBeforeItsEnd() throws Exception {
        start(10, LONG);
        RawHttp client = client().send(chunked("/arriving/wait") + chunk("y" + LONG_PART));
        await(() -> site.begun.get() == 1);
        site.gate.countDown();
        client.send(chunk("z") + "0\r\n\r\n");
        RawHttp.Reply reply = client.reply();
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("y and " + (LONG_PART.length() + 1) + "\n");
        awaitNothing();
    }

    @Test
    void aShortBodyIsWholeWhenItsHandlerBegins() throws Exception {
        start(10, LONG);
        assertThat(client().send(chunked("/arriving/") + chunk("abc") + "0\r\n\r\n").reply().body())
                .isEqualTo("3 whole\n");
        assertThat(client().send(post("/arriving/", 3) + "abc").reply().body())
                .isEqualTo("3 whole\n");
        awaitNothing();
    }

    @Test
    void aBodyOfWhichMoreHasArrivedThanFitsWaitsForItsReader() throws Exception {
        start(10, LONG);
        RawHttp client = client();
        byte[] body = "b".repeat(HUGE_BYTES).getBytes(StandardCharsets.US_ASCII);
        var sent =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                client.send(post("/arriving/wait", HUGE_BYTES)).send(body);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        await(() -> site.begun.get() == 1);
        await(() -> pool.usedBytes() > HttpLimits.UNREAD_BODY_BYTES);
        assertThat(sent).isNotDone();
        site.gate.countDown();
        assertThat(client.reply().body()).isEqualTo("b and " + (HUGE_BYTES - 1) + "\n");
        sent.join();
        assertThat(client.send(post("/arriving/", 1) + "a").reply().body()).isEqualTo("1 whole\n");
        awaitNothing();
    }

    @Test
    void anAnswerThatNeedsNoBodyIsSentAfterTheBody() throws Exception {
        start(10, LONG);
        for (String path : List.of("/arriving/unread", "/arriving/error")) {
            RawHttp client = client().send(post(path, HUGE_BYTES));
            client.send(new byte[HUGE_BYTES]);
            assertThat(client.reply().status()).isEqualTo(path.endsWith("error") ? 500 : 400);
            assertThat(client.send(post("/arriving/", 1) + "a").reply().body())
                    .isEqualTo("1 whole\n");
        }
        awaitNothing();
    }

    @Test
    void anAnswerThatBeginsDropsTheRestOfTheBody() throws Exception {
        start(10, LONG);
        RawHttp client = client().send(post("/arriving/stream", HUGE_BYTES));
        client.send(new byte[HUGE_BYTES]);
        assertThat(client.reply().body()).isEqualTo("0 left\n");
        awaitNothing();
    }

    @Test
    void aBodyThatStopsHalfwayFailsForItsReader() throws Exception {
        start(10, LONG);
        RawHttp client = client().send(post("/arriving/", HUGE_BYTES) + LONG_PART);
        await(() -> site.server().requests() == 1);
        client.close();
        assertThat(site.streamEnded.await(30, TimeUnit.SECONDS)).isTrue();
        awaitNothing();
    }

    @Test
    void aBodyThatIsNotWellFormedFailsForItsReader() throws Exception {
        start(10, LONG);
        RawHttp client = client().send(chunked("/arriving/") + chunk(LONG_PART));
        await(() -> site.server().requests() == 1);
        client.send("no length\r\n");
        assertThat(client.reply().status()).isEqualTo(400);
        assertThat(site.streamEnded.await(30, TimeUnit.SECONDS)).isTrue();
        awaitNothing();
    }

    @Test
    void aBodyThatIsTooSlowFailsForItsReader() throws Exception {
        start(10, SHORT);
        RawHttp client = client().send(post("/arriving/", HUGE_BYTES) + LONG_PART);
        assertThat(client.reply().status()).isEqualTo(408);
        assertThat(site.streamEnded.await(30, TimeUnit.SECONDS)).isTrue();
        awaitNothing();
    }

    @Test
    void slowBodiesTakeHalfOfTheHandlers() throws Exception {
        start(4, LONG);
        for (int count = 0; count < 2; count++) {
            client().send(post("/arriving/", HUGE_BYTES) + LONG_PART);
        }
        await(() -> site.server().requests() == 2);
        // The handlers have read what has arrived.
        await(() -> pool.usedBytes() == 0);
        RawHttp third = client().send(post("/arriving/", LONG_PART.length() + 1) + LONG_PART);
        await(() -> pool.usedBytes() >= LONG_PART.length());
        assertThat(site.server().requests()).isEqualTo(2);
        assertThat(client().send(post("/arriving/", 3) + "abc").reply().body())
                .isEqualTo("3 whole\n");
        third.send("z");
        assertThat(third.reply().body()).isEqualTo(LONG_PART.length() + 1 + " whole\n");
    }

    @Test
    void requestsOfOneConnectionFollowEachOther() throws Exception {
        start(10, LONG);
        var all = new StringBuilder();
        for (int count = 0; count < 20; count++) {
            int length = (count % 3) * LONG_PART.length();
            all.append(post("/arriving/", length + 1)).append("x".repeat(length + 1));
        }
        RawHttp client = client();
        var sent =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                client.send(all.toString());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        for (int count = 0; count < 20; count++) {
            int length = (count % 3) * LONG_PART.length();
            assertThat(client.reply().body()).startsWith(length + 1 + " ");
        }
        sent.join();
        awaitNothing();
    }

    /// What has arrived of later requests is held, and the client waits.
    @Test
    void manyRequestsMayBeSentBeforeTheFirstAnswer() throws Exception {
        start(10, LONG);
        int count = 3_000;
        RawHttp client = client();
        var sent =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                client.send((post("/arriving/", 1) + "a").repeat(count));
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        for (int at = 0; at < count; at++) {
            assertThat(client.reply().body()).isEqualTo("1 whole\n");
        }
        sent.join();
        awaitNothing();
    }

    /// The memory that a body of many tiny chunks takes is about its length.
    @Test
    void tinyChunksAreJoined() throws Exception {
        var parts = new BodyParts();
        for (int count = 0; count < 100_000; count++) {
            parts.add(new byte[] {(byte) count});
        }
        List<byte[]> all = parts.all();
        assertThat(all).hasSizeLessThan(10);
        int at = 0;
        for (byte[] part : all) {
            for (byte octet : part) {
                assertThat(octet).isEqualTo((byte) at++);
            }
        }
        assertThat(at).isEqualTo(100_000);
        start(10, LONG);
    }
}
