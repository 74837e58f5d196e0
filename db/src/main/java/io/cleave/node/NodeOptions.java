package io.cleave.node;

import io.cleave.balance.BalanceSettings;
import io.cleave.cluster.CellLimits;
import io.cleave.http.HostNames;
import io.cleave.tablet.CellOptions;
import io.cleave.ttl.TtlOptions;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The options of a node. Without a data folder all data is in memory and lost with the process. A
/// port of 0 picks a free port. `media` names additional folders for table files: see
/// [MediaFolders]. Cells are created until `userCells` were created, ever; more are kept.
/// `httpHosts` are additional host names that requests to the HTTP ports may use. `timeZone` is the
/// zone of schedules; by default that of the process.
public record NodeOptions(
        Optional<Path> data,
        String host,
        int grpcPort,
        int httpPort,
        String database,
        Map<String, Path> media,
        int userCells,
        CellOptions cells,
        TtlOptions ttl,
        BalanceSettings balance,
        ReplicaOptions replicas,
        Set<String> httpHosts,
        YtPort ytPort,
        Optional<ZoneId> timeZone) {
    public static final int DEFAULT_GRPC_PORT = 2136;
    public static final int DEFAULT_HTTP_PORT = 8765;
    public static final String DEFAULT_DATABASE = "/local";
    public static final int DEFAULT_USER_CELLS = 1;

    /// The start option of `timeZone`.
    public static final String TIME_ZONE = "--time-zone";

    /// Each cell has threads and a log that is synced separately.
    public static final int MAX_USER_CELLS = CellLimits.MAX_CELLS;

    public NodeOptions {
        media = Map.copyOf(media);
        httpHosts = Set.copyOf(httpHosts);
    }

    public NodeOptions(
            Optional<Path> data, String host, int grpcPort, int httpPort, String database) {
        this(
                data,
                host,
                grpcPort,
                httpPort,
                database,
                Map.of(),
                DEFAULT_USER_CELLS,
                CellOptions.DEFAULT,
                TtlOptions.DEFAULT,
                BalanceSettings.DEFAULT,
                ReplicaOptions.DEFAULT,
                Set.of(),
                YtPort.OFF,
                Optional.empty());
    }

    public static NodeOptions inMemory() {
        return new NodeOptions(Optional.empty(), "localhost", 0, 0, DEFAULT_DATABASE);
    }

    public static NodeOptions inFolder(Path data) {
        return new NodeOptions(Optional.of(data), "localhost", 0, 0, DEFAULT_DATABASE);
    }

    /// These options with other thresholds for flushes and checkpoints.
    public NodeOptions withCells(CellOptions cells) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    /// These options with these media.
    public NodeOptions withMedia(Map<String, Path> media) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    /// These options with another schedule for erasing expired rows.
    public NodeOptions withTtl(TtlOptions ttl) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    /// These options with at least this number of user cells.
    public NodeOptions withUserCells(int userCells) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    /// These options with the given values of [PartitioningOptions]. Throws
    /// [IllegalArgumentException], with a message, if a value is wrong.
    public NodeOptions withPartitioning(Map<String, String> given) {
        return withBalance(PartitioningOptions.read(given))
                .withCells(PartitioningOptions.read(cells, given));
    }

    /// These options with other thresholds for splits and merges.
    public NodeOptions withBalance(BalanceSettings balance) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    public NodeOptions withReplicas(ReplicaOptions replicas) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    /// Whether `name` is valid as one of `httpHosts`.
    public static boolean isHttpHost(String name) {
        return HostNames.isName(name);
    }

    /// These options with other `httpHosts`.
    public NodeOptions withHttpHosts(Set<String> httpHosts) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    /// These options with another port for clients of YTsaurus. By default there is none.
    public NodeOptions withYtPort(YtPort ytPort) {
        return new NodeOptions(
                data, host, grpcPort, httpPort, database, media, userCells, cells, ttl, balance,
                replicas, httpHosts, ytPort, timeZone);
    }

    /// These options with the time zone of this name. Throws [IllegalArgumentException], with a
    /// message, if there is none.
    public NodeOptions withTimeZone(String name) {
        try {
            return new NodeOptions(
                    data,
                    host,
                    grpcPort,
                    httpPort,
                    database,
                    media,
                    userCells,
                    cells,
                    ttl,
                    balance,
                    replicas,
                    httpHosts,
                    ytPort,
                    Optional.of(ZoneId.of(name)));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "%s must be the name of a time zone like Europe/Berlin, not '%s'"
                            .formatted(TIME_ZONE, name),
                    e);
        }
    }
}
