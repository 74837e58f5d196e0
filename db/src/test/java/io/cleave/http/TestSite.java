package io.cleave.http;

import io.cleave.base.SystemEnv;
import io.cleave.memory.MemoryPool;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// A server with a few routes, for tests.
final class TestSite implements AutoCloseable {
    static final int MAX_ECHO_BYTES = 16;
    private static final int MAX_ARRIVING_BYTES = 64 << 20;
    static final int MAX_LONG_BYTES = 1 << 20;

    /// `/wait` answers when this is open.
    final CountDownLatch gate = new CountDownLatch(1);

    /// How many handlers of `/wait` have begun.
    final AtomicInteger begun = new AtomicInteger();

    /// How many parts of `/endless` were written.
    final AtomicInteger parts = new AtomicInteger();

    /// Opens when `/endless` has found that its client is gone.
    final CountDownLatch streamEnded = new CountDownLatch(1);

    /// Opens when the connection of an exchange is closed.
    final CountDownLatch closed = new CountDownLatch(1);

    private final HttpServer server;

    TestSite(HttpLimits limits) throws IOException {
        this(limits, new MemoryPool("requests", limits.bodyBytes(), new SystemEnv()));
    }

    TestSite(HttpLimits limits, MemoryPool pool) throws IOException {
        var env = new SystemEnv();
        var routes =
                new HttpRoutes()
                        .immediate("/health", HttpRoutes.Host.ANY, () -> Answer.text(200, "ok\n"))
                        .shared(
                                "/shared",
                                HttpRoutes.Host.CHECKED,
                                () -> Answer.text(200, "shared\n"))
                        .handled("GET", "/hello", 0, TestSite::hello)
                        .handled("POST", "/echo", MAX_ECHO_BYTES, TestSite::echo)
                        .handled("POST", "/long", MAX_LONG_BYTES, TestSite::length)
                        .handled("GET", "/wait", 0, _ -> await())
                        .handled("GET", "/numbers", 0, _ -> numbers())
                        .handled("GET", "/large", 0, _ -> Answer.text(200, "x".repeat(8 << 20)))
                        .handled("GET", "/broken", 0, _ -> brokenStream())
                        .handled("GET", "/error", 0, _ -> error())
                        .shared("/shared-error", HttpRoutes.Host.CHECKED, TestSite::error)
                        .handled("GET", "/endless", 0, _ -> endless())
                        .exchanged("/exchange/", MAX_LONG_BYTES, this::exchange)
                        .exchanged("/exchange/inner/", 0, TestSite::exchangeInner)
                        .exchanged(
                                "/prompt/",
                                MAX_LONG_BYTES,
                                TestSite::prompt,
                                _ -> false,
                                exchange -> exchange.answer(prompted(exchange.request(), "own")))
                        .exchanged(
                                "/arriving/",
                                MAX_ARRIVING_BYTES,
                                _ -> Optional.empty(),
                                _ -> true,
                                this::arriving);
        server =
                HttpServer.start(
                        env,
                        limits,
                        HostNames.of(env, List.of("given.example")),
                        new InetSocketAddress("localhost", 0),
                        routes,
                        pool);
    }

    int port() {
        return server.port();
    }

    HttpServer server() {
        return server;
    }

    RawHttp connect() throws IOException {
        return new RawHttp(port());
    }

    private static Answer hello(Request request) {
        String query = request.rawQuery().map(TestSite::query).orElse("");
        return Answer.text(200, request.method() + " " + request.path() + query + "\n");
    }

    private static String query(String text) {
        return text.length() > 100 ? " query of " + text.length() : " query " + text;
    }

    private static Answer echo(Request request) {
        return Answer.text(200, "'" + request.bodyText() + "'\n");
    }

    private static Answer length(Request request) {
        return Answer.text(200, request.bodyText().length() + "\n");
    }

    private static Answer error() {
        throw new StackOverflowError("meant to fail");
    }

    private Answer await() {
        begun.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return Answer.text(200, "done\n");
    }

