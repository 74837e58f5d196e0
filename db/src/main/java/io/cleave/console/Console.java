package io.cleave.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.cleave.base.Env;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/// The HTTP port of a node: health, metrics, and what an operator may look at and ask for; each
/// page is made anew for every request.
///
/// Threads: a virtual thread for each request, at most [#MAX_REQUESTS] at a time; one more is
/// answered 503 at once.
public final class Console implements AutoCloseable {
    private static final int MAX_REQUESTS = 64;
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");

    /// What Prometheus expects of its text format.
    private static final String METRICS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final Map<String, Page> pages;
    private final OperatorPages operatorPages;

    private Console(HttpServer server, Map<String, Page> pages, OperatorPages operatorPages) {
        this.server = server;
        this.pages = pages;
        this.operatorPages = operatorPages;
    }

    /// Listens from now on. Health is asked on every `/healthz`, see [Health]. Throws
    /// [java.net.BindException] when the port is taken.
    public static Console start(
            Env env,
            String host,
            int port,
            PrometheusMeterRegistry registry,
            Health health,
            Operations operations)
            throws IOException {
        var metrics = new Metrics(registry);
        Map<String, Page> pages = new TreeMap<>();
        pages.put("/healthz", new Page("is the node answering", () -> healthAnswer(health)));
        pages.put("/metrics", new Page("for Prometheus", () -> metricsAnswer(metrics)));
        var server = HttpServer.create(new InetSocketAddress(host, port), 0);
        var console = new Console(server, pages, new OperatorPages(operations));
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
            send(exchange, Answer.text(503, "busy\n"));
            return;
        }
        try {
            send(exchange, answer(exchange));
        } finally {
            requests.release();
        }
    }

    private Answer answer(HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        if (!METHODS.contains(method)) {
            return Answer.text(405, "only GET, HEAD and POST are answered here\n");
        }
        URI uri = exchange.getRequestURI();
        Page page = pages.get(uri.getPath());
        if (page != null && !method.equals("POST")) {
            return page.content().answer();
        }
        return operatorPages
                .answer(method, uri.getPath(), uri.getRawQuery(), wantsText(exchange))
                .orElseGet(() -> indexAnswer(method, uri.getPath()));
    }

    private Answer indexAnswer(String method, String path) {
        return path.equals("/") && !method.equals("POST")
                ? Answer.text(200, index())
                : Answer.text(404, "there is no " + method + " " + path + "\n\n" + index());
    }

    private static boolean wantsText(HttpExchange exchange) {
        String accepted = exchange.getRequestHeaders().getFirst("Accept");
        return accepted != null && accepted.startsWith("text/plain");
    }

    private String index() {
        var text = new StringBuilder("Cleave\n\n");
        pages.forEach(
                (path, page) -> text.append("%-50s %s%n".formatted("GET " + path, page.title())));
        return text.append(operatorPages.index()).toString();
    }

    private static Answer healthAnswer(Health health) {
        try {
            return health.isWell()
                    ? Answer.text(
                            200, "ok\n" + health.warning().map(text -> text + "\n").orElse(""))
                    : Answer.text(503, "not answering\n");
        } catch (RuntimeException e) {
            return Answer.text(503, "not answering: " + e.getMessage() + "\n");
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

    private record Page(String title, Content content) {}

    private interface Content {
        Answer answer();
    }
}
