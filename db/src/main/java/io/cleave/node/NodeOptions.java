package io.cleave.node;

import io.cleave.tablet.CellOptions;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// How a node is started. Without a data folder everything lives in memory and goes with the
/// process; a port of 0 picks a free one. `media` names further folders for table files: see
/// [Media].
public record NodeOptions(
        Optional<Path> data,
        String host,
        int grpcPort,
        int httpPort,
        String database,
        Map<String, Path> media,
        CellOptions cells) {
    public static final int DEFAULT_GRPC_PORT = 2136;
    public static final int DEFAULT_HTTP_PORT = 8765;
    public static final String DEFAULT_DATABASE = "/local";

    public NodeOptions {
        media = Map.copyOf(media);
    }

    public NodeOptions(
            Optional<Path> data, String host, int grpcPort, int httpPort, String database) {
        this(data, host, grpcPort, httpPort, database, Map.of(), CellOptions.DEFAULT);
    }

    public static NodeOptions inMemory() {
        return new NodeOptions(Optional.empty(), "localhost", 0, 0, DEFAULT_DATABASE);
    }

    public static NodeOptions inFolder(Path data) {
        return new NodeOptions(Optional.of(data), "localhost", 0, 0, DEFAULT_DATABASE);
    }

    /// The same with other thresholds for flushes and checkpoints.
    public NodeOptions withCells(CellOptions cells) {
        return new NodeOptions(data, host, grpcPort, httpPort, database, media, cells);
    }

    /// The same with these media.
    public NodeOptions withMedia(Map<String, Path> media) {
        return new NodeOptions(data, host, grpcPort, httpPort, database, media, cells);
    }
}
