package io.cleave.clients;

import static org.junit.jupiter.api.Assertions.fail;

import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.query.Params;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// YTsaurus' own client, unchanged, against a server in another process: the cases in testdata/yt.
/// Each file has a new server.
///
/// | case | runs |
/// |---|---|
/// | `yt` | the command line with the arguments of the first line; the other lines are its input |
/// | `python` | a Python program, in which `yt` is the client |
/// | `sql` | a text of YQL, through YDB's client |
/// | `restart` | kills the server and starts it again on its folder |
///
/// Ids, timestamps and times of an answer are replaced by `<id>`, `<timestamp>` and `<time>`. An
/// error is `error CODE: message`, with a line for each inner error. A blank line ends a case, so
/// blank lines of an answer are left out; an answer without any text is `ok`.
///
/// Without Python these tests are skipped, unless `-Dyt.required` is set. `-Dyt.file=NAME` runs one
/// file.
class YtClientTest {
    private static final Path CASES = Path.of("src/test/testdata/yt");
    private static final Pattern ID =
            Pattern.compile("\\b[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+\\b");
    private static final Pattern TIMESTAMP =
            Pattern.compile("\\b(1[89][0-9]{17}|2[0-9]{18})(?=u?\\b)");
    private static final Pattern TIME =
            Pattern.compile("\\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");

    @TempDir Path folder;

    @TestFactory
    Stream<DynamicTest> casesAreAnswered() throws IOException, InterruptedException {
        Optional<String> missing = YtPython.install();
        if (missing.isPresent()) {
            if (System.getProperty("yt.required") != null) {
                fail(missing.get());
            }
            System.out.println("tests with YTsaurus' client are skipped: " + missing.get());
            Assumptions.abort(missing.get());
        }
        String only = System.getProperty("yt.file", "");
        try (Stream<Path> files = Files.list(CASES)) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().startsWith(only))
                    .sorted()
                    .toList()
                    .stream()
                    .map(
                            file ->
                                    DynamicTest.dynamicTest(
                                            file.getFileName().toString(),
                                            file.toUri(),
                                            () -> run(file)));
        }
    }

    private void run(Path file) throws IOException {
        Path data = Files.createTempDirectory(folder, "server").resolve("data");
        try (var setup = new Setup(data, ServerProcess.YT)) {
            DataDriven.runFile(file, setup::run);
        }
    }

    /// A server and the clients that are connected to it.
    static final class Setup implements AutoCloseable {
        private final Path data;
        private final String[] options;
        private ServerProcess server;
        private YtPython python;
        private Optional<Clients> ydb = Optional.empty();

        /// @param options of [ServerProcess]
        Setup(Path data, String... options) throws IOException {
            this.data = data;
            this.options = options.clone();
            start();
        }

        private void start() throws IOException {
            server = ServerProcess.start(data, options);
            python = YtPython.start(server.yt().substring("http://".length()));
        }

        String run(Command command) {
            String output = answer(command);
            return output.isBlank() ? "ok" : output;
        }

        private String answer(Command command) {
            return switch (command.name()) {
                case "yt" ->
                        shown(
                                python.run(
                                        "yt",
                                        command.input().getFirst(),
                                        String.join(
                                                "\n",
                                                command.input()
                                                        .subList(1, command.input().size()))));
                case "python" ->
                        shown(python.run("python", String.join("\n", command.input()), ""));
                case "sql" -> sql(String.join("\n", command.input()));
                case "restart" -> restart();
                default -> throw new IllegalArgumentException(command.line() + ": no such case");
            };
        }

        private String sql(String text) {
            Clients clients = ydb.orElseGet(() -> new Clients(server));
            ydb = Optional.of(clients);
            boolean isData =
                    text.strip().matches("(?is)(select|upsert|insert|update|delete|replace).*");
            Result<QueryReader> result =
                    clients.tryQuery(
                            text, isData ? TxMode.SERIALIZABLE_RW : TxMode.NONE, Params.empty());
            if (!result.isSuccess()) {
                return "error " + result.getStatus().getCode();
            }
            List<String> rows = new ArrayList<>();
            QueryReader reader = result.getValue();
            for (int set = 0; set < reader.getResultSetCount(); set++) {
                rows.addAll(Rows.of(reader.getResultSet(set)));
            }
            return String.join("\n", rows);
        }

        private String restart() {
            close();
            ydb = Optional.empty();
            try {
                start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return "";
        }

        @Override
        public void close() {
            python.close();
            ydb.ifPresent(Clients::disconnect);
            server.close();
        }
    }

    /// The output without what differs from run to run.
    static String shown(String output) {
        String text = ID.matcher(output).replaceAll("<id>");
        text = TIMESTAMP.matcher(text).replaceAll("<timestamp>");
        text = TIME.matcher(text).replaceAll("<time>");
        return text.lines().filter(line -> !line.isBlank()).collect(Collectors.joining("\n"));
    }
}
