package io.cleave.console;

import io.cleave.base.Env;
import io.cleave.http.Answer;
import io.cleave.http.HostNames;
import io.cleave.http.HttpLimits;
import io.cleave.http.HttpRoutes;
import io.cleave.http.HttpServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The HTTP port of a node: health, metrics, and the pages and requests for operators. Each page is
/// generated anew for every request.
///
/// Health and metrics are exempt from the limits of [HttpLimits], so that they always answer.
public final class Console implements AutoCloseable {
    /// The content type of Prometheus's text format.
    private static final String METRICS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;

    private Console(HttpServer server) {
        this.server = server;
    }

    /// Starts listening. `names` are additional host names that requests may use. [Health] is asked
    /// for every `/healthz` request, on a network thread, so it must not block. Throws
    /// [java.net.BindException] if the port is taken.
    public static Console start(
            Env env,
            String host,
            int port,
            Collection<String> names,
            PrometheusMeterRegistry registry,
            Health health,
            OperatorAccess operators)
            throws IOException {
        var metrics = new Metrics(registry);
        var pages = new OperatorPages(operators);
        String index = index(pages);
        var routes =
                new HttpRoutes()
                        // The answer contains nothing confidential, so any host name is accepted.
                        .immediate("/healthz", HttpRoutes.Host.ANY, () -> healthAnswer(health))
                        .shared(
                                "/metrics",
                                HttpRoutes.Host.CHECKED,
                                () -> Answer.of(200, METRICS_TEXT, metrics.scrape()))
                        .immediate("/", HttpRoutes.Host.CHECKED, () -> Answer.text(200, index))
                        .otherwise(what -> "there is no " + what + "\n\n" + index);
        pages.addTo(routes);
        List<String> known = new ArrayList<>(names);
        known.add(host);
        var server =
                HttpServer.start(
                        env,
                        HttpLimits.DEFAULT,
                        HostNames.of(env, known),
                        new InetSocketAddress(host, port),
                        routes);
        meter(registry, server);
        return new Console(server);
    }

    private static void meter(PrometheusMeterRegistry registry, HttpServer server) {
        Gauge.builder("cleave.http.connections", server, HttpServer::connections)
                .description("Connections of the HTTP port")
                .register(registry);
        Gauge.builder("cleave.http.requests", server, HttpServer::requests)
                .description("Requests of the HTTP port in progress")
                .register(registry);
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }

    private static String index(OperatorPages pages) {
        return "Cleave\n\n%-50s %s%n%-50s %s%n%s"
                .formatted(
                        "GET /healthz",
                        "whether the node is healthy",
                        "GET /metrics",
                        "metrics for Prometheus",
                        pages.index());
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
}
