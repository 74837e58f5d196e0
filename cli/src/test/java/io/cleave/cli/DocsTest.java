package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.cli.DocsPage.Answer;
import io.cleave.cli.DocsPage.Example;
import io.cleave.cli.DocsPage.Kind;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import tech.ydb.core.grpc.GrpcTransport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The examples of the README and of `docs` do what stands beside them: those of each page one
/// after the other, on an empty database. With `-Drewrite` what they answer is written there; read
/// the diff before committing it.
class DocsTest {
    private static final boolean REWRITE = System.getProperty("rewrite") != null;
    private static final Path ROOT = Path.of("..");

    /// Those of the README are `ReadmeTest`'s, which has the JDBC driver.
    private static final String README = "README.md";

    @TestFactory
    Stream<DynamicTest> everyExampleAnswersWhatThePageSays() throws IOException {
        List<Path> files = new ArrayList<>();
        files.add(ROOT.resolve(README));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(files::add);
        }
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files) {
            var page = new DocsPage(file);
            if (!page.examples().isEmpty()) {
                String name = file.getFileName().toString();
                tests.add(DynamicTest.dynamicTest(name, file.toUri(), () -> run(page)));
            }
        }
        return tests.stream();
    }

    private record Rewritten(Answer answer, String text) {}

    private static void run(DocsPage page) throws Exception {
        List<Rewritten> rewritten = new ArrayList<>();
        try (Node node = Node.start(NodeOptions.inMemory());
                var transport = GrpcTransport.forConnectionString(endpoint(node)).build();
                Connection connection = Connection.open(Endpoint.parse(endpoint(node)))) {
            for (Example example : page.examples()) {
                boolean elsewhere = example.kind() == Kind.JAVA && page.file().endsWith(README);
                if (elsewhere) {
                    continue;
                }
                String printed = answer(example, node, transport, connection);
                String place = page.file() + ":" + example.line();
                if (example.answer().isEmpty()) {
                    assertThat(printed).as(place).doesNotContain("error: ");
                    continue;
                }
                Answer answer = example.answer().get();
                String actual = answer.withOk() ? printed : withoutOk(printed, example.kind());
                if (REWRITE) {
                    rewritten.addFirst(new Rewritten(answer, actual));
                } else {
                    assertThat(actual).as(place).isEqualTo(page.text(answer));
                }
            }
        }
        for (Rewritten one : rewritten) {
            page.rewrite(one.answer(), one.text());
        }
    }

    private static String endpoint(Node node) {
        return "grpc://localhost:" + node.grpcPort() + node.database();
    }

    private static String answer(
            Example example, Node node, GrpcTransport transport, Connection connection)
            throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            switch (example.kind()) {
                case SQL -> {
                    boolean _ =
                            Script.queries(example.text()).stream()
                                    .allMatch(query -> connection.run(query, out, out));
                }
                case JAVA -> DocsJava.run(example.text(), transport, out);
                case COMMAND -> {
                    for (String line : example.text().split("\n")) {
                        command(line, node, out);
                    }
                }
            }
        }
        String printed = bytes.toString(StandardCharsets.UTF_8);
        return printed.replace(System.lineSeparator(), "\n").stripTrailing();
    }

    /// `./cleave NAME ARGUMENTS # COMMENT`, of those that ask a server's HTTP port.
    private static void command(String line, Node node, PrintStream out) {
        List<String> words = new ArrayList<>(List.of(line.split("#")[0].strip().split("\\s+")));
        assertThat(words.removeFirst()).isEqualTo("./cleave");
        words.add("--http");
        words.add("http://localhost:" + node.httpPort());
        PrintStream before = System.out;
        System.setOut(out);
        try {
            assertThat(Main.run(words.toArray(String[]::new))).as(line).isZero();
        } finally {
            System.setOut(before);
        }
    }

    private static String withoutOk(String printed, Kind kind) {
        return kind != Kind.SQL
                ? printed
                : printed.lines()
                        .filter(line -> !line.equals("ok"))
                        .collect(Collectors.joining("\n"));
    }
}
