package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.faults.DiskStore;
import io.cleave.faults.Workload;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/// A whole data folder of format 1, as it was written once, with a medium of its own. It must stay
/// readable, or get a new number. `-Dgolden=write` makes it anew.
class GoldenFolderTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/data-1");

    /// The rows, beside the folder.
    private static final Path ROWS = GOLDEN.resolveSibling("data-1-rows.txt");

    @TempDir private Path temp;

    @Test
    void itsRowsAreRead() throws IOException {
        if (System.getProperty("golden", "").equals("write")) {
            write();
        }
        var disk = new SimulatedDisk();
        try (Stream<Path> files = Files.walk(GOLDEN)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = DiskStore.ROOT.resolve(GOLDEN.relativize(file).toString());
                disk.createFolders(copy.getParent());
                disk.put(copy, Files.readAllBytes(file));
            }
        }
        assertThat(rows(disk)).isEqualTo(Files.readString(ROWS));
    }

    @Test
    void fsckFindsItClean() throws IOException, StartException {
        Path data = temp.resolve("data");
        FolderCopy.copy(GOLDEN, data);
        FolderCopy.addMedium(data);
        assertThat(Fsck.run(data, Map.of()).text()).endsWith("clean\n");
    }

    private static void write() throws IOException {
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env)) {
                        new Workload(1).run(store, env);
                    }
                });
        FolderCopy.delete(GOLDEN);
        FolderCopy.write(disk, GOLDEN);
        Files.writeString(ROWS, rows(disk));
    }

    private static String rows(SimulatedDisk disk) {
        var env = new SimEnv(1);
        var text = new StringBuilder();
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env)) {
                        store.readAll(Workload.TABLE)
                                .forEach(
                                        (id, v) ->
                                                text.append(id).append(' ').append(v).append('\n'));
                    }
                });
        return text.toString();
    }
}
