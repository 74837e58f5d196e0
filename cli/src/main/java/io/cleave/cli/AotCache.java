package io.cleave.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Creates the AOT cache beside the packaged jar. It runs [TrainCommand] in a JVM that records
/// which classes are needed. Run by the build: `AotCache JAR`.
///
/// A cache only makes the start faster, so the build succeeds even if it cannot be created.
final class AotCache {
    private static final Duration TRAINING_LIMIT = Duration.ofMinutes(2);

    private AotCache() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path jar = Path.of(args[0]);
        Path cache = besideJar(jar, ".aot");
        if (!isNewer(cache, inputs(jar))) {
            make(jar, cache);
        }
    }

    private static void make(Path jar, Path cache) throws IOException, InterruptedException {
        Path fresh = besideJar(jar, ".aot.new");
        Path log = besideJar(jar, ".aot.log");
        Files.deleteIfExists(cache);
        Process training =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "@" + jvmOptions(jar),
                                "-XX:AOTCacheOutput=" + fresh,
                                "-jar",
                                jar.toString(),
                                "train")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        boolean ended = training.waitFor(TRAINING_LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            training.destroyForcibly().waitFor();
        }
        if (ended && training.exitValue() == 0 && Files.exists(fresh)) {
            Files.move(fresh, cache, StandardCopyOption.REPLACE_EXISTING);
        } else {
            System.err.println(
                    "[WARNING] no AOT cache was created, so starts are slower; see " + log);
        }
    }

    private static List<Path> inputs(Path jar) throws IOException {
        List<Path> inputs = new ArrayList<>(List.of(jar, jvmOptions(jar)));
        try (Stream<Path> libraries = Files.list(jar.resolveSibling("lib"))) {
            inputs.addAll(libraries.toList());
        }
        return inputs;
    }

    private static boolean isNewer(Path cache, List<Path> inputs) throws IOException {
        if (!Files.exists(cache)) {
            return false;
        }
        FileTime made = Files.getLastModifiedTime(cache);
        for (Path input : inputs) {
            if (Files.getLastModifiedTime(input).compareTo(made) > 0) {
                return false;
            }
        }
        return true;
    }

    /// The options file is in the folder of the module, above `target`.
    private static Path jvmOptions(Path jar) {
        return jar.resolveSibling("../jvm.options").normalize();
    }

    private static Path besideJar(Path jar, String ending) {
        String name = jar.getFileName().toString();
        return jar.resolveSibling(name.substring(0, name.length() - ".jar".length()) + ending);
    }
}
