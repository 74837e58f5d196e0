package io.cleave.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which bytes are answered with what, from the files in testdata/http, on a connection of its own
/// for each case. The client ends its sending after them, and reads until the server closes.
///
/// In a case, `\r`, `\n`, `\0` and `\t` are those characters, `{x*100}` is a hundred times `x`, and
/// a line of the file ends nothing.
class RequestsTest {
    private static final Pattern REPEATED = Pattern.compile("\\{([^*]+)\\*(\\d+)}");

    private TestSite site;

    @BeforeEach
    void start() throws IOException {
        site = new TestSite(HttpLimits.DEFAULT);
    }

    @AfterEach
    void close() {
        site.close();
    }

    @TestFactory
    Stream<DynamicTest> requestsAreAnswered() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/http"), this::run);
    }

    private String run(Command command) {
        byte[] bytes = bytes(String.join("", command.input()));
        try (RawHttp client = site.connect()) {
            client.sendWhatIsTaken(bytes);
            client.endSending();
            String answers = answers(client, !command.name().equals("head"));
            assertHealthy();
            return answers;
        } catch (IOException e) {
            throw new IllegalStateException(command.line() + ": " + e, e);
        }
    }

    private void assertHealthy() throws IOException {
        try (RawHttp client = site.connect()) {
            client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.reply().body()).isEqualTo("ok\n");
        }
    }

    private static String answers(RawHttp client, boolean hasBody) throws IOException {
        List<String> lines = new ArrayList<>();
        try {
            while (true) {
                RawHttp.Reply reply = client.reply(hasBody);
                String allowed = reply.header("Allow");
                String connection = reply.header("Connection");
                lines.add(
                        (reply.status()
                                        + (connection.isEmpty() ? "" : " " + connection)
                                        + (allowed.isEmpty() ? "" : " allow " + allowed)
                                        + ": "
                                        + reply.body().strip()
                                        + (reply.trailers().isEmpty()
                                                ? ""
                                                : " trailers " + reply.trailers()))
                                .strip());
            }
        } catch (EOFException _) {
            lines.add("closed");
        }
        return String.join("\n", lines);
    }

    private static byte[] bytes(String text) {
        String plain =
                text.replace("\\r", "\r")
                        .replace("\\n", "\n")
                        .replace("\\t", "\t")
                        .replace("\\0", "\0");
        Matcher repeated = REPEATED.matcher(plain);
        String whole =
                repeated.replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        found.group(1).repeat(Integer.parseInt(found.group(2)))));
        return whole.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Where the network cuts the bytes makes no difference.
    @Test
    void everyCutOfTheBytesIsReadTheSame() throws IOException {
        byte[] bytes =
                bytes(
                        "POST /echo HTTP/1.1\\r"
                                + "\\n"
                                + "Host: localhost\\r"
                                + "\\n"
                                + "X-Cleave: 1\\r"
                                + "\\n"
                                + "Transfer-Encoding: chunked\\r"
                                + "\\n"
                                + "\\r"
                                + "\\n"
                                + "3\\r"
                                + "\\n"
                                + "abc\\r"
                                + "\\n"
                                + "2\\r"
                                + "\\n"
                                + "de\\r"
                                + "\\n"
                                + "0\\r"
                                + "\\n"
                                + "\\r"
                                + "\\n"
                                + "GET /hello HTTP/1.1\\r"
                                + "\\n"
                                + "Host: localhost\\r"
                                + "\\n"
                                + "\\r"
                                + "\\n"
                                + "GET /health HTTP/1.1\\r"
                                + "\\n"
                                + "Host: localhost\\r"
                                + "\\n"
                                + "Connection: close\\r"
                                + "\\n"
                                + "\\r"
                                + "\\n");
        for (int cut = 0; cut <= bytes.length; cut++) {
            try (RawHttp client = site.connect()) {
                client.send(Arrays.copyOfRange(bytes, 0, cut));
                client.send(Arrays.copyOfRange(bytes, cut, bytes.length));
                assertThat(answers(client, true))
                        .isEqualTo("200: 'abcde'\n200: GET /hello\n200 close: ok\nclosed");
            }
        }
    }
}