    private void exchange(Exchange exchange) throws IOException {
        exchange.whenClosed(closed::countDown);
        Request request = exchange.request();
        try {
            switch (request.path()) {
                case "/exchange/stream" -> {
                    OutputStream out = exchange.begin(200, "text/plain", Map.of(), List.of("X-T"));
                    for (int number = 0; number < 20_000; number++) {
                        out.write((number + "\n").getBytes(StandardCharsets.US_ASCII));
                    }
                    exchange.trailer("X-T", "end");
                }
                case "/exchange/short" -> {
                    OutputStream out =
                            exchange.begin(201, "text/plain", Map.of("X-H", "h"), List.of("X-T"));
                    out.write('s');
                    exchange.trailer("X-T", "end");
                }
                case "/exchange/broken" -> {
                    OutputStream out = exchange.begin(200, "text/plain", Map.of(), List.of());
                    out.write('1');
                    out.flush();
                    throw new IllegalStateException("meant to fail");
                }
                case "/exchange/endless" -> {
                    OutputStream out = exchange.begin(200, "text/plain", Map.of(), List.of());
                    byte[] part = new byte[8 << 10];
                    while (true) {
                        out.write(part);
                        parts.incrementAndGet();
                    }
                }
                case "/exchange/nothing" -> {}
                case "/exchange/wait" -> exchange.answer(await());
                case "/exchange/injected" ->
                        exchange.answer(Answer.text(200, "").with("X-H", "a\r\nX-Evil: 1"));
                default ->
                        exchange.answer(
                                Answer.text(
                                        200,
                                        "%s %s %d bytes%s\n"
                                                .formatted(
                                                        request.method(),
                                                        request.path(),
                                                        request.bodyStream().readAllBytes().length,
                                                        request.hasProgramHeader()
                                                                ? " of a program"
                                                                : "")));
            }
        } catch (IOException e) {
            streamEnded.countDown();
            throw e;
        }
    }

    /// Reads a body while it arrives.
    private void arriving(Exchange exchange) throws IOException {
        Request request = exchange.request();
        try (InputStream body = request.bodyStream()) {
            switch (request.path()) {
                case "/arriving/unread" -> exchange.answer(Answer.text(400, "not read\n"));
                case "/arriving/error" -> throw new IllegalStateException("meant to fail");
                case "/arriving/stream" -> {
                    OutputStream out = exchange.begin(200, "text/plain", Map.of(), List.of());
                    out.write(
                            (body.readAllBytes().length + " left\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                }
                case "/arriving/wait" -> {
                    int first = body.read();
                    await();
                    int rest = body.readAllBytes().length;
                    exchange.answer(Answer.text(200, "%c and %d\n".formatted(first, rest)));
                }
                default -> {
                    String when = request.hasWholeBody() ? "whole" : "arriving";
                    int count = body.readAllBytes().length;
                    exchange.answer(Answer.text(200, "%d %s\n".formatted(count, when)));
                }
            }
        } catch (IOException e) {
            streamEnded.countDown();
            throw e;
        }
    }

    private static void exchangeInner(Exchange exchange) {
        exchange.answer(Answer.text(200, "inner " + exchange.request().path() + "\n"));
    }

    private static Optional<Answer> prompt(Request request) {
        return switch (request.path()) {
            case "/prompt/error" -> throw new StackOverflowError("meant to fail");
            case "/prompt/no" -> Optional.empty();
            default -> Optional.of(prompted(request, "network's"));
        };
    }

    private static Answer prompted(Request request, String whose) {
        return Answer.text(
                200, "%d bytes, on the %s thread\n".formatted(request.bodyLength(), whose));
    }

    private static Answer numbers() {
        return Answer.streamed(
                200,
                "text/plain",
                out -> {
                    for (int number = 0; number < 20_000; number++) {
                        out.write((number + "\n").getBytes(StandardCharsets.US_ASCII));
                    }
                });
    }

    private static Answer brokenStream() {
        return Answer.streamed(
                200,
                "text/plain",
                out -> {
                    out.write('1');
                    out.flush();
                    throw new IllegalStateException("meant to fail");
                });
    }

    private Answer endless() {
        return Answer.streamed(
                200,
                "text/plain",
                out -> {
                    byte[] part = new byte[8 << 10];
                    try {
                        while (true) {
                            out.write(part);
                            parts.incrementAndGet();
                        }
                    } finally {
                        streamEnded.countDown();
                    }
                });
    }

    @Override
    public void close() {
        gate.countDown();
        server.close();
    }
}
