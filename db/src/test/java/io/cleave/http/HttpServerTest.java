package io.cleave.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryPool;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The bounds of a server: on time, on connections, on requests, and on what is not read.
class HttpServerTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String PARTIAL = "GET /hello HTTP/1.1\r\nHost: loc";

    private final List<RawHttp> clients = new ArrayList<>();
    private TestSite site;

    @AfterEach
    void close() throws IOException {
        for (RawHttp client : clients) {
            client.close();
        }
        site.close();
    }

    /// Limits of which only one can be met in a test.
    private static HttpLimits limits(
            int connections, int peerConnections, int requests, int peerRequests) {
        return new HttpLimits(
                connections,
                peerConnections,
                requests,
                peerRequests,
                8 << 10,
                16 << 10,
                100,
                1000,
                1000,
                LONG,
                LONG,
                LONG,
                LONG,
                LONG);
    }

    private static HttpLimits times(Duration head, Duration body, Duration idle, Duration send) {
        HttpLimits some = limits(100, 100, 10, 10);
        return new HttpLimits(
                some.connections(),
                some.peerConnections(),
                some.requests(),
                some.peerRequests(),
                some.requestLineBytes(),
                some.headerBytes(),
                some.headers(),
                some.bodyBytes(),
                some.peerBodyBytes(),
                head,
                body,
                idle,
                send,
                SHORT);
    }

    private RawHttp client() throws IOException {
        return client("127.0.0.1");
    }

    private RawHttp client(String from) throws IOException {
        var client = new RawHttp(site.port(), from);
        clients.add(client);
        return client;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static String post(String path, int length) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\nX-Cleave: 1\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, length);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            assertThat(tries).as("tries").isLessThan(30_000);
            Thread.sleep(1);
        }
    }

    @Test
    void headersHaveToComeInTime() throws IOException {
        site = new TestSite(times(SHORT, LONG, LONG, LONG));
        RawHttp slow = client().send(PARTIAL);
        RawHttp.Reply reply = slow.reply();
        assertThat(reply.status()).isEqualTo(408);
        assertThat(reply.body()).contains("headers", "100 ms");
        assertThat(slow.isClosed()).isTrue();
    }

    @Test
    void aHeaderLineNowAndThenIsNotInTime() throws Exception {
        site = new TestSite(times(SHORT, LONG, LONG, LONG));
        RawHttp slow = client().send("GET /hello HTTP/1.1\r\n");
        try {
            while (site.server().connections() > 0) {
                slow.send("X: y\r\n");
                Thread.sleep(5);
            }
        } catch (IOException _) {
            // The server has closed.
        }
        await(() -> site.server().connections() == 0);
    }

    @Test
    void bodiesHaveToComeInTime() throws IOException {
        site = new TestSite(times(LONG, SHORT, LONG, LONG));
        RawHttp slow = client().send(post("/echo", 5) + "hel");
        RawHttp.Reply reply = slow.reply();
        assertThat(reply.status()).isEqualTo(408);
        assertThat(reply.body()).contains("body", "100 ms");
        assertThat(slow.isClosed()).isTrue();
    }

    @Test
    void idleConnectionsAreClosed() throws IOException {
        // Long enough for a request to be sent.
        site = new TestSite(times(LONG, LONG, Duration.ofSeconds(2), LONG));
        assertThat(client().isClosed()).isTrue();
        RawHttp used = client().send(get("/hello"));
        assertThat(used.reply().status()).isEqualTo(200);
        assertThat(used.isClosed()).isTrue();
    }

    @Test
    void whoDoesNotReadHisAnswerIsClosed() throws Exception {
        site = new TestSite(times(LONG, LONG, LONG, SHORT));
        assertThat(client().send(get("/large")).read()).isEqualTo('H');
        await(() -> site.server().connections() == 0);
        await(() -> site.server().requests() == 0);
    }

    @Test
    void largeAnswersComeWhole() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send(get("/large") + get("/hello"));
        assertThat(client.reply().body()).hasSize(8 << 20);
        assertThat(client.reply().status()).isEqualTo(200);
    }

    @Test
    void streamsComeInChunks() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send(get("/numbers") + get("/hello"));
        RawHttp.Reply reply = client.reply();
        assertThat(reply.header("Transfer-Encoding")).isEqualTo("chunked");
        assertThat(reply.body()).startsWith("0\n1\n2\n").endsWith("\n19999\n").hasSize(108_890);
        assertThat(client.reply().status()).isEqualTo(200);
    }

    @Test
    void streamsOfOldClientsEndWithTheConnection() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send("GET /numbers HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        RawHttp.Reply reply = client.reply();
        assertThat(reply.header("Connection")).isEqualTo("close");
        assertThat(reply.body()).endsWith("\n19999\n").hasSize(108_890);
    }

    @Test
    void halfAStreamIsNotTakenForAWholeOne() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send(get("/broken"));
        assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
    }

    @Test
    void aStreamWaitsForItsClientAndThenGivesUp() throws Exception {
        site = new TestSite(times(LONG, LONG, LONG, SHORT));
        client().send(get("/endless"));
        assertThat(site.streamEnded.await(30, TimeUnit.SECONDS)).isTrue();
        await(() -> site.server().requests() == 0 && site.server().connections() == 0);
    }

    @Test
    void aStreamEndsWhenItsClientIsGone() throws Exception {
        site = new TestSite(times(LONG, LONG, LONG, LONG));
        client().send(get("/endless"));
        await(() -> site.parts.get() > 0);
        clients.getFirst().close();
        assertThat(site.streamEnded.await(30, TimeUnit.SECONDS)).isTrue();
        await(() -> site.server().requests() == 0);
    }

    @Test
    void requestsAtOnceAreBounded() throws Exception {
        site = new TestSite(limits(100, 100, 3, 2));
        RawHttp first = client().send(get("/wait"));
        client().send(get("/wait"));
        await(() -> site.begun.get() == 2);
        RawHttp third = client().send(get("/wait"));
        RawHttp.Reply refused = third.reply();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body()).contains("2 requests from this address");

        client("127.0.0.2").send(get("/wait"));
        await(() -> site.begun.get() == 3);
        RawHttp.Reply full = client("127.0.0.3").send(get("/wait")).reply();
        assertThat(full.body()).contains("3 requests are in progress");
        assertThat(third.send(get("/health")).reply().status()).isEqualTo(200);
        assertThat(third.send(get("/shared")).reply().status()).isEqualTo(200);

        site.gate.countDown();
        assertThat(first.reply().body()).isEqualTo("done\n");
        await(() -> site.server().requests() == 0);
        assertThat(third.send(get("/wait")).reply().status()).isEqualTo(200);
    }

    /// An error that is no exception, as of a stack that is too deep, leaves nothing taken either.
    @Test
    void whateverAHandlerThrowsIsAnswered() throws Exception {
        site = new TestSite(limits(100, 100, 3, 2));
        RawHttp client = client();
        for (int round = 0; round < 5; round++) {
            assertThat(client.send(get("/error")).reply().status()).isEqualTo(500);
            assertThat(client.send(get("/shared-error")).reply().status()).isEqualTo(500);
        }
        await(() -> site.server().requests() == 0);
    }

    @Test
    void aNewConnectionTakesThePlaceOfTheOldestThatDoesNothing() throws Exception {
        site = new TestSite(limits(4, 4, 3, 3));
        RawHttp working = client().send(get("/wait"));
        await(() -> site.begun.get() == 1);
        RawHttp partial = client().send(PARTIAL);
        await(() -> site.server().connections() == 2);
        RawHttp bodiless = client().send(post("/echo", 5));
        await(() -> site.server().connections() == 3);
        RawHttp idle = client();
        await(() -> site.server().connections() == 4);

        RawHttp next = client().send(get("/health"));
        assertThat(next.reply().status()).isEqualTo(200);
        assertThat(partial.isClosed()).isTrue();
        assertThat(client().send(get("/health")).reply().status()).isEqualTo(200);
        assertThat(bodiless.isClosed()).isTrue();
        assertThat(client().send(get("/health")).reply().status()).isEqualTo(200);
        assertThat(idle.isClosed()).isTrue();
        assertThat(site.server().connections()).isEqualTo(4);

        site.gate.countDown();
        assertThat(working.reply().body()).isEqualTo("done\n");
    }

    @Test
    void aPeerWithManyConnectionsLosesThemBeforeOthersDo() throws Exception {
        site = new TestSite(limits(6, 4, 3, 3));
        RawHttp lonely = client("127.0.0.2").send(PARTIAL);
        await(() -> site.server().connections() == 1);
        List<RawHttp> crowd = new ArrayList<>();
        for (int count = 0; count < 4; count++) {
            crowd.add(client("127.0.0.3").send(PARTIAL));
            int connections = count + 2;
            await(() -> site.server().connections() == connections);
        }
        for (int count = 0; count < 4; count++) {
            crowd.add(client("127.0.0.3").send(PARTIAL));
            assertThat(crowd.get(count).isClosed()).isTrue();
        }
        client("127.0.0.4").send(PARTIAL);
        await(() -> site.server().connections() == 6);
        client("127.0.0.5").send(PARTIAL);
        assertThat(crowd.get(4).isClosed()).isTrue();
        lonely.send("alhost\r\n\r\n");
        assertThat(lonely.reply().status()).isEqualTo(200);
    }

    @Test
    void bodiesAreBoundedTogether() throws Exception {
        site = new TestSite(limits(100, 100, 10, 10));
        RawHttp first = client().send(post("/long", 700)).send("x".repeat(600));
        await(() -> site.server().bodies().bytes() == 600);
        RawHttp.Reply refused = client().send(post("/long", 600)).send("x".repeat(600)).reply();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("1000 bytes");
        assertThat(first.send("x".repeat(100)).reply().body()).isEqualTo("700\n");
        client().send(post("/long", 700)).send("x".repeat(600)).close();
        await(() -> site.server().bodies().bytes() == 0);
    }

    /// A peer may have only its share, so that others have theirs.
    @Test
    void bodiesOfOnePeerAreBounded() throws Exception {
        HttpLimits some = limits(100, 100, 10, 10);
        site = new TestSite(withPeerBodies(some, 500));
        client().send(post("/long", 700)).send("x".repeat(400));
        await(() -> site.server().bodies().bytes() == 400);
        RawHttp.Reply refused = client().send(post("/long", 600)).send("x".repeat(200)).reply();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("from this address", "500 bytes");
        RawHttp other = client("127.0.0.2").send(post("/long", 500)).send("x".repeat(500));
        assertThat(other.reply().body()).isEqualTo("500\n");
    }

    private static HttpLimits withPeerBodies(HttpLimits some, long peerBodyBytes) {
        return new HttpLimits(
                some.connections(),
                some.peerConnections(),
                some.requests(),
                some.peerRequests(),
                some.requestLineBytes(),
                100_000,
                some.headers(),
                some.bodyBytes(),
                peerBodyBytes,
                some.headTime(),
                some.bodyTime(),
                some.idleTime(),
                some.sendTime(),
                some.lingerTime());
    }

    /// What a head has beyond 16 KiB counts like a body, from its arrival to the answer.
    @Test
    void longHeadsAreBoundedTogether() throws Exception {
        site = new TestSite(withPeerBodies(limits(100, 100, 10, 10), 1000));
        String half = "GET /wait HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(17_000);
        RawHttp first = client().send(half);
        await(() -> site.server().bodies().bytes() > 600);
        assertThat(client().send(half).reply().status()).isEqualTo(503);
        first.send("\r\n\r\n");
        await(() -> site.begun.get() == 1);
        assertThat(site.server().bodies().bytes()).isGreaterThan(600);
        site.gate.countDown();
        assertThat(first.reply().body()).isEqualTo("done\n");
        await(() -> site.server().bodies().bytes() == 0);
        client().send(half).close();
        await(() -> site.server().connections() <= 2 && site.server().bodies().bytes() == 0);
    }

    @Test
    void memoryOfBodiesIsTakenFromThePool() throws Exception {
        var pool = new MemoryPool("requests", 800, new SystemEnv());
        site = new TestSite(limits(100, 100, 10, 10), pool);
        client().send(post("/long", 700)).send("x".repeat(600));
        await(() -> pool.usedBytes() == 600);
        RawHttp.Reply refused = client().send(post("/long", 600)).send("x".repeat(300)).reply();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("the server's memory for requests");
        clients.getFirst().close();
        await(() -> pool.usedBytes() == 0);
    }

    @Test
    void anExchangeWaitsForItsClientAndThenGivesUp() throws Exception {
        site = new TestSite(times(LONG, LONG, LONG, SHORT));
        client().send(get("/exchange/endless"));
        assertThat(site.streamEnded.await(30, TimeUnit.SECONDS)).isTrue();
        await(() -> site.server().requests() == 0 && site.server().connections() == 0);
        assertThat(site.parts.get()).isLessThan(10_000);
        assertThat(site.closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anExchangeEndsItsBodyWithTrailers() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send(get("/exchange/stream") + get("/exchange/x"));
        RawHttp.Reply reply = client.reply();
        assertThat(reply.body()).endsWith("\n19999\n").hasSize(108_890);
        assertThat(reply.header("Trailer")).isEqualTo("X-T");
        assertThat(reply.trailers()).containsExactly("X-T: end");
        assertThat(client.reply().body()).isEqualTo("GET /exchange/x 0 bytes\n");
    }

    @Test
    void halfAnExchangeIsNotTakenForAWholeOne() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send(get("/exchange/broken"));
        assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
    }

    @Test
    void aLargeBodyIsReadInItsParts() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send(post("/exchange/x", 1 << 20)).send("x".repeat(1 << 20));
        assertThat(client.reply().body()).contains(" 1048576 bytes");
    }

    @Test
    void whatEndsItsSendingIsAnswered() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp client = client().send(get("/wait") + get("/hello"));
        client.endSending();
        site.gate.countDown();
        assertThat(client.reply().body()).isEqualTo("done\n");
        assertThat(client.reply().body()).isEqualTo("GET /hello\n");
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void answersCannotBeEmbeddedByOtherPages() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
        RawHttp.Reply reply = client().send(get("/hello")).reply();
        assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(reply.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.header("Date")).endsWith(" GMT");
    }
}
