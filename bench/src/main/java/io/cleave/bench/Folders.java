package io.cleave.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// The folders of stores.
public final class Folders {
    private Folders() {}

    public static void delete(Path dir) throws IOException {
        if (!Files.exists(dir)) {
            return;
        }
        for (Path path : below(dir)) {
            Files.deleteIfExists(path);
        }
    }

    /// The size of all files, whatever they contain.
    public static long bytes(Path dir) throws IOException {
        long bytes = 0;
        for (Path path : below(dir)) {
            bytes += bytesOf(path);
        }
        return bytes;
    }

    private static long bytesOf(Path path) throws IOException {
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (NoSuchFileException e) {
            return 0; // removed by its engine meanwhile
        }
    }

    /// Deepest paths first.
    private static List<Path> below(Path dir) throws IOException {
        try (var paths = Files.walk(dir)) {
            return paths.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
