package io.cleave.node;

import io.cleave.faults.DiskStore;
import io.cleave.testkit.SimulatedDisk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// Puts a simulated store into a real data folder.
final class FolderCopy {
    private FolderCopy() {}

    /// All files of a [DiskStore], and what a node adds to them but the list of media.
    static void write(SimulatedDisk disk, Path data) throws IOException {
        for (Path file : disk.files()) {
            Path copy = data.resolve(DiskStore.ROOT.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.write(copy, disk.copy().readAll(file));
        }
        Files.writeString(data.resolve("FORMAT"), "3\n");
    }

    /// The medium `hdd` lies in the data folder, and is named with where that is.
    static void addMedium(Path data) throws IOException {
        String id = "00000000-0000-0000-0000-000000000001";
        Path hdd = data.resolve("hdd");
        Files.createDirectories(hdd);
        Files.writeString(data.resolve("MEDIA"), "id " + id + "\nhdd " + hdd + "\n");
        Files.writeString(hdd.resolve("MEDIUM"), "hdd of " + id + "\n");
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }
}
