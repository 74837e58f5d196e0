package io.cleave.yt;

import io.cleave.base.SystemEnv;
import io.cleave.http.RawHttp;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.testkit.DataDriven;
import io.cleave.yt.command.Command;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which bytes are answered with what, from the files in testdata/yt-http, on a connection of its
/// own for each case. The commands are [FakeCommands].
///
/// In a case, `\r`, `\n`, `\0` and `\xHH` are those bytes, `{x*100}` is a hundred times `x`, and a
/// line of the file ends nothing. An answer is its status, its headers that begin with `X-YT` and
/// those that describe the body, the body, and trailers.
class YtRequestsTest {
    private static final Pattern REPEATED = Pattern.compile("\\{([^*{]+)\\*(\\d+)}");
    private static final Pattern HEX = Pattern.compile("\\\\x([0-9a-f]{2})");
    private static final Set<String> SHOWN =
            Set.of("content-type", "content-encoding", "trailer", "retry-after");
    private static final Set<String> CHANGING = Set.of("x-yt-request-id", "x-yt-proxy");

    private static Node node;
    private static YtProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        var env = new SystemEnv();
        node = Node.start(NodeOptions.inMemory());
        List<Command> commands = new ArrayList<>(new FakeCommands().all());
        commands.addAll(SystemCommands.all(env::wallMicros));
        proxy = YtProxy.start(env, node.frontDoor(), commands, "localhost", 0, List.of());
    }

    @AfterAll
    static void stop() {
        proxy.close();
        node.close();
    }

    @TestFactory
    Stream<DynamicTest> requestsAreAnswered() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/yt-http"), this::run);
    }

    private String run(DataDriven.Command command) {
        byte[] bytes = bytes(String.join("", command.input()));
        List<String> lines = new ArrayList<>();
        try (RawHttp client = new RawHttp(proxy.port())) {
            client.sendWhatIsTaken(bytes);
            client.endSending();
            while (true) {
                shown(client.reply(), lines);
            }
        } catch (EOFException _) {
            lines.add("closed");
        } catch (IOException _) {
            lines.add("broken off");
        }
        return String.join("\n", lines);
    }

    private static void shown(RawHttp.Reply reply, List<String> lines) {
        lines.add(Integer.toString(reply.status()));
        reply.headers().stream().filter(YtRequestsTest::isShown).sorted().forEach(lines::add);
        String body = reply.body();
        if (body.length() > 2000) {
            body = body.substring(0, 20) + "... " + body.length() + " characters";
        }
        lines.addAll(
                body.lines().filter(line -> !line.isBlank()).map(YtRequestsTest::visible).toList());
        reply.trailers().stream().sorted().map(line -> "trailer " + line).forEach(lines::add);
    }

    private static boolean isShown(String header) {
        String name = header.split(":", 2)[0].toLowerCase(Locale.ROOT);
        return SHOWN.contains(name) || (name.startsWith("x-yt") && !CHANGING.contains(name));
    }

    private static String visible(String line) {
        var text = new StringBuilder();
        for (char c : line.toCharArray()) {
            text.append(c < ' ' || c == 0x7f ? "\\x%02x".formatted((int) c) : String.valueOf(c));
        }
        return text.toString();
    }

    static byte[] bytes(String text) {
        String plain = text.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0");
        plain =
                HEX.matcher(plain)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                String.valueOf(
                                                        (char)
                                                                Integer.parseInt(
                                                                        found.group(1), 16))));
        String whole =
                REPEATED.matcher(plain)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                found.group(1)
                                                        .repeat(Integer.parseInt(found.group(2)))));
        return whole.getBytes(StandardCharsets.ISO_8859_1);
    }
}
