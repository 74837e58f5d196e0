package io.cleave.clients;

import io.cleave.sim.Totals;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Cuts, merges and moves tablets of a real server at random, as an operator does: over HTTP.
final class HttpStructure {
    private static final Pattern TABLET =
            Pattern.compile("\"tablet\":\\s*(\\d+),\\s*\"cell\":\\s*(\\d+)");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CELLS = 3;

    /// From this many on a table is rather merged than cut.
    private static final int MANY = 6;

    /// What a change may be told that comes to nothing: others change the same tablets, a key is a
    /// bound already, or the server is about to go.
    private static final Set<Integer> REFUSALS = Set.of(400, 404, 409, 503);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Supplier<String> server;
    private final Random random;
    private final Totals totals;

    /// `server` answers with where to find whoever serves at present.
    HttpStructure(Supplier<String> server, Random random, Totals totals) {
        this.server = server;
        this.random = random;
        this.totals = totals;
    }

    private record Tablet(long tabletId, long cellId) {}

    /// Does one thing, or tries to.
    void step(String table, long keyBound) {
        String path = URLEncoder.encode(table, StandardCharsets.UTF_8);
        try {
            List<Tablet> tablets = tablets(path);
            int choice = random.nextInt(MANY);
            if (tablets.isEmpty()) {
                return;
            }
            if (random.nextInt(3) == 0) {
                Tablet tablet = tablets.get(random.nextInt(tablets.size()));
                long to = 1 + (tablet.cellId + random.nextInt(CELLS - 1)) % CELLS;
                post("moves", "/move?table=%s&tablet=%d&to=%d", path, tablet.tabletId, to);
            } else if (choice >= tablets.size() || tablets.size() == 1) {
                post("splits", "/split?table=%s&at=%d", path, random.nextLong(keyBound));
            } else {
                int first = random.nextInt(tablets.size() - 1);
                long left = tablets.get(first).tabletId;
                long right = tablets.get(first + 1).tabletId;
                post("merges", "/merge?table=%s&tablets=%d,%d", path, left, right);
            }
        } catch (IOException e) {
            totals.count("changes unanswered");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<Tablet> tablets(String path) throws IOException, InterruptedException {
        String answer = send(request("/tablets?table=" + path).GET()).body();
        List<Tablet> found = new ArrayList<>();
        Matcher matcher = TABLET.matcher(answer);
        while (matcher.find()) {
            found.add(
                    new Tablet(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))));
        }
        return found;
    }

    private void post(String what, String format, Object... values)
            throws IOException, InterruptedException {
        String path = format.formatted(values);
        HttpResponse<String> answer =
                send(request(path).header("X-Cleave", "1").POST(BodyPublishers.noBody()));
        if (answer.statusCode() == 200) {
            totals.count(what);
        } else if (REFUSALS.contains(answer.statusCode())) {
            totals.count("changes refused");
        } else {
            throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.get() + path)).timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
