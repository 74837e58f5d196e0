package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The examples of the documents with the command `yt` do what stands beside them: the lines after
/// `$` in blocks of `console`, one after the other, with a new server for each document. They may
/// ask the server with `./cleave`, too. A line goes on until its quotes are closed. What follows a
/// command is what it prints; a command that nothing follows must succeed. With `-Drewrite` what
/// the commands print is written into the document.
class YtDocsTest {
    private static final boolean REWRITE = System.getProperty("rewrite") != null;
    private static final Path ROOT = Path.of("..");
    private static final List<String> PAGES =
            List.of("README.md", "docs/yt.md", "docs/yt-balancer.md");
    private static final String FENCE = "```";
    private static final String PROMPT = "$ ";

    @TempDir Path folder;

    @TestFactory
    Stream<DynamicTest> everyExampleAnswersWhatThePageSays()
            throws IOException, InterruptedException {
        Optional<String> missing = YtPython.install();
        missing.ifPresent(
                why -> {
                    System.out.println("examples with YTsaurus' client are skipped: " + why);
                    assertThat(System.getProperty("yt.required")).as(why).isNull();
                    Assumptions.abort(why);
                });
        return PAGES.stream()
                .map(
                        page ->
                                DynamicTest.dynamicTest(
                                        page, ROOT.resolve(page).toUri(), () -> run(page)));
    }

    private void run(String page) throws IOException, InterruptedException {
        Path file = ROOT.resolve(page);
        List<String> lines = Files.readAllLines(file);
        List<String> rewritten = new ArrayList<>();
        Path data = Files.createTempDirectory(folder, "server").resolve("data");
        try (ServerProcess server = ServerProcess.start(data, ServerProcess.YT)) {
            int at = 0;
            while (at < lines.size()) {
                String line = lines.get(at++);
                rewritten.add(line);
                if (line.equals(FENCE + "console")) {
                    at = runBlock(page, server, lines, at, rewritten);
                }
            }
        }
        if (REWRITE) {
            Files.writeString(file, String.join("\n", rewritten) + "\n");
        }
    }

    /// Returns the line at which the block ends.
    private static int runBlock(
            String page, ServerProcess server, List<String> lines, int from, List<String> rewritten)
            throws IOException, InterruptedException {
        String proxy = server.yt().substring("http://".length());
        int at = from;
        while (!lines.get(at).equals(FENCE)) {
            int begun = at;
            var command = new StringBuilder(lines.get(at++).substring(PROMPT.length()));
            while (command.chars().filter(letter -> letter == '\'').count() % 2 != 0) {
                command.append('\n').append(lines.get(at++));
            }
            rewritten.addAll(lines.subList(begun, at));
            int answer = at;
            while (!lines.get(at).equals(FENCE) && !lines.get(at).startsWith(PROMPT)) {
                at++;
            }
            String printed =
                    YtClientTest.shown(YtPython.shell(proxy, server.console(), command.toString()));
            String place = page + ":" + (begun + 1) + ": " + command;
            if (answer == at) {
                assertThat(printed).as(place).doesNotContain("exit ");
            } else if (REWRITE) {
                rewritten.addAll(printed.lines().toList());
            } else {
                assertThat(printed)
                        .as(place)
                        .isEqualTo(String.join("\n", lines.subList(answer, at)));
            }
        }
        return at;
    }
}
