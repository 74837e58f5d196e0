package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.tablet.Cell;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A node that cannot start says why in one line, and has touched nothing.
class NodeStartTest {
    @TempDir private Path temp;

    @Test
    void itAnswersAndFreesEverythingWhenClosed() throws Exception {
        Path data = temp.resolve("data");
        for (int round = 0; round < 2; round++) {
            try (Node node = Node.start(NodeOptions.inFolder(data))) {
                assertThat(node.readyLine())
                        .isEqualTo(
                                "ready grpc://localhost:"
                                        + node.grpcPort()
                                        + "/local http://localhost:"
                                        + node.httpPort());
            }
        }
    }

    @Test
    void aFolderInUseIsRefused() throws Exception {
        Path data = temp.resolve("data");
        try (Node node = Node.start(NodeOptions.inFolder(data))) {
            assertThat(node.grpcPort()).isPositive();
            assertRefused(NodeOptions.inFolder(data), "is in use by process", "--data");
        }
    }

    @Test
    void aTakenPortIsRefusedBeforeTheFolderIsMade() throws Exception {
        Path data = temp.resolve("data");
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            int port = taken.getLocalPort();
            assertRefused(options(data, port, 0), "gRPC port " + port, "--grpc-port");
            assertRefused(options(data, 0, port), "HTTP port " + port, "--http-port");
        }
        assertThat(data).doesNotExist();
    }

    @Test
    void aFolderOfANewerFormatIsRefusedAndLeftAlone() throws Exception {
        Path data = Files.createDirectory(temp.resolve("data"));
        Files.writeString(data.resolve("FORMAT"), "4\n");
        assertRefused(NodeOptions.inFolder(data), "has format 4", "newer version");
        assertThat(names(data)).containsExactly("FORMAT");
    }

    @Test
    void aFolderThatHasLostItsFormatIsRefused() throws Exception {
        Path data = temp.resolve("data");
        Node.start(NodeOptions.inFolder(data)).close();
        Files.delete(data.resolve("FORMAT"));
        assertRefused(NodeOptions.inFolder(data), "has cells, but no file FORMAT", "copy");
        assertThat(data.resolve("FORMAT")).doesNotExist();
    }

    /// Without its logs the folder would look new, and its table files would be removed.
    @Test
    void aFolderThatHasLostItsLogsIsRefusedAndLeftAlone() throws Exception {
        Path data = Files.createDirectory(temp.resolve("data"));
        Path blob = Files.createDirectory(data.resolve("blobs")).resolve("0000000000000001.blob");
        Files.writeString(blob, "rows");
        assertRefused(NodeOptions.inFolder(data), "no log that names them", "whole folder");
        Files.writeString(data.resolve("FORMAT"), "3\n");
        assertRefused(NodeOptions.inFolder(data), "no log that names them", "whole folder");
        Files.createDirectories(data.resolve("cells/0/log"));
        assertRefused(NodeOptions.inFolder(data), "no log that names them", "whole folder");
        assertThat(blob).hasContent("rows");
    }

    @Test
    void foldersAndFilesAreForTheirOwnerAlone() throws Exception {
        Path data = temp.resolve("data");
        Path hdd = Files.createDirectory(temp.resolve("hdd"));
        Files.setPosixFilePermissions(hdd, PosixFilePermissions.fromString("rwxr-xr-x"));
        NodeOptions options = NodeOptions.inFolder(data).withMedia(Map.of("hdd", hdd));
        try (Node node = Node.start(options)) {
            assertThat(node.grpcPort()).isPositive();
            for (Path folder : List.of(data, hdd)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.toList()) {
                        assertThat(
                                        PosixFilePermissions.toString(
                                                Files.getPosixFilePermissions(file)))
                                .as(file.toString())
                                .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
                    }
                }
            }
        }
    }

    @Test
    void anOldFolderWhoseNewPlaceIsTakenIsRefused() throws Exception {
        Path data = Files.createDirectory(temp.resolve("data"));
        Files.writeString(data.resolve("FORMAT"), "1\n");
        Files.createDirectories(data.resolve("cells/1/blobs"));
        Files.createDirectories(data.resolve("blobs/letters"));
        assertRefused(NodeOptions.inFolder(data), "which is not empty", "move its content");
        assertThat(data.resolve("FORMAT")).hasContent("1\n");
    }

    @Test
    void aFolderOfSomethingElseIsRefusedAndLeftAlone() throws Exception {
        Path data = Files.createDirectory(temp.resolve("data"));
        Files.writeString(data.resolve("FORMAT"), "a letter\n");
        assertRefused(NodeOptions.inFolder(data), "not a data folder of Cleave", "a letter");
        Path file = Files.writeString(temp.resolve("file"), "");
        assertRefused(NodeOptions.inFolder(file), "is a file", "--data");
    }

    /// Below a file no folder can be made, whoever asks; permissions would not stop root.
    @Test
    void aFolderThatCannotBeMadeIsRefused() throws Exception {
        Path file = Files.writeString(temp.resolve("file"), "");
        assertRefused(NodeOptions.inFolder(file.resolve("data")), "cannot create", "--data");
        assertThat(names(temp)).containsExactly("file");
    }

    @Test
    void cellsThatWereMadeOnceAreOpenedAtEveryStart() throws Exception {
        NodeOptions options = NodeOptions.inFolder(temp.resolve("data"));
        try (Node node = Node.start(options.withUserCells(3))) {
            assertThat(node.store().cells()).extracting(Cell::id).containsExactly(1L, 2L, 3L);
        }
        try (Node node = Node.start(options)) {
            assertThat(node.store().cells()).hasSize(3);
        }
        try (Node node = Node.start(options.withUserCells(4))) {
            assertThat(node.store().cells()).hasSize(4);
        }
        assertThat(Fsck.run(temp.resolve("data"), Map.of()).text())
                .contains("cell 4: 0 tablets, 0 table files")
                .endsWith("clean\n");
    }

    @Test
    void aMediumIsGivenAtEveryStart() throws Exception {
        Path data = temp.resolve("data");
        Path hdd = temp.resolve("hdd");
        NodeOptions withHdd = NodeOptions.inFolder(data).withMedia(Map.of("hdd", hdd));
        for (int round = 0; round < 2; round++) {
            try (Node node = Node.start(withHdd)) {
                assertThat(hdd.resolve("blobs")).isDirectory();
                assertRefused(
                        NodeOptions.inFolder(temp.resolve("b")).withMedia(Map.of("x", hdd)),
                        "in use by process",
                        "--medium");
                assertThat(node.grpcPort()).isPositive();
            }
        }
        assertRefused(NodeOptions.inFolder(data), "medium 'hdd'", "--medium hdd=DIR");
    }

    @Test
    void aMediumThatIsNotMountedIsRefused() throws Exception {
        Path data = temp.resolve("data");
        Path hdd = temp.resolve("hdd");
        NodeOptions withHdd = NodeOptions.inFolder(data).withMedia(Map.of("hdd", hdd));
        Node.start(withHdd).close();
        Files.move(hdd, temp.resolve("elsewhere"));
        assertRefused(withHdd, "'hdd'", "mounted");
        assertThat(hdd).doesNotExist();
        Files.createDirectory(hdd);
        assertRefused(withHdd, "'hdd'", "mounted");
        Map<String, Path> moved = Map.of("hdd", temp.resolve("elsewhere"));
        Node.start(NodeOptions.inFolder(data).withMedia(moved)).close();
    }

    @Test
    void aMediumOfAnotherDataFolderIsRefused() throws Exception {
        Map<String, Path> hdd = Map.of("hdd", temp.resolve("hdd"));
        Node.start(NodeOptions.inFolder(temp.resolve("a")).withMedia(hdd)).close();
        assertRefused(
                NodeOptions.inFolder(temp.resolve("b")).withMedia(hdd), "belongs to", "MEDIUM");
        assertRefused(
                NodeOptions.inFolder(temp.resolve("b")).withMedia(Map.of("hdd", temp.resolve("b"))),
                "in use",
                "--medium");
    }

    private static NodeOptions options(Path data, int grpcPort, int httpPort) {
        return new NodeOptions(Optional.of(data), "localhost", grpcPort, httpPort, "/local");
    }

    private static void assertRefused(NodeOptions options, String what, String remedy) {
        assertThatThrownBy(() -> Node.start(options).close())
                .isInstanceOf(StartException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(remedy)
                .message()
                .doesNotContain("\n");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
