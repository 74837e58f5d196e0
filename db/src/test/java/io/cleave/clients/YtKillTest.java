package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A server is killed under writers while the tablets of their table are mounted, frozen, unmounted
/// and cut anew. After each start every tablet has a final state, and every acknowledged row is
/// there. `-Dkills=` sets how often.
class YtKillTest {
    private static final int KILLS = Integer.getInteger("kills", 3);
    private static final int WRITERS = 3;
    private static final int ACKNOWLEDGED_PER_ROUND = 300;
    private static final int COMMANDS_PER_ROUND = 30;
    private static final long KEYS = 1_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern STATE = Pattern.compile("\"state\"=\"([a-z_]+)\"");

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();

    @TempDir private Path folder;

    private record Answer(int status, String text) {}

    /// A client of one run of the server.
    private record Proxy(HttpClient client, String address) {
        /// A command without rows.
        Answer run(String command, String parameters) throws IOException, InterruptedException {
            return send(command, "{output_format=<format=text>yson;" + parameters + "}", "");
        }

        Answer rows(String command, String rows) throws IOException, InterruptedException {
            String formats = "input_format=yson;output_format=<format=text>yson;";
            return send(command, "{path=\"//home/t\";" + formats + "}", rows);
        }

        private Answer send(String command, String parameters, String body)
                throws IOException, InterruptedException {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(address + "/api/v4/" + command))
                            .timeout(PATIENCE)
                            .header("X-YT-Header-Format", "<format=text>yson")
                            .header("X-YT-Parameters", parameters)
                            .PUT(BodyPublishers.ofString(body))
                            .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        }
    }

    @Test
    void afterAKillStatesAreFinalAndNoAcknowledgedRowIsLost() throws Exception {
        Path data = folder.resolve("data");
        for (int round = 0; round <= KILLS; round++) {
            var random = new Random(seed + round);
            try (ServerProcess server =
                            ServerProcess.start(
                                    data,
                                    ServerProcess.YT,
                                    ServerProcess.SMALL_CELLS,
                                    ServerProcess.THREE_CELLS);
                    HttpClient client = HttpClient.newHttpClient()) {
                var proxy = new Proxy(client, server.yt());
                if (round == 0) {
                    create(proxy);
                } else {
                    check(proxy);
                }
                if (round < KILLS) {
                    disturb(server, proxy, random, round);
                }
                client.shutdownNow();
            }
        }
        assertThat(acknowledged).isNotEmpty();
    }

    private static void create(Proxy proxy) throws IOException, InterruptedException {
        Answer created =
                proxy.run(
                        "create",
                        "type=table;path=\"//home/t\";attributes={dynamic=%true;schema="
                            + "[{name=k;type=int64;sort_order=ascending};{name=v;type=int64}]}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
    }

    /// Writes and changes states until enough has happened, and kills the server in the middle.
    private void disturb(ServerProcess server, Proxy proxy, Random random, int round)
            throws InterruptedException {
        var rows = new CountDownLatch(ACKNOWLEDGED_PER_ROUND);
        var commands = new CountDownLatch(COMMANDS_PER_ROUND);
        List<Future<?>> all = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(WRITERS + 1)) {
            for (int writer = 0; writer < WRITERS; writer++) {
                var own = new Random(random.nextLong());
                all.add(threads.submit(() -> write(proxy, own, rows)));
            }
            var own = new Random(random.nextLong());
            all.add(threads.submit(() -> toggle(proxy, own, commands)));
            boolean isDone =
                    rows.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            && commands.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            server.kill();
            assertThat(isDone).as("-Dseed=%d, round %d", seed, round).isTrue();
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("-Dseed=%d, round %d".formatted(seed, round), e.getCause());
        }
    }

    private void write(Proxy proxy, Random random, CountDownLatch rows) {
        try {
            while (true) {
                long key = random.nextLong(KEYS);
                Answer answer = proxy.rows("insert_rows", "{k=%d;v=%d}".formatted(key, key));
                if (answer.status() == 200) {
                    acknowledged.add(key);
                    rows.countDown();
                } else {
                    // Unmounted, frozen, or changed while the row was on its way; 105 if the
                    // tablet is mounted again when the server looks for the reason.
                    assertThat(answer.text()).containsAnyOf(":1702,", ":1704,", ":1700,", ":105,");
                }
            }
        } catch (IOException _) {
            // The server was killed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void toggle(Proxy proxy, Random random, CountDownLatch commands) {
        String path = "path=\"//home/t\";";
        try {
            while (true) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> proxy.run("mount_table", path);
                    case 2 -> proxy.run("unfreeze_table", path);
                    case 3 ->
                            proxy.run(
                                    random.nextBoolean() ? "freeze_table" : "unmount_table", path);
                    case 4 -> {
                        String part = path + "first_tablet_index=0;last_tablet_index=0";
                        proxy.run(random.nextBoolean() ? "unmount_table" : "mount_table", part);
                    }
                    default -> {
                        String pivots = "pivot_keys=[[]%s];".formatted(pivots(random));
                        String online = "online=%%%s".formatted(random.nextBoolean());
                        proxy.run("reshard_table", path + pivots + online);
                    }
                }
                commands.countDown();
            }
        } catch (IOException _) {
            // The server was killed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String pivots(Random random) {
        return random.longs(random.nextInt(4), 0, KEYS)
                .sorted()
                .distinct()
                .mapToObj(";[%d]"::formatted)
                .collect(Collectors.joining());
    }

    private void check(Proxy proxy) throws IOException, InterruptedException {
        Answer tablets = proxy.run("get", "path=\"//home/t/@tablets\"");
        Matcher states = STATE.matcher(tablets.text());
        for (int index = 0; states.find(); index++) {
            String state = states.group(1);
            assertThat(state).as("-Dseed=%d", seed).isIn("mounted", "frozen", "unmounted");
            String command = state.equals("frozen") ? "unfreeze_table" : "mount_table";
            Answer opened =
                    proxy.run(
                            command,
                            "path=\"//home/t\";first_tablet_index=%d;last_tablet_index=%d"
                                    .formatted(index, index));
            assertThat(opened.status()).as(opened.text()).isEqualTo(200);
        }
        Answer state = proxy.run("get", "path=\"//home/t/@tablet_state\"");
        assertThat(state.text()).contains("mounted").doesNotContain("unmounted");
        String keys = acknowledged.stream().map("{k=%d};"::formatted).collect(Collectors.joining());
        Answer found = proxy.rows("lookup_rows", keys);
        assertThat(found.status()).as(found.text()).isEqualTo(200);
        assertThat(found.text().split("\"k\"=", -1).length - 1)
                .as("-Dseed=%d", seed)
                .isEqualTo(acknowledged.size());
    }
}
