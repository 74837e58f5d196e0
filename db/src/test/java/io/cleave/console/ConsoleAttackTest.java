package io.cleave.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.SystemEnv;
import io.cleave.http.RawHttp;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// What hostile clients and hostile web pages do to the port of a node, written byte by byte.
class ConsoleAttackTest {
    private static final int ATTACKERS = 600;

    private final List<RawHttp> attackers = new ArrayList<>();
    private final AskedFor asked = new AskedFor();
    private Console console;

    @BeforeEach
    void start() throws IOException {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        console =
                Console.start(
                        new SystemEnv(), "localhost", 0, List.of(), registry, () -> true, asked);
    }

    @AfterEach
    void stop() throws IOException {
        for (RawHttp attacker : attackers) {
            attacker.close();
        }
        console.close();
    }

    /// Each of these begins a request and does not end it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /tablets?table=t HT",
                "GET /tablets?table=t HTTP/1.1\r\nHost: localhost\r\nX: ",
                "POST /compact?table=t HTTP/1.1\r\nHost: localhost\r\nX-Cleave: 1\r\n"
                        + "Content-Length: 100\r\n\r\n",
                "POST /compact?table=t HTTP/1.1\r\nHost: localhost\r\nX-Cleave: 1\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
                "POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
            })
    void healthIsAnsweredBesideUnfinishedRequests(String beginning) throws IOException {
        for (int count = 0; count < ATTACKERS; count++) {
            attackers.add(new RawHttp(console.port()).send(beginning));
        }
        assertHealthy();
    }

    @Test
    void healthIsAnsweredWhileOperationsTakeLong() throws IOException {
        asked.gate = new CountDownLatch(1);
        try {
            for (int count = 0; count < ATTACKERS; count++) {
                attackers.add(
                        new RawHttp(console.port()).send(post("Host: localhost", "X-Cleave: 1")));
            }
            assertHealthy();
        } finally {
            asked.gate.countDown();
        }
    }

    private void assertHealthy() throws IOException {
        for (String page : List.of("/healthz", "/metrics", "/healthz")) {
            try (var client = new RawHttp(console.port())) {
                client.send("GET " + page + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(client.reply().status()).isEqualTo(200);
            }
        }
    }

    /// A form or an image of any page that a developer visits can send these.
    @Test
    void aWebPageCannotPost() throws IOException {
        assertRefused(post("Host: localhost"), "X-Cleave: 1");
        assertRefused(
                post("Host: localhost", "Content-Type: application/x-www-form-urlencoded"),
                "application/json");
        assertRefused(post("Host: localhost", "Content-Type: text/plain"), "application/json");
        assertRefused(
                post("Host: localhost", "X-Cleave: 1", "Origin: http://evil.example"), "Origin");
        assertRefused(post("Host: localhost", "X-Cleave: 1", "Origin: null"), "Origin");
        assertThat(asked.calls).isEmpty();

        assertThat(answer(post("Host: localhost", "X-Cleave: 1")).status()).isEqualTo(200);
        assertThat(answer(post("Host: localhost", "Content-Type: application/json")).status())
                .isEqualTo(200);
        assertThat(asked.calls).hasSize(2);
    }

    /// A name of the attacker's that has come to mean 127.0.0.1 makes our port part of his page.
    @Test
    void aNameThatIsNotOursGetsNothing() throws IOException {
        String own = "Origin: http://evil.example:" + console.port();
        String host = "Host: evil.example:" + console.port();
        assertRefused(post(host, own, "X-Cleave: 1"), "--http-host");
        for (String path : List.of("/tablets?table=t", "/why?table=t", "/bundles", "/metrics")) {
            assertRefused("GET " + path + " HTTP/1.1\r\n" + host + "\r\n\r\n", "--http-host");
        }
        assertThat(asked.calls).isEmpty();
    }

    private void assertRefused(String request, String word) throws IOException {
        RawHttp.Reply reply = answer(request);
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.body()).contains(word);
    }

    private RawHttp.Reply answer(String request) throws IOException {
        try (var client = new RawHttp(console.port())) {
            return client.send(request).reply();
        }
    }

    private static String post(String... headers) {
        return "POST /compact?table=t HTTP/1.1\r\n"
                + String.join("\r\n", headers)
                + "\r\nContent-Length: 0\r\n\r\n";
    }
}
