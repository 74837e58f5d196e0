package io.cleave.bench.abuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The live heap of a JVM, as `jcmd` reports it after a full collection.
final class HeapUse {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private HeapUse() {}

    static double megabytes(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
        if (!used.find()) {
            throw new IOException("jcmd does not say how much of the heap is used");
        }
        return Long.parseLong(used.group(1)) / 1024.0;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process =
                new ProcessBuilder(program, Long.toString(pid), command)
                        .redirectErrorStream(true)
                        .start();
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("jcmd did not answer");
        }
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            throw new IOException("jcmd: " + text);
        }
        return text;
    }
}
