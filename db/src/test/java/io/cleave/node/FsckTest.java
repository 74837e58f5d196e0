package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.faults.DiskStore;
import io.cleave.faults.Workload;
import io.cleave.tablet.HalfDone;
import io.cleave.tablet.Tablet;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What `fsck` says about a folder, with `N` for numbers that depend on formats. It never changes a
/// byte.
class FsckTest {
    @TempDir private Path temp;
    private Path data;

    /// The same each time: all of it comes from a seed.
    @BeforeEach
    void makeFolder() throws Exception {
        data = temp.resolve("data");
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env)) {
                        new Workload(1).run(store, env);
                    }
                });
        FolderCopy.write(disk, data);
        FolderCopy.addMedium(data);
    }

    @Test
    void aCleanFolder() throws Exception {
        assertThat(check())
                .isEqualTo(
                        """
                        data folder DATA
                        medium hdd DATA/hdd
                        cell 0: log of N segments, N records, N bytes
                        cell 0: 14 tablets, N table files
                        cell 1: log of N segments, N records, N bytes
                        cell 1: 3 tablets, N table files
                        catalog: 1 table, 3 tablets
                        clean
                        """);
    }

    /// Behind the catalog's back, as if the server had ended before it was told.
    @Test
    void aMoveAndASplitThatACrashHasCutOff() throws Exception {
        var disk = new SimulatedDisk();
        var env = new SimEnv(1);
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env)) {
                        new Workload(1).run(store, env);
                    }
                    try (var store = new DiskStore(disk, env, 2)) {
                        List<Long> ids =
                                store.cell(1).tablets().stream().map(Tablet::id).sorted().toList();
                        store.cell(1).structure().move(ids.get(0), store.cell(2));
                        HalfDone.detach(store.cell(1), ids.get(1), 2);
                    }
                });
        FolderCopy.delete(data);
        FolderCopy.write(disk, data);
        FolderCopy.addMedium(data);
        assertThat(check())
                .contains("cell 2: 1 tablet")
                .contains("note tablet N of cell 1: is in cell 2 now: the server ended while")
                .contains("note tablet N of cell 1: the server ended while it was being moved")
                .contains("note table /local/dir/t: the server ended while its tablets were")
                .endsWith("clean, N notes\n");
    }

    @Test
    void aFlippedBitInATableFile() throws Exception {
        Path blob = newest("blobs", ".blob");
        flip(blob, 5);
        assertThat(check())
                .contains("DAMAGE " + shown(blob) + " at N: ")
                .containsPattern("rows of tablet [N, ]+ are in it: restore the file from a copy")
                .endsWith("1 damage\n");
    }

    @Test
    void aFlippedBitInALog() throws Exception {
        Path segment = oldest("cells/1/log", ".log");
        flip(segment, 28 + 20);
        assertThat(check())
                .contains("DAMAGE " + shown(segment) + " at N: record N is damaged")
                .contains("catalog: not checked")
                .endsWith("1 damage\n");
    }

    @Test
    void aMissingTableFile() throws Exception {
        Path blob = newest("blobs", ".blob");
        Files.delete(blob);
        assertThat(check()).contains(shown(blob) + " at N: this blob is missing");
    }

    @Test
    void aMissingNumberOfBlobs() throws Exception {
        Files.delete(data.resolve("blobs/next-id"));
        assertThat(check())
                .contains("DAMAGE DATA/blobs/next-id at N: is missing, but there is blob ")
                .endsWith("1 damage\n");
    }

    @Test
    void aMissingFormat() throws Exception {
        Files.delete(data.resolve("FORMAT"));
        assertThatThrownBy(() -> Fsck.run(data, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("has cells, but no file FORMAT");
    }

    @Test
    void aMissingSegment() throws Exception {
        List<Path> segments = files("cells/1/log", ".log");
        Files.delete(segments.get(1));
        assertThat(check())
                .contains(shown(segments.get(2)))
                .contains("begins at record N, but the segment before it ends at N");
    }

    @Test
    void aLostCatalog() throws Exception {
        for (Path segment : files("cells/0/log", ".log")) {
            Files.delete(segment);
        }
        assertThat(check())
                .contains("DAMAGE the catalog at N: has no record of tablet")
                .contains("\n1 damage");
    }

    @Test
    void whatACrashLeavesIsNoDamage() throws Exception {
        Path blobs = data.resolve("blobs");
        Files.writeString(blobs.resolve("00000000000000fd.unsealed"), "half");
        Files.writeString(blobs.resolve("00000000000000fe.blob"), "nobody's");
        Files.writeString(blobs.resolve("notes.txt"), "a person's");
        Path last = newest("cells/1/log", ".log");
        Files.write(last, new byte[3]);
        assertThat(check())
                .contains("note " + shown(last) + " at N: an unfinished new segment")
                .contains("fd.unsealed: was being written when the server ended")
                .contains("fe.blob: no tablet uses this blob of N bytes")
                .contains("notes.txt: is not a blob")
                .endsWith("clean, N notes\n");

        Files.delete(last);
        Path torn = newest("cells/1/log", ".log");
        Files.writeString(torn, "half a record", StandardOpenOption.APPEND);
        assertThat(check())
                .contains(
                        "note "
                                + shown(torn)
                                + " at N: the last write, from record N on, is incomplete")
                .endsWith("clean, N notes\n");
    }

    @Test
    void aFolderInUseOrOfOthersIsRefused() throws Exception {
        Path other = temp.resolve("other");
        assertThatThrownBy(() -> Fsck.run(other, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("not a data folder");
        Path hdd = temp.resolve("hdd");
        NodeOptions options = NodeOptions.inFolder(other).withMedia(Map.of("hdd", hdd));
        try (Node node = Node.start(options)) {
            assertThat(node.grpcPort()).isPositive();
            assertThatThrownBy(() -> Fsck.run(other, Map.of()))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("in use by process");
        }
        assertThat(Fsck.run(other, Map.of()).text()).contains("medium hdd").endsWith("clean\n");
        Files.delete(hdd.resolve("MEDIUM"));
        assertThatThrownBy(() -> Fsck.run(other, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("mounted");
    }

    private String check() throws Exception {
        Map<Path, String> before = content();
        String text = Fsck.run(data, Map.of()).text();
        assertThat(content()).isEqualTo(before);
        return text.replace(data.toString(), "DATA")
                .replaceAll("(at|of|record|tablet|,) \\d+", "$1 N")
                .replaceAll("(ends at) \\d+", "$1 N")
                .replaceAll("N, (\\d+)", "N, N")
                .replaceAll(", N tablets", ", 3 tablets")
                .replaceAll("(\\d+ tablets), (\\d+|N) table files?", "$1, N table files");
    }

    private String shown(Path file) {
        return "DATA/" + data.relativize(file);
    }

    private Map<Path, String> content() throws IOException {
        Map<Path, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(file, Arrays.toString(Files.readAllBytes(file)));
            }
        }
        return content;
    }

    private static void flip(Path file, int offset) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= 1;
        Files.write(file, bytes);
    }

    private Path oldest(String folder, String suffix) throws IOException {
        return files(folder, suffix).getFirst();
    }

    private Path newest(String folder, String suffix) throws IOException {
        return files(folder, suffix).getLast();
    }

    private List<Path> files(String folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
        }
    }
}
