package io.cleave.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A page of `docs/benchmarks/` that a benchmark writes.
///
/// The text below [#NOTES] is written by hand and is kept.
public final class DocsPage {
    static final String NOTES = "## Notes";

    private DocsPage() {}

    /// Writes into `docs` of the source tree of `./cleave`.
    public static Path write(String launcher, String name, String text) throws IOException {
        Path file = Path.of(launcher).resolveSibling("docs").resolve("benchmarks").resolve(name);
        Files.createDirectories(file.getParent());
        String notes = Files.exists(file) ? notesOf(Files.readString(file)) : "";
        Files.writeString(file, text + notes);
        return file;
    }

    private static String notesOf(String page) {
        int from = page.indexOf(NOTES);
        return from < 0 ? "" : "\n" + page.substring(from);
    }

    public static String machine() throws IOException {
        return "%d cores%s, %s heap at most, JDK %s, %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        (Runtime.getRuntime().maxMemory() >> 20) + " MiB",
                        Runtime.version(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"));
    }

    private static String processor() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(file)) {
            return "";
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("model name"))
                .findFirst()
                .map(line -> " of " + line.substring(line.indexOf(':') + 1).strip())
                .orElse("");
    }
}
