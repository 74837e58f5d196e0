package io.cleave.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

class ConsoleTest {
    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> compacted = new CopyOnWriteArrayList<>();
    private volatile StatusException refusal;
    private Console console;

    @BeforeEach
    void start() throws IOException {
        console =
                Console.start(
                        new SystemEnv(), "localhost", 0, registry, this::askHealth, this::compact);
    }

    @AfterEach
    void stop() {
        console.close();
        client.close();
    }

    private boolean askHealth() {
        if (!healthy.get()) {
            throw new IllegalStateException("the log is gone");
        }
        return true;
    }

    @Test
    void healthIsAskedEveryTime() throws Exception {
        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/healthz").body()).isEqualTo("ok\n");

        healthy.set(false);

        assertThat(get("/healthz").statusCode()).isEqualTo(503);
        assertThat(get("/healthz").body()).contains("the log is gone");
    }

    @Test
    void metricsAreTheNodesAndTheJvms() throws Exception {
        registry.counter("cleave.commits").increment(3);

        String body = get("/metrics").body();

        assertThat(body).contains("cleave_commits_total 3.0");
        assertThat(body).contains("jvm_memory_used_bytes").contains("process_uptime_seconds");
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void theIndexNamesEveryPage() throws Exception {
        assertThat(get("/").body()).contains("/healthz").contains("/metrics");
    }

    @Test
    void anUnknownPageIsNotFound() throws Exception {
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
        assertThat(get("/nothing").body()).contains("/nothing").contains("/metrics");
    }

    @Test
    void aTableIsCompactedWhenItIsAskedFor() throws Exception {
        assertThat(post("/compact?table=/local/my%20table").body()).isEqualTo("ok\n");
        assertThat(compacted).containsExactly("/local/my table");

        assertThat(post("/compact").statusCode()).isEqualTo(400);
        assertThat(post("/metrics").statusCode()).isEqualTo(404);
        assertThat(get("/compact?table=t").statusCode()).isEqualTo(404);

        refusal = new StatusException(Status.UNAVAILABLE, "the disk is full");
        assertThat(post("/compact?table=t").statusCode()).isEqualTo(503);
        assertThat(post("/compact?table=t").body()).isEqualTo("UNAVAILABLE: the disk is full\n");
        assertThat(compacted).hasSize(1);
    }

    private void compact(String table) {
        if (refusal != null) {
            throw refusal;
        }
        compacted.add(table);
    }

    @Test
    void nothingIsDeleted() throws Exception {
        var delete = HttpRequest.newBuilder(address("/metrics")).DELETE().build();

        assertThat(client.send(delete, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }

    @Test
    void aTakenPortIsToldFromOtherFailures() {
        int taken = console.port();

        assertThatThrownBy(
                        () ->
                                Console.start(
                                        new SystemEnv(),
                                        "localhost",
                                        taken,
                                        registry,
                                        () -> true,
                                        this::compact))
                .isInstanceOf(BindException.class);
    }

    private HttpResponse<String> post(String path) throws Exception {
        var post = HttpRequest.newBuilder(address(path)).POST(BodyPublishers.noBody()).build();
        return client.send(post, BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(address(path)).build(), BodyHandlers.ofString());
    }

    private URI address(String path) {
        return URI.create("http://localhost:" + console.port() + path);
    }
}
