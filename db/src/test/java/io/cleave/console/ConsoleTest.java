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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

class ConsoleTest {
    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private final AtomicReference<Optional<String>> warning =
            new AtomicReference<>(Optional.empty());
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HttpClient client = HttpClient.newHttpClient();
    private final AskedFor asked = new AskedFor();
    private Console console;

    @BeforeEach
    void start() throws IOException {
        console =
                Console.start(
                        new SystemEnv(),
                        "localhost",
                        0,
                        List.of(),
                        registry,
                        new Health() {
                            @Override
                            public boolean isWell() {
                                return askHealth();
                            }

                            @Override
                            public Optional<String> warning() {
                                return warning.get();
                            }
                        },
                        asked);
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
    void aHealthyNodeMayWarn() throws Exception {
        warning.set(Optional.of("the disk is almost full"));

        assertThat(get("/healthz").statusCode()).isEqualTo(200);
        assertThat(get("/healthz").body()).isEqualTo("ok\nthe disk is almost full\n");
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
        assertThat(get("/").body())
                .contains("GET /healthz", "GET /metrics", "GET /tablets?table=PATH")
                .contains("POST /compact", "POST /split", "POST /merge", "POST /move");
    }

    @Test
    void anUnknownPageIsNotFound() throws Exception {
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
        assertThat(get("/nothing").body()).contains("/nothing").contains("/metrics");
    }

    @Test
    void aTableIsCompactedWhenItIsAskedFor() throws Exception {
        assertThat(post("/compact?table=/local/my%20table").body()).isEqualTo("{}\n");
        assertThat(asText("POST", "/compact?table=/local/my%20table").body()).isEqualTo("ok\n");
        assertThat(asked.calls).containsOnly("compact /local/my table").hasSize(2);

        assertThat(post("/compact").statusCode()).isEqualTo(400);
        assertThat(post("/metrics").statusCode()).isEqualTo(405);
        assertThat(get("/compact?table=t").statusCode()).isEqualTo(405);

        asked.refusal = new StatusException(Status.UNAVAILABLE, "the disk is full");
        assertThat(post("/compact?table=t").statusCode()).isEqualTo(503);
        assertThat(post("/compact?table=t").body())
                .isEqualTo(
                        "{\"status\":\"UNAVAILABLE\",\"error\":\"UNAVAILABLE: the disk is"
                                + " full\"}\n");
        assertThat(asText("POST", "/compact?table=t").body())
                .isEqualTo("UNAVAILABLE: the disk is full\n");
        assertThat(asked.calls).hasSize(2);
    }

    @Test
    void tabletsAreListedForProgramsAndForPeople() throws Exception {
        assertThat(get("/tablets?table=t").body())
                .isEqualTo(
                        "{\"tablets\":[{\"tablet\":1000,\"cell\":1,\"epoch\":3,\"from\":null,"
                                + "\"to\":\"'it\\\\'s',5\",\"rows\":7,\"bytes\":123456789012,"
                                + "\"reads_per_second\":0.5,\"writes_per_second\":0,"
                                + "\"age_seconds\":3700},{\"tablet\":1001,\"cell\":2,\"epoch\":1,"
                                + "\"from\":\"'it\\\\'s',5\",\"to\":null,\"rows\":0,\"bytes\":0,"
                                + "\"reads_per_second\":12,\"writes_per_second\":1000,"
                                + "\"age_seconds\":9}]}\n");
        assertThat(asText("GET", "/tablets?table=t").body())
                .isEqualTo(
                        """
                        tablet  cell  epoch  from       to         rows         bytes  reads/s  writes/s   age
                          1000     1      3  -          'it\\'s',5     7  123456789012      0.5       0.0  1h1m
                          1001     2      1  'it\\'s',5  -             0             0     12.0    1000.0    9s
                        """);
    }

    @Test
    void operationsGetWhatTheyWereAskedWith() throws Exception {
        assertThat(post("/split?table=t&at=1&at=%27a%27%2C5").statusCode()).isEqualTo(200);
        post("/split?table=t");
        post("/split?table=t&tablet=1000");
        post("/merge?table=t&tablets=1000,1001");
        post("/merge?table=t&tablets=1000,1002..1004");
        post("/move?table=t&tablet=1000&to=2");
        post("/bundles?name=fast&cells=1,2");
        post("/bundles?name=fast&remove=true");
        post("/freeze?cell=1&seconds=60");
        assertThat(asText("GET", "/bundles").body()).isEqualTo("default  cells 1, 2\n");
        assertThat(asText("GET", "/bundles?name=default").body())
                .isEqualTo("default  cells 1, 2\n");
        assertThat(get("/bundles?name=fast").statusCode()).isEqualTo(404);
        assertThat(asked.calls)
                .containsExactly(
                        "split t [1, 'a',5] OptionalLong.empty",
                        "split t [] OptionalLong.empty",
                        "split t [] OptionalLong[1000]",
                        "merge t [1000..1000, 1001..1001]",
                        "merge t [1000..1000, 1002..1004]",
                        "move t 1000 2",
                        "bundle fast [1, 2]",
                        "bundle fast []",
                        "freeze 1 60");
    }

    @Test
    void parametersMayComeAsJson() throws Exception {
        String longKey = "'" + "k".repeat(100_000) + "'";
        post("/split", "{\"table\":\"t\",\"at\":[1,\"'a',5\"]}");
        post("/split?table=t", "{\"tablet\":1000}");
        post("/split?table=t", "{\"at\":\"" + longKey + "\"}");
        post("/bundles", "{\"name\":\"fast\",\"remove\":true}");
        assertThat(asked.calls)
                .containsExactly(
                        "split t [1, 'a',5] OptionalLong.empty",
                        "split t [] OptionalLong[1000]",
                        "split t [" + longKey + "] OptionalLong.empty",
                        "bundle fast []");
        for (String wrong :
                List.of("[]", "{\"table\":null}", "{\"table\":{}}", "{\"tabel\":1}", "table=t")) {
            HttpResponse<String> answer = post("/split", wrong);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("POST /split");
        }
        assertThat(post("/split?table=t", "{\"table\":\"u\"}").body()).contains("given twice");
        assertThat(post("/split", "x".repeat(2_000_000)).statusCode()).isEqualTo(413);
        assertThat(asked.calls).hasSize(4);
    }

    @Test
    void decisionsAreToldInWordsAndAsJson() throws Exception {
        assertThat(asText("GET", "/why?table=t&key=5").body())
                .isEqualTo(
                        """
                        1970-01-01T00:00:01Z  split by size: split tablet 1000 in 2 at (7): size 200.0 MB (threshold 100.0 MB)
                            not: no key has 50 %
                            done in 12 ms: tablets 1001, 1002
                            tablet action 0-3e9-102c7-1
                            helped: the largest of 2 tablets has 100.0 MB; before: 200.0 MB
                        1970-01-01T00:00:02Z  split by load: leave tablet 1001: AUTO_PARTITIONING_BY_LOAD is DISABLED
                            until 1970-01-01T00:00:09Z
                        every split, merge and move since 1970-01-01T00:00:01Z is known
                        """);
        assertThat(asText("GET", "/why?table=t").body())
                .contains("the latest 2 decisions; .sys/partition_decisions has older ones\n")
                .endsWith(
                        """
                        now:
                            the next round is soon
                            split by load: leave tablet 1001: AUTO_PARTITIONING_BY_LOAD is DISABLED
                            3 more are not shown; give a key
                        """);
        assertThat(get("/why?table=t").body())
                .contains("\"has_older\":true", "\"complete_since\":\"1970-01-01T00:00:01Z\"")
                .contains("\"now\":{\"notes\":[\"the next round is soon\"],\"decisions\":[{")
                .contains("\"kind\":\"SPLIT\"", "\"tablets\":[1000]", "\"keys\":[\"7\"]")
                .contains("\"threshold\":null", "\"helped\":\"NOT_KNOWN\"");
        assertThat(asText("GET", "/plan?table=t").body()).isEqualTo("nothing to do\n");
        assertThat(asked.calls)
                .containsExactly(
                        "why t Optional[5]",
                        "why t Optional.empty",
                        "why t Optional.empty",
                        "plan t");
    }

    @Test
    void pathsMayHaveTheFormOfYTsaurus() throws Exception {
        assertThat(asText("GET", "/plan?table=//home/t").statusCode()).isEqualTo(200);
        assertThat(asText("GET", "/why?table=%2F%2Fhome%2Ft").statusCode()).isEqualTo(200);
        assertThat(asked.calls).containsExactly("plan home/t", "why home/t Optional.empty");
    }

    @Test
    void thePlanOfABundleIsToldInWordsAndAsJson() throws Exception {
        assertThat(
                        asText(
                                        "GET",
                                        "/plan?bundle=b&at=02:30&set=a=1&set=t:b=%25true&cells=4"
                                                + "&rounds=2")
                                .body())
                .isEqualTo(
                        """
                        bundle b: a round at 2026-11-20 02:30, time zone Europe/Berlin
                        supposed: max_tablet_size = 1
                        no round of group 'fast': it is not true
                        cell 3 is removed, and gives away 1 tablet (2.0 MB) first
                        round 1
                            /local/t  reshard by size: reshard tablets 7, 8 into 1
                        after 1 round there is nothing more to do
                        tablets from 9 on are not there yet
                        table     tablets  smallest          mean              largest
                        /local/t  2 -> 1   1.0 MB -> 2.0 MB  1.0 MB -> 2.0 MB  1.0 MB -> 2.0 MB
                        cell         tablets       size            memory       CPU time
                        1            1 -> none     2.0 MB -> none  0 B -> none  25.0 % -> none
                        most / mean  1.00 -> 2.00  1.00            none         1.00
                        resharded: 2 tablets (2.0 MB) into 1; moved: 0 tablets (0 B)
                        left alone by the first round:
                            /local/u  reshard by size: 5 tablets, such as 10: it fits
                        """);
        assertThat(get("/plan?bundle=b").body())
                .isEqualTo(
                        """
                        {"bundle":"b","at":"2026-11-20T02:30+01:00",\
                        "supposed":["max_tablet_size = 1"],"notes":[],\
                        "groups_without_round":{"fast":"it is not true"},\
                        "departures":[{"cell":3,"tablets":1,"bytes":2097152}],\
                        "rounds":[[{"table":"/local/t","kind":"RESHARD","rule":"reshard by size",\
                        "tablets":[7,8],"text":"reshard tablets 7, 8 into 1"}]],"changes":1,\
                        "at_rest":true,"new_tablets_from":9,"tables":[{"table":"/local/t",\
                        "before":{"tablets":2,"min_bytes":1048576,"mean_bytes":1048576,\
                        "max_bytes":1048576},"after":{"tablets":1,"min_bytes":2097152,\
                        "mean_bytes":2097152,"max_bytes":2097152}}],"cells":[{"cell":1,\
                        "before":{"tablets":1,"bytes":2097152,"memory_bytes":0,"load":0.25}}],\
                        "balance":{"before":{"tablets":1,"bytes":1,"memory":null,"load":1},\
                        "after":{"tablets":2,"bytes":1,"memory":null,"load":1}},\
                        "work":{"reshards":1,"resharded_tablets":2,"resharded_bytes":2097152,\
                        "made_tablets":1,"moved_tablets":0,"moved_bytes":0},\
                        "left":[{"table":"/local/u","rule":"reshard by size","why":"it fits",\
                        "tablets":5,"example":10}]}
                        """);
        assertThat(asked.calls)
                .containsExactly(
                        "plan Question[bundle=b, at=Optional[02:30], settings=[a=1, t:b=%true],"
                                + " cells=OptionalInt[4], rounds=OptionalInt[2]]",
                        "plan Question[bundle=b, at=Optional.empty, settings=[],"
                                + " cells=OptionalInt.empty, rounds=OptionalInt.empty]");
    }

    @Test
    void aPlanIsOfATableOrOfABundle() throws Exception {
        for (String wrong :
                List.of("/plan", "/plan?table=t&bundle=b", "/plan?table=t&cells=3", "/plan?at=1")) {
            HttpResponse<String> answer = get(wrong);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("GET /plan?table=PATH|bundle=NAME");
        }
        assertThat(asked.calls).isEmpty();
    }

    @Test
    void roundsOfABundleAreToldInWordsAndAsJson() throws Exception {
        assertThat(asText("GET", "/schedule?bundle=b").body())
                .isEqualTo(
                        """
                        bundle b, from 2026-11-19 23:30 to 2026-11-20 23:30, time zone Europe/Berlin
                        groups default, legacy: minutes % 20 == 0 || hours == 1 (set for the cluster)
                            2026-11-19  23:40
                            2026-11-20  00:00, 00:20
                            2026-11-20  every minute from 01:00 to 02:00
                            2026-11-20  every minute from 23:00 to 2026-11-21 00:30
                        group party: 1/0 (set for the group)
                            error: Division by zero
                            no rounds: the formula fails
                        a round of group legacy would now reshard 2 tablets (5.0 MB) into 3, and move 1 tablet (1.0 MB)
                        """);
        assertThat(get("/schedule?bundle=b").body())
                .startsWith("{\"bundle\":\"b\",\"time_zone\":\"Europe/Berlin\",")
                .contains(
                        "{\"group\":\"default\",\"schedule\":\"minutes % 20 == 0 || hours == 1\","
                                + "\"origin\":\"cluster\",\"rounds\":["
                                + "{\"from\":\"2026-11-19T23:40+01:00\","
                                + "\"to\":\"2026-11-19T23:41+01:00\"},")
                .contains(
                        "\"rounds\":[],\"now\":{\"reshards\":0,\"resharded_tablets\":0,"
                                + "\"resharded_bytes\":0,\"made_tablets\":0,\"moved_tablets\":0,"
                                + "\"moved_bytes\":0},\"why_none\":\"the formula fails\","
                                + "\"error\":\"Division by zero\"}");
        assertThat(asText("GET", "/schedule?bundle=off").body())
                .endsWith(
                        """
                        Europe/Berlin
                        no rounds: it is switched off
                        note: decisions are only noted
                        a round would now change nothing
                        """);
        assertThat(get("/schedule?bundle=off").body())
                .contains("\"why_none\":\"it is switched off\"")
                .contains("\"notes\":[\"decisions are only noted\"],\"groups\":[]");
    }

    @Test
    void whatIsWrongWithARequestIsSaid() throws Exception {
        assertWrong("/move?table=t&tablet=1000", "'to' is missing");
        assertWrong("/move?table=t&tablet=x&to=1", "'tablet' must be a number, not 'x'");
        assertWrong("/merge?table=t&tablets=1,", "'tablets' must be a number, not ''");
        assertWrong("/split?tabel=t", "there is no parameter 'tabel'");
        assertWrong("/split?table=t&table=u", "'table' is given twice");
        assertWrong("/split?table", "'table' has no value");
        assertWrong("/bundles?name=fast", "'cells' is missing");
        assertWrong("/bundles?name=fast&remove=false", "either cells or remove=true");
        assertWrong("/bundles?name=fast&cells=1&remove=true", "either cells or remove=true");
        assertThat(asked.calls).isEmpty();
        asked.refusal = new StatusException(Status.UNDETERMINED, "nobody knows");
        assertThat(post("/split?table=t&tablet=5").statusCode()).isEqualTo(500);
        asked.refusal = new StatusException(Status.NOT_FOUND, "no tablet 5");
        assertThat(post("/split?table=t&tablet=5").statusCode()).isEqualTo(404);
        asked.refusal = new StatusException(Status.ABORTED, "is being dropped");
        assertThat(post("/split?table=t&tablet=5").statusCode()).isEqualTo(409);
    }

    private void assertWrong(String path, String why) throws Exception {
        HttpResponse<String> answer = asText("POST", path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(why).contains("POST " + path.split("\\?", 2)[0]);
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
                                        List.of(),
                                        registry,
                                        () -> true,
                                        asked))
                .isInstanceOf(BindException.class);
    }

    private HttpResponse<String> asText(String method, String path) throws Exception {
        var request =
                HttpRequest.newBuilder(address(path))
                        .header("Accept", "text/plain")
                        .header("X-Cleave", "1")
                        .method(method, BodyPublishers.noBody())
                        .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path) throws Exception {
        return post(path, "");
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        var post =
                HttpRequest.newBuilder(address(path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        return client.send(post, BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(address(path)).build(), BodyHandlers.ofString());
    }

    private URI address(String path) {
        return URI.create("http://localhost:" + console.port() + path);
    }
}
