package io.cleave.cli;

import io.cleave.cli.Main.UsageException;
import io.cleave.node.NodeOptions;
import io.cleave.node.PartitioningOptions;
import io.cleave.node.ReplicaOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/// The arguments of `start` for picocli, with help texts. [StartArguments] reads the same ones
/// faster.
@Command(name = "start", description = "Start a server.", sortOptions = false)
final class StartCommand implements Callable<Integer> {
    @Option(
            names = StartArguments.DATA,
            paramLabel = "DIR",
            description =
                    "The folder that holds everything. Default: ./"
                            + StartArguments.DEFAULT_DATA
                            + ".")
    private Optional<Path> data = Optional.empty();

    @Option(
            names = StartArguments.STORAGE,
            paramLabel = "URL",
            description =
                    "Instead of a folder, a cluster of BookKeeper that ZooKeeper knows:"
                            + " bookkeeper://zk1:2181,zk2:2181/cleave")
    private Optional<String> storage = Optional.empty();

    @Option(
            names = StartArguments.GRPC_PORT,
            paramLabel = "PORT",
            defaultValue = "" + NodeOptions.DEFAULT_GRPC_PORT,
            description = "For YDB's clients; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private int grpcPort;

    @Option(
            names = StartArguments.HTTP_PORT,
            paramLabel = "PORT",
            defaultValue = "" + NodeOptions.DEFAULT_HTTP_PORT,
            description =
                    "For health, metrics and operators' requests; 0 picks a free one."
                            + " Default: ${DEFAULT-VALUE}.")
    private int httpPort;

    @Option(
            names = StartArguments.HTTP_HOST,
            paramLabel = "NAME",
            description =
                    "Another host name that HTTP requests may use, as behind a proxy; may be"
                            + " repeated.")
    private Set<String> httpHosts = new HashSet<>();

    @Option(
            names = StartArguments.DATABASE,
            paramLabel = "PATH",
            defaultValue = NodeOptions.DEFAULT_DATABASE,
            description = "The name clients give for the database. Default: ${DEFAULT-VALUE}.")
    private String database = NodeOptions.DEFAULT_DATABASE;

    @Option(
            names = StartArguments.MEDIUM,
            paramLabel = "NAME=DIR",
            description =
                    "A folder on another kind of disk, and the name by which column families choose"
                            + " it. Give it at every start; may be repeated.")
    private Map<String, Path> media = new HashMap<>();

    @Option(
            names = StartArguments.CELLS,
            paramLabel = "N",
            defaultValue = "" + NodeOptions.DEFAULT_USER_CELLS,
            description =
                    "The number of cells that hold the tablets; each has its own log. A folder"
                            + " with more cells keeps them: the number only grows."
                            + " Default: ${DEFAULT-VALUE}.")
    private int userCells;

    @Option(
            names = PartitioningOptions.AUTO,
            paramLabel = "on|off",
            description = "Whether tablets are split, merged and moved automatically. Default: on.")
    private Optional<String> autoPartitioning = Optional.empty();

    @Option(
            names = PartitioningOptions.SPLIT_CPU,
            paramLabel = "PERCENT",
            description =
                    "The load, in percent of a core, at which a tablet is split; merges go up to"
                            + " 0.7 of it. Default: 50.")
    private Optional<String> splitCpu = Optional.empty();

    @Option(
            names = PartitioningOptions.CELL_CPU,
            paramLabel = "PERCENT",
            description =
                    "Of a core, from which on a cell gives tablets to other cells. Default: 100.")
    private Optional<String> cellCpu = Optional.empty();

    @Option(
            names = PartitioningOptions.CELL_MB,
            paramLabel = "MEGABYTES",
            description =
                    "The size from which on a cell gives tablets to other cells. Default: 10240.")
    private Optional<String> cellMegabytes = Optional.empty();

    @Option(
            names = PartitioningOptions.LOAD_WINDOW,
            paramLabel = "SECONDS",
            description = "The time over which load is measured. Default: 10.")
    private Optional<String> loadWindow = Optional.empty();

    @Option(
            names = PartitioningOptions.MERGE_WINDOW,
            paramLabel = "SECONDS",
            description = "The time over which the peak load counts before a merge. Default: 3600.")
    private Optional<String> mergeWindow = Optional.empty();

    @Option(
            names = PartitioningOptions.MERGE_AGE,
            paramLabel = "SECONDS",
            description = "The minimum age of tablets that are merged. Default: 600.")
    private Optional<String> mergeAge = Optional.empty();

    @Option(
            names = PartitioningOptions.TAIL_HORIZON,
            paramLabel = "SECONDS",
            description = "How far ahead of growing keys a tablet is split. Default: 120.")
    private Optional<String> tailHorizon = Optional.empty();

    @Option(
            names = PartitioningOptions.FLUSH_AGE,
            paramLabel = "SECONDS",
            description =
                    "How long erases stay in memory before they are written to files, and the"
                            + " space of the erased rows becomes free. Default: 180.")
    private Optional<String> flushAge = Optional.empty();

    @Option(
            names = StartArguments.ZONE,
            paramLabel = "NAME",
            defaultValue = "",
            description = "The availability zone of this process; only shown to users.")
    private String zone = "";

    @Option(
            names = StartArguments.ACCEPT_LOSS,
            description =
                    "Start with a damaged folder, without the lost data; the server's log"
                            + " names what is lost. Make a copy of the folder first.")
    private boolean acceptsLoss;

    @Option(
            names = StartArguments.FREEZABLE,
            hidden = true,
            description = "Allow POST /freeze to hold up cells, for tests and measurements.")
    private boolean freezable;

    @Override
    public Integer call() throws InterruptedException {
        return new Server().run(request());
    }

    StartArguments.Request request() {
        if (storage.isPresent() && (data.isPresent() || !media.isEmpty())) {
            throw new UsageException(
                    "%s replaces folders; leave out %s and %s"
                            .formatted(
                                    StartArguments.STORAGE,
                                    StartArguments.DATA,
                                    StartArguments.MEDIUM));
        }
        if (storage.isPresent() && acceptsLoss) {
            throw new UsageException(
                    StartArguments.ACCEPT_LOSS
                            + " applies only to folders; ledgers know their last entry");
        }
        return new StartArguments.Request(options(), storage, acceptsLoss);
    }

    private NodeOptions options() {
        NodeOptions options =
                new NodeOptions(
                                Optional.of(data.orElse(Path.of(StartArguments.DEFAULT_DATA))),
                                StartArguments.HOST,
                                grpcPort,
                                httpPort,
                                database)
                        .withMedia(media)
                        .withHttpHosts(httpHosts)
                        .withUserCells(userCells)
                        .withReplicas(new ReplicaOptions(zone, freezable));
        try {
            options = options.withPartitioning(partitioning());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        StartArguments.complaint(options)
                .ifPresent(
                        complaint -> {
                            throw new UsageException(complaint);
                        });
        return options;
    }

    private Map<String, String> partitioning() {
        Map<String, String> given = new HashMap<>();
        autoPartitioning.ifPresent(text -> given.put(PartitioningOptions.AUTO, text));
        splitCpu.ifPresent(text -> given.put(PartitioningOptions.SPLIT_CPU, text));
        cellCpu.ifPresent(text -> given.put(PartitioningOptions.CELL_CPU, text));
        cellMegabytes.ifPresent(text -> given.put(PartitioningOptions.CELL_MB, text));
        loadWindow.ifPresent(text -> given.put(PartitioningOptions.LOAD_WINDOW, text));
        mergeWindow.ifPresent(text -> given.put(PartitioningOptions.MERGE_WINDOW, text));
        mergeAge.ifPresent(text -> given.put(PartitioningOptions.MERGE_AGE, text));
        tailHorizon.ifPresent(text -> given.put(PartitioningOptions.TAIL_HORIZON, text));
        flushAge.ifPresent(text -> given.put(PartitioningOptions.FLUSH_AGE, text));
        return given;
    }
}
