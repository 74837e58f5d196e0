package io.cleave.cli;

import io.cleave.node.NodeOptions;
import io.cleave.node.PartitioningOptions;
import io.cleave.node.ReplicaOptions;
import io.cleave.node.YtPort;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the arguments of `start` without picocli. Picocli's classes take as long to load as the
/// whole database, because they are compiled for Java 5 and the JVM's cache cannot hold them.
///
/// Only correct arguments are read here. All others are left to [StartCommand], which explains the
/// mistake.
final class StartArguments {
    static final String DATA = "--data";
    static final String STORAGE = "--storage";
    static final String GRPC_PORT = "--grpc-port";
    static final String HTTP_PORT = "--http-port";
    static final String HTTP_HOST = "--http-host";
    static final String YT_PORT = "--yt-port";
    static final String NO_YT = "--no-yt";
    static final String DATABASE = "--database";
    static final String MEDIUM = "--medium";
    static final String CELLS = "--cells";
    static final String ZONE = "--az";
    static final String ACCEPT_LOSS = "--accept-loss";
    static final String FREEZABLE = "--allow-freeze";
    static final String DEFAULT_DATA = "data";
    static final String HOST = "localhost";

    private static final Set<String> NAMES =
            Set.of(
                    DATA,
                    STORAGE,
                    GRPC_PORT,
                    HTTP_PORT,
                    YT_PORT,
                    DATABASE,
                    CELLS,
                    ZONE,
                    NodeOptions.TIME_ZONE);

    private static final int MAX_PORT = 65_535;

    private StartArguments() {}

    /// The options of a server, and its storage if that is not a folder. With `acceptsLoss` the
    /// server starts even if the folder is damaged.
    record Request(NodeOptions options, Optional<String> storage, boolean acceptsLoss) {}

    private record Values(
            Map<String, String> single, Map<String, Path> media, Set<String> httpHosts) {}

    /// Reads `start --name value --name=value …`; empty if the arguments have another form or are
    /// wrong.
    static Optional<Request> read(String... args) {
        if (args.length == 0 || !args[0].equals("start")) {
            return Optional.empty();
        }
        return values(args).flatMap(StartArguments::request);
    }

    private static Optional<Values> values(String... args) {
        Map<String, String> values = new HashMap<>();
        Map<String, Path> media = new HashMap<>();
        Set<String> httpHosts = new HashSet<>();
        int index = 1;
        while (index < args.length) {
            String[] parts = args[index++].split("=", 2);
            if (parts[0].equals(NO_YT) && parts.length == 1) {
                if (values.put(NO_YT, "") != null) {
                    return Optional.empty();
                }
                continue;
            }
            boolean hasValue = parts.length == 2 || index < args.length;
            if (!hasValue) {
                return Optional.empty();
            }
            String value = parts.length == 2 ? parts[1] : args[index++];
            boolean isRead =
                    switch (parts[0]) {
                        case MEDIUM -> addMedium(media, value);
                        case HTTP_HOST -> !value.startsWith("-") && httpHosts.add(value);
                        default -> addSingle(values, parts[0], value);
                    };
            if (!isRead) {
                return Optional.empty();
            }
        }
        return Optional.of(new Values(values, media, httpHosts));
    }

    private static boolean addSingle(Map<String, String> values, String name, String value) {
        return (NAMES.contains(name) || PartitioningOptions.NAMES.contains(name))
                && !value.isEmpty()
                && !value.startsWith("-")
                && values.put(name, value) == null;
    }

    private static boolean addMedium(Map<String, Path> media, String value) {
        String[] parts = value.split("=", 2);
        return parts.length == 2
                && !parts[1].isEmpty()
                && media.put(parts[0], Path.of(parts[1])) == null;
    }

    private static Optional<Request> request(Values given) {
        Optional<String> storage = Optional.ofNullable(given.single().get(STORAGE));
        boolean hasFolders = given.single().containsKey(DATA) || !given.media().isEmpty();
        return storage.isPresent() && hasFolders
                ? Optional.empty()
                : options(given).map(options -> new Request(options, storage, false));
    }

    private static YtPort ytPort(Map<String, String> values) {
        String number = values.get(YT_PORT);
        if (values.containsKey(NO_YT)) {
            if (number != null) {
                throw new IllegalArgumentException(NO_YT + " and " + YT_PORT);
            }
            return YtPort.OFF;
        }
        return number == null ? YtPort.DEFAULT : new YtPort.Chosen(Integer.parseInt(number));
    }

    private static Optional<NodeOptions> options(Values given) {
        Map<String, String> values = given.single();
        try {
            var options =
                    new NodeOptions(
                                    Optional.of(Path.of(values.getOrDefault(DATA, DEFAULT_DATA))),
                                    HOST,
                                    number(values.get(GRPC_PORT), NodeOptions.DEFAULT_GRPC_PORT),
                                    number(values.get(HTTP_PORT), NodeOptions.DEFAULT_HTTP_PORT),
                                    values.getOrDefault(DATABASE, NodeOptions.DEFAULT_DATABASE))
                            .withMedia(given.media())
                            .withHttpHosts(given.httpHosts())
                            .withYtPort(ytPort(values))
                            .withUserCells(
                                    number(values.get(CELLS), NodeOptions.DEFAULT_USER_CELLS))
                            .withPartitioning(values)
                            .withReplicas(new ReplicaOptions(values.getOrDefault(ZONE, ""), false));
            String timeZone = values.get(NodeOptions.TIME_ZONE);
            options = timeZone == null ? options : options.withTimeZone(timeZone);
            return complaint(options).isPresent() ? Optional.empty() : Optional.of(options);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static int number(@Nullable String value, int otherwise) {
        return value == null ? otherwise : Integer.parseInt(value);
    }

    /// What is wrong with the options; empty if they are correct.
    static Optional<String> complaint(NodeOptions options) {
        if (!isPort(options.grpcPort())) {
            return Optional.of(portComplaint(GRPC_PORT, options.grpcPort()));
        }
        if (!isPort(options.httpPort())) {
            return Optional.of(portComplaint(HTTP_PORT, options.httpPort()));
        }
        if (options.ytPort() instanceof YtPort.Chosen(int number) && !isPort(number)) {
            return Optional.of(portComplaint(YT_PORT, number));
        }
        if (options.userCells() < 1 || options.userCells() > NodeOptions.MAX_USER_CELLS) {
            return Optional.of(
                    "%s must be from 1 to %d, not %d"
                            .formatted(CELLS, NodeOptions.MAX_USER_CELLS, options.userCells()));
        }
        for (String host : options.httpHosts()) {
            if (!NodeOptions.isHttpHost(host)) {
                return Optional.of(
                        HTTP_HOST
                                + " must be a name or an address without a port, not '"
                                + host
                                + "'");
            }
        }
        for (String medium : options.media().keySet()) {
            if (!medium.matches("[a-z][a-z0-9_]*")) {
                return Optional.of(
                        MEDIUM + " must be NAME=DIR, with a name like hdd, not '" + medium + "'");
            }
        }
        return options.database().matches("(/[A-Za-z0-9_.-]+)+")
                ? Optional.empty()
                : Optional.of(
                        DATABASE + " must be a path like /local, not '" + options.database() + "'");
    }

    private static boolean isPort(int port) {
        return port >= 0 && port <= MAX_PORT;
    }

    private static String portComplaint(String name, int port) {
        return name + " must be from 0 to " + MAX_PORT + ", not " + port;
    }
}
