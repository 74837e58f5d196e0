package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class FsckCommandTest {
    @TempDir private Path temp;

    @Test
    void theExitCodeSaysWhatWasFound() throws Exception {
        Path data = temp.resolve("data");
        assertThat(Main.run("fsck", "--data", data.toString())).isEqualTo(2);
        try (Node node = Node.start(NodeOptions.inFolder(data))) {
            assertThat(node.grpcPort()).isPositive();
            assertThat(Main.run("fsck", "--data", data.toString())).isEqualTo(2);
        }
        assertThat(Main.run("fsck", "--data", data.toString())).isZero();

        Path log = data.resolve("cells/0/log");
        List<Path> segments;
        try (var files = Files.list(log)) {
            segments = files.sorted().toList();
        }
        byte[] bytes = Files.readAllBytes(segments.getFirst());
        bytes[40]++;
        Files.write(segments.getFirst(), bytes);
        assertThat(Main.run("fsck", "--data", data.toString())).isEqualTo(1);
    }
}
