package io.cleave.yt;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.http.RawHttp;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.YtPort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/// Commands on rows that read their rows while the body arrives.
class ArrivingRowsTest {
    private static final int ROWS = 20_000;

    private final List<RawHttp> clients = new ArrayList<>();
    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = Node.start(NodeOptions.inMemory().withYtPort(new YtPort.Chosen(0)));
        post(
                "create",
                "{type=table;path=\"//home/t\";recursive=%true;attributes={dynamic=%true;"
                    + "schema=[{name=k;type=int64;sort_order=ascending};{name=v;type=string}]}}");
        post("mount_table", "{path=\"//home/t\"}");
    }

    @AfterEach
    void stop() throws IOException {
        for (RawHttp client : clients) {
            client.close();
        }
        node.close();
    }

    private RawHttp client() throws IOException {
        var client = new RawHttp(node.ytPort().orElseThrow());
        clients.add(client);
        return client;
    }

    private String post(String command, String parameters) throws IOException {
        RawHttp.Reply reply =
                client().send(
                                "POST /api/v4/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-yt-yson-text\r\nX-YT-Output-Format: <format=text>yson\r\nContent-Length: %d\r\n\r\n%s"
                                        .formatted(command, parameters.length(), parameters))
                        .reply();
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.body();
    }

    /// Begins a command on rows. The body follows in chunks.
    private RawHttp begin(String command, String parameters, String more) throws IOException {
        return client().send(
                        "PUT /api/v4/%s HTTP/1.1\r\nHost: localhost\r\nX-YT-Header-Format: <format=text>yson\r\nX-YT-Parameters: {path=\"//home/t\";%s}\r\n%sTransfer-Encoding: chunked\r\n\r\n"
                                .formatted(command, parameters, more));
    }

    private static byte[] rows(int from, int to) {
        var rows = new StringBuilder();
        for (int key = from; key < to; key++) {
            rows.append("{k=").append(key).append(";v=\"value ").append(key).append("\"};");
        }
        return rows.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] packed(byte[] bytes) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new DeflaterOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private static void chunks(RawHttp client, byte[] body, int from, int to, int step)
            throws IOException {
        for (int at = from; at < to; at += step) {
            int count = Math.min(step, to - at);
            client.send(Integer.toHexString(count) + "\r\n");
            client.send(Arrays.copyOfRange(body, at, at + count)).send("\r\n");
        }
    }

    private long count() throws IOException {
        String answer = post("select_rows", "{query=\"sum(1) as n from [//home/t] group by 1\"}");
        return answer.isBlank() ? 0 : Long.parseLong(answer.replaceAll("\\D", ""));
    }

    private long keptBytes() {
        return node.frontDoor().memory().requests().usedBytes();
    }

    /// Waits until a command has read rows. They take more memory than the whole body.
    private void awaitKeptRows(int bodyBytes) throws InterruptedException {
        await(() -> keptBytes() > bodyBytes);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int tries = 0; !condition.getAsBoolean(); tries++) {
            assertThat(tries).as("tries").isLessThan(30_000);
            Thread.sleep(1);
        }
    }

    @Test
    void rowsAreReadWhileTheyArrive() throws Exception {
        byte[] plain = rows(0, ROWS);
        RawHttp first = begin("insert_rows", "", "");
        chunks(first, plain, 0, plain.length - 10, 10_000);
        awaitKeptRows(plain.length);
        assertThat(count()).isZero();
        chunks(first, plain, plain.length - 10, plain.length, 1);
        assertThat(first.send("0\r\n\r\n").reply().status()).isEqualTo(200);
        assertThat(count()).isEqualTo(ROWS);

        byte[] packed = packed(rows(ROWS, 5 * ROWS));
        RawHttp second = begin("insert_rows", "", "Content-Encoding: gzip\r\n");
        chunks(second, packed, 0, packed.length, 7_777);
        RawHttp.Reply reply = second.send("0\r\n\r\n").reply();
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(count()).isEqualTo(5 * ROWS);

        RawHttp third = begin("delete_rows", "", "");
        String keys = new String(plain, StandardCharsets.US_ASCII).replaceAll(";v=[^}]*", "");
        chunks(third, keys.getBytes(StandardCharsets.US_ASCII), 0, keys.length(), 50_000);
        assertThat(third.send("0\r\n\r\n").reply().status()).isEqualTo(200);
        assertThat(count()).isEqualTo(4 * ROWS);
    }

    @Test
    void ofABodyThatStopsHalfwayNothingIsWritten() throws Exception {
        byte[] body = rows(0, ROWS);
        byte[] packed = packed(body);
        RawHttp plain = begin("insert_rows", "", "");
        chunks(plain, body, 0, body.length / 2, 10_000);
        RawHttp other = begin("insert_rows", "", "Content-Encoding: deflate\r\n");
        chunks(other, packed, 0, packed.length - 100, 10_000);
        plain.close();
        other.endSending();
        assertThat(other.isClosed()).isTrue();
        await(() -> keptBytes() == 0);
        assertThat(count()).isZero();

        // All chunks have arrived, but the encoded rows stop halfway.
        RawHttp third = begin("insert_rows", "", "Content-Encoding: deflate\r\n");
        chunks(third, packed, 0, packed.length - 100, 10_000);
        assertThat(third.send("0\r\n\r\n").reply().status()).isEqualTo(400);
        assertThat(count()).isZero();
    }

    /// A decoder may take a break between two members of gzip for the end of the body.
    @Test
    void membersOfGzipAreWrittenTogetherOrNotAtAll() throws Exception {
        byte[] first = gzip(rows(0, 2 * ROWS));
        RawHttp client = begin("insert_rows", "", "Content-Encoding: gzip\r\n");
        chunks(client, first, 0, first.length, 10_000);
        awaitKeptRows(first.length);
        assertThat(client.send("zz\r\n").reply().status()).isEqualTo(400);
        await(() -> keptBytes() == 0);
        assertThat(count()).isZero();
    }

    /// The encoded rows are complete, but the body is not.
    @Test
    void rowsWaitForTheEndOfTheBody() throws Exception {
        byte[] body = packed(rows(0, 2 * ROWS));
        RawHttp client = begin("insert_rows", "", "Content-Encoding: deflate\r\n");
        chunks(client, body, 0, body.length, 10_000);
        awaitKeptRows(body.length);
        assertThat(client.send("zz\r\n").reply().status()).isEqualTo(400);
        await(() -> keptBytes() == 0);
        assertThat(count()).isZero();
    }

    /// A transaction can be used while the rows of one of its calls arrive.
    @Test
    void aTransactionIsNotLockedWhileRowsArrive() throws Exception {
        String started = post("start_transaction", "{type=tablet;timeout=60000}");
        String id = started.replaceAll(".*\"([0-9a-f-]+)\".*", "$1").strip();
        byte[] body = rows(0, ROWS);
        RawHttp slow = begin("insert_rows", "transaction_id=\"" + id + "\"", "");
        chunks(slow, body, 0, body.length / 2, 10_000);
        awaitKeptRows(body.length);
        byte[] more = rows(ROWS, ROWS + 1);
        RawHttp quick = begin("insert_rows", "transaction_id=\"" + id + "\"", "");
        chunks(quick, more, 0, more.length, 10_000);
        assertThat(quick.send("0\r\n\r\n").reply().status()).isEqualTo(200);
        slow.close();
        await(() -> keptBytes() == 0);
        post("commit_transaction", "{transaction_id=\"" + id + "\"}");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void anErrorIsAnsweredAfterTheBody() throws Exception {
        byte[] body = rows(0, 5 * ROWS);
        RawHttp client = begin("insert_rows", "update=%true;atomicity=none", "");
        chunks(client, body, 0, body.length, 10_000);
        RawHttp.Reply reply = client.send("0\r\n\r\n").reply();
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("Atomicity \\\"none\\\" is not supported");
    }
}
