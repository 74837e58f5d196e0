package io.cleave.cli;

import io.cleave.cli.Main.UsageException;
import io.cleave.node.NodeOptions;
import io.cleave.node.PartitioningOptions;
import io.cleave.node.ReplicaOptions;
import io.cleave.node.YtPort;

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
                    "The folder for all data. Default: ./" + StartArguments.DEFAULT_DATA + ".")
    private Optional<Path> data = Optional.empty();

    @Option(
            names = StartArguments.STORAGE,
            paramLabel = "URL",
            description =
                    "Store the data in a BookKeeper cluster instead of a folder. The URL names the"
                            + " ZooKeeper servers and a path for this database:"
                            + " bookkeeper://zk1:2181,zk2:2181/cleave")
    private Optional<String> storage = Optional.empty();

    @Option(
            names = StartArguments.GRPC_PORT,
            paramLabel = "PORT",
            defaultValue = "" + NodeOptions.DEFAULT_GRPC_PORT,
            description =
                    "The port for YDB's clients; 0 picks a free port. Default: ${DEFAULT-VALUE}.")
    private int grpcPort;

    @Option(
            names = StartArguments.HTTP_PORT,
            paramLabel = "PORT",
            defaultValue = "" + NodeOptions.DEFAULT_HTTP_PORT,
            description =
                    "The port for health checks, metrics and operators' requests; 0 picks a free"
                            + " port. Default: ${DEFAULT-VALUE}.")
    private int httpPort;

    @Option(
            names = StartArguments.HTTP_HOST,
            paramLabel = "NAME",
            description =
                    "Accept HTTP requests with this host name, too, such as the name of a proxy."
                            + " May be repeated.")
    private Set<String> httpHosts = new HashSet<>();

    @Option(
            names = StartArguments.YT_PORT,
            paramLabel = "PORT",
            description =
                    "The port for YTsaurus' clients; 0 picks a free port. Default: "
                            + YtPort.DEFAULT_NUMBER
                            + "; if that is in use, the server starts without it.")
    private Optional<Integer> ytPort = Optional.empty();

    @Option(
            names = StartArguments.NO_YT,
            description = "Start without a port for YTsaurus' clients.")
    private boolean hasNoYt;

    @Option(
            names = StartArguments.DATABASE,
            paramLabel = "PATH",
            defaultValue = NodeOptions.DEFAULT_DATABASE,
            description = "The path by which clients name the database. Default: ${DEFAULT-VALUE}.")
    private String database = NodeOptions.DEFAULT_DATABASE;

    @Option(
            names = StartArguments.MEDIUM,
            paramLabel = "NAME=DIR",
            description =
                    "A folder on another kind of disk, and the name by which column families choose"
                            + " it. Must be given at every start. May be repeated.")
    private Map<String, Path> media = new HashMap<>();

    @Option(
            names = StartArguments.CELLS,
            paramLabel = "N",
            defaultValue = "" + NodeOptions.DEFAULT_USER_CELLS,
            description =
                    "The number of cells that hold the tablets; each cell has its own log. Cells"
                        + " are created until there were this many. A cell that was removed does"
                        + " not come back. Default: ${DEFAULT-VALUE}.")
    private int userCells;

    @Option(
            names = PartitioningOptions.AUTO,
            paramLabel = "on|off",
            description =
                    "Whether tablets are split, merged and moved automatically. If off, decisions"
                            + " are only shown. Default: on.")
    private Optional<String> autoPartitioning = Optional.empty();

    @Option(
            names = PartitioningOptions.SPLIT_CPU,
            paramLabel = "PERCENT",
            description =
                    "The CPU time of a tablet, in percent of a core, from which it is split by"
                            + " load. Tablets are merged by load if together they have at most 0.7"
                            + " of it. Default: 50.")
    private Optional<String> splitCpu = Optional.empty();

    @Option(
            names = PartitioningOptions.CELL_CPU,
            paramLabel = "PERCENT",
            description =
                    "The CPU time of a cell, in percent of a core, from which its tablets are moved"
                            + " to other cells. With half of this CPU time, half of --cell-mb is"
                            + " enough. Default: 100.")
    private Optional<String> cellCpu = Optional.empty();

    @Option(
            names = PartitioningOptions.CELL_MB,
            paramLabel = "MEGABYTES",
            description =
                    "The size of a cell, in megabytes, from which its tablets are moved to other"
                            + " cells. With half of this size, half of --cell-cpu is enough."
                            + " Default: 10240.")
    private Optional<String> cellMegabytes = Optional.empty();

    @Option(
            names = PartitioningOptions.LOAD_WINDOW,
            paramLabel = "SECONDS",
            description = "The time, in seconds, over which load is averaged. Default: 10.")
    private Optional<String> loadWindow = Optional.empty();

    @Option(
            names = PartitioningOptions.MERGE_WINDOW,
            paramLabel = "SECONDS",
            description =
                    "The time, in seconds, over which the peak load must be low before tablets are"
                            + " merged by load; at least the load window. Default: 3600.")
    private Optional<String> mergeWindow = Optional.empty();

    @Option(
            names = PartitioningOptions.MERGE_AGE,
            paramLabel = "SECONDS",
            description =
                    "The minimum age, in seconds, of tablets that are merged; at least the load"
                            + " window. Default: 600.")
    private Optional<String> mergeAge = Optional.empty();

    @Option(
            names = PartitioningOptions.TAIL_HORIZON,
            paramLabel = "SECONDS",
            description =
                    "If the keys of new rows always grow or always fall, their tablet is split at"
                            + " the key that they are expected to reach after this time, in"
                            + " seconds. Default: 120.")
    private Optional<String> tailHorizon = Optional.empty();

    @Option(
            names = PartitioningOptions.FLUSH_AGE,
            paramLabel = "SECONDS",
            description =
                    "The time, in seconds, after which erases in memory are written to files, so"
                            + " that the space of the erased rows can be freed. Default: 180.")
    private Optional<String> flushAge = Optional.empty();

    @Option(
            names = PartitioningOptions.KEEP_DECISIONS,
            paramLabel = "DAYS",
            description =
                    "For how many days decisions about tablets are kept, which ./cleave why shows."
                            + " Default: 7.")
    private Optional<String> keepDecisions = Optional.empty();

    @Option(
            names = StartArguments.ZONE,
            paramLabel = "NAME",
            defaultValue = "",
            description = "The availability zone of this process. It is only displayed.")
    private String zone = "";

    @Option(
            names = NodeOptions.TIME_ZONE,
            paramLabel = "NAME",
            description =
                    "The time zone of hours and minutes in schedules of YTsaurus' balancer, such as"
                            + " Europe/Berlin. Default: that of the process.")
    private Optional<String> timeZone = Optional.empty();

    @Option(
            names = StartArguments.ACCEPT_LOSS,
            description =
                    "Start with a damaged folder, without the lost data; the server's log"
                            + " names what is lost. Make a copy of the folder first.")
    private boolean acceptsLoss;

    @Option(
            names = StartArguments.FREEZABLE,
            hidden = true,
            description = "Allow POST /freeze to freeze cells, for tests and measurements.")
    private boolean freezable;

    @Override
    public Integer call() throws InterruptedException {
        return new Server().run(request());
    }

    StartArguments.Request request() {
        if (storage.isPresent() && (data.isPresent() || !media.isEmpty())) {
            throw new UsageException(
                    "%s replaces data folders; leave out %s and %s"
                            .formatted(
                                    StartArguments.STORAGE,
                                    StartArguments.DATA,
                                    StartArguments.MEDIUM));
        }
        if (storage.isPresent() && acceptsLoss) {
            throw new UsageException(
                    StartArguments.ACCEPT_LOSS + " applies only to folders, not to BookKeeper");
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
                        .withYtPort(ytPort())
                        .withUserCells(userCells)
                        .withReplicas(new ReplicaOptions(zone, freezable));
        try {
            options = options.withPartitioning(partitioning());
            if (timeZone.isPresent()) {
                options = options.withTimeZone(timeZone.get());
            }
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

    private YtPort ytPort() {
        if (hasNoYt) {
            if (ytPort.isPresent()) {
                throw new UsageException(
                        "%s and %s cannot be given together"
                                .formatted(StartArguments.NO_YT, StartArguments.YT_PORT));
            }
            return YtPort.OFF;
        }
        return ytPort.<YtPort>map(YtPort.Chosen::new).orElse(YtPort.DEFAULT);
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
        keepDecisions.ifPresent(text -> given.put(PartitioningOptions.KEEP_DECISIONS, text));
        return given;
    }
}
