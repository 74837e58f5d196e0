package io.cleave.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/// The HTTP port of a node: pages of plain text, each made anew for every request, and what an
/// operator may ask for with a POST, such as `/compact?table=series`.
///
/// Threads: a virtual thread for each request, at most [#MAX_REQUESTS] at a time; one more is
/// answered 503 at once.
public final class Console implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Console.class.getName());
    private static final int MAX_REQUESTS = 64;
    private static final String PLAIN_TEXT = "text/plain; charset=utf-8";

    /// What Prometheus expects of its text format.
    private static final String METRICS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private static final String COMPACT = "/compact";
    private static final String TABLE = "table=";

    private final HttpServer server;
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final Map<String, Page> pages;
    private final Operations operations;

    private Console(HttpServer server, Map<String, Page> pages, Operations operations) {
        this.server = server;
        this.pages = pages;
        this.operations = operations;
    }

    /// Listens from now on. Health is asked on every `/healthz`: true is 200, false or an exception
    /// is 503. Throws [java.net.BindException] when the port is taken.
    public static Console start(
            Env env,
            String host,
            int port,
            PrometheusMeterRegistry registry,
            BooleanSupplier health,
            Operations operations)
            throws IOException {
        var metrics = new Metrics(registry);
        Map<String, Page> pages = new TreeMap<>();
        pages.put("/healthz", new Page("is the node answering", () -> healthAnswer(health)));
        pages.put("/metrics", new Page("for Prometheus", () -> metricsAnswer(metrics)));
        var server = HttpServer.create(new InetSocketAddress(host, port), 0);
        var console = new Console(server, pages, operations);
        server.setExecutor(request -> env.spawn("console", request));
        server.createContext("/", console::serve);
        server.start();
        return console;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void serve(HttpExchange exchange) throws IOException {
        if (!requests.tryAcquire()) {
            send(exchange, new Answer(503, PLAIN_TEXT, "busy\n"));
            return;
        }
        try {
            send(exchange, answer(exchange.getRequestMethod(), exchange.getRequestURI()));
        } finally {
            requests.release();
        }
    }

    private Answer answer(String method, URI uri) {
        String path = uri.getPath();
        if (method.equals("POST")) {
            return operate(path, uri.getQuery());
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return new Answer(405, PLAIN_TEXT, "only GET, HEAD and POST are answered here\n");
        }
        Page page = pages.get(path);
        if (page != null) {
            return page.content().answer();
        }
        return path.equals("/")
                ? new Answer(200, PLAIN_TEXT, index())
                : new Answer(404, PLAIN_TEXT, "no page " + path + "\n\n" + index());
    }

    /// Answers when it is done.
    private Answer operate(String path, @Nullable String query) {
        if (!path.equals(COMPACT)) {
            return new Answer(404, PLAIN_TEXT, "nothing can be asked for at " + path + "\n");
        }
        if (query == null || !query.startsWith(TABLE)) {
            return new Answer(400, PLAIN_TEXT, "which table? POST " + COMPACT + "?table=PATH\n");
        }
        try {
            operations.compact(query.substring(TABLE.length()));
            return new Answer(200, PLAIN_TEXT, "ok\n");
        } catch (StatusException e) {
            int code = e.status() == Status.UNAVAILABLE ? 503 : 400;
            return new Answer(code, PLAIN_TEXT, e.getMessage() + "\n");
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, path + " failed", e);
            return new Answer(500, PLAIN_TEXT, e + "\n");
        }
    }

    private String index() {
        var text = new StringBuilder("Cleave\n\n");
        pages.forEach((path, page) -> text.append("%-10s %s%n".formatted(path, page.title())));
        text.append("%nPOST %s?table=PATH  rewrite a table's files%n".formatted(COMPACT));
        return text.toString();
    }

    private static Answer healthAnswer(BooleanSupplier health) {
        try {
            return health.getAsBoolean()
                    ? new Answer(200, PLAIN_TEXT, "ok\n")
                    : new Answer(503, PLAIN_TEXT, "not answering\n");
        } catch (RuntimeException e) {
            return new Answer(503, PLAIN_TEXT, "not answering: " + e.getMessage() + "\n");
        }
    }

    private static Answer metricsAnswer(Metrics metrics) {
        return new Answer(200, METRICS_TEXT, metrics.scrape());
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        try (exchange) {
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(answer.code(), -1);
                return;
            }
            exchange.sendResponseHeaders(answer.code(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private record Answer(int code, String contentType, String body) {}

    private record Page(String title, Content content) {}

    private interface Content {
        Answer answer();
    }
}
