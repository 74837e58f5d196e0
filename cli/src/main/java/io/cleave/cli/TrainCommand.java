package io.cleave.cli;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;

import org.jline.utils.Signals;

import picocli.CommandLine.Command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// Runs typical work of a server and a client once, so that the JVM that records classes for
/// [AotCache] sees all that they need.
@Command(name = "train", hidden = true, description = "Make the AOT cache; used by the build.")
final class TrainCommand implements Callable<Integer> {
    private static final String STATEMENTS =
            """
            CREATE TABLE `training/series` (
                id Uint64 NOT NULL, title Utf8, rating Double, seen Timestamp, PRIMARY KEY (id)
            ) WITH (UNIFORM_PARTITIONS = 4);
            UPSERT INTO `training/series` (id, title, rating, seen) VALUES
                (1, "The first"u, 7.5, CurrentUtcTimestamp()),
                (9000000000000000000, "The second"u, NULL, NULL);
            SELECT * FROM `training/series` WHERE id = 1;
            SELECT COUNT(*) AS n, AVG(rating) FROM `training/series` WHERE id > 0 GROUP BY title
                ORDER BY n LIMIT 3;
            UPDATE `training/series` SET title = "Third"u WHERE id = 1;
            DELETE FROM `training/series` WHERE id = 1;
            DROP TABLE `training/series`;
            """;

    @Override
    public Integer call() throws IOException, StartException {
        Path data = Files.createTempDirectory("cleave-training");
        Signals.register("TERM", () -> {});
        try (Node node = Node.start(NodeOptions.inFolder(data))) {
            System.out.println(node.readyLine());
            String endpoint = "grpc://localhost:" + node.grpcPort() + node.database();
            int exitCode = Main.run("sql", "--endpoint", endpoint, "-e", STATEMENTS);
            read(node, "/healthz");
            read(node, "/metrics");
            return exitCode;
        } finally {
            delete(data);
        }
    }

    private static void read(Node node, String path) throws IOException {
        URI uri = URI.create("http://localhost:" + node.httpPort() + path);
        try (var body = uri.toURL().openStream()) {
            body.readAllBytes();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(TrainCommand::deleteOne);
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
