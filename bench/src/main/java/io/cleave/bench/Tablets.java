package io.cleave.bench;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The tablets of one table, with an operator's actions on them, over HTTP.
public final class Tablets {
    private static final Pattern TABLET = Pattern.compile("\"tablet\": *(\\d+)");
    private static final Pattern CELL = Pattern.compile("\"cell\": *(\\d+)");

    private static final Pattern BYTES = Pattern.compile("\"bytes\": *(\\d+)");

    private final HttpClient client = HttpClient.newHttpClient();
    private final String console;
    private final String table;

    public Tablets(String console, String table) {
        this.console = console;
        this.table = table;
    }

    public record Tablet(long id, long cell) {}

    /// In key order.
    public List<Tablet> list() throws IOException, InterruptedException {
        String text = ask(HttpRequest.newBuilder(uri("tablets", "")).GET().build());
        List<Tablet> tablets = new ArrayList<>();
        Matcher id = TABLET.matcher(text);
        Matcher cell = CELL.matcher(text);
        while (id.find() && cell.find()) {
            tablets.add(new Tablet(Long.parseLong(id.group(1)), Long.parseLong(cell.group(1))));
        }
        return tablets;
    }

    /// The sizes of the tablets in bytes, in key order.
    public List<Long> sizes() throws IOException, InterruptedException {
        String text = ask(HttpRequest.newBuilder(uri("tablets", "")).GET().build());
        List<Long> sizes = new ArrayList<>();
        Matcher bytes = BYTES.matcher(text);
        while (bytes.find()) {
            sizes.add(Long.parseLong(bytes.group(1)));
        }
        return sizes;
    }

    /// The output of `./cleave why`.
    public String why() throws IOException, InterruptedException {
        return text("why");
    }

    /// The output of `./cleave plan`.
    public String plan() throws IOException, InterruptedException {
        return text("plan");
    }

    private String text(String what) throws IOException, InterruptedException {
        return ask(
                HttpRequest.newBuilder(uri(what, "")).header("Accept", "text/plain").GET().build());
    }

    void compact() throws IOException, InterruptedException {
        operate("compact", "");
    }

    /// Returns false if a tablet begins at the key already.
    boolean split(String key) throws IOException, InterruptedException {
        try {
            operate("split", "&at=" + encoded(key));
            return true;
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("already")) {
                return false;
            }
            throw e;
        }
    }

    void merge(Tablet left, Tablet right) throws IOException, InterruptedException {
        operate("merge", "&tablets=" + left.id + "," + right.id);
    }

    public void move(Tablet tablet, long cell) throws IOException, InterruptedException {
        operate("move", "&tablet=" + tablet.id + "&to=" + cell);
    }

    private void operate(String what, String arguments) throws IOException, InterruptedException {
        var _ =
                ask(
                        HttpRequest.newBuilder(uri(what, arguments))
                                .header("X-Cleave", "1")
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build());
    }

    private URI uri(String what, String arguments) {
        return URI.create(console + "/" + what + "?table=" + encoded(table) + arguments);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String ask(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response =
                client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
            throw new IOException(request.uri() + ": " + response.body());
        }
        return response.body();
    }
}
