package io.cleave.cli;

import io.cleave.cli.Main.UsageException;
import io.cleave.node.NodeOptions;
import io.cleave.node.ReplicaOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/// The arguments of `start` as a person sees them. [StartArguments] reads the same ones faster.
@Command(name = "start", description = "Start a server.", sortOptions = false)
final class StartCommand implements Callable<Integer> {
    @Option(
            names = StartArguments.DATA,
            paramLabel = "DIR",
            defaultValue = StartArguments.DEFAULT_DATA,
            description = "The folder that holds everything. Default: ./${DEFAULT-VALUE}.")
    private Path data = Path.of(StartArguments.DEFAULT_DATA);

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
            names = StartArguments.DATABASE,
            paramLabel = "PATH",
            defaultValue = NodeOptions.DEFAULT_DATABASE,
            description = "The name clients give for the database. Default: ${DEFAULT-VALUE}.")
    private String database = NodeOptions.DEFAULT_DATABASE;

    @Option(
            names = StartArguments.MEDIUM,
            paramLabel = "NAME=DIR",
            description =
                    "A folder on another kind of disk, by the name that column groups choose it by."
                            + " Give it at every start; may be repeated.")
    private Map<String, Path> media = new HashMap<>();

    @Option(
            names = StartArguments.CELLS,
            paramLabel = "N",
            defaultValue = "" + NodeOptions.DEFAULT_USER_CELLS,
            description =
                    "How many cells tablets are spread over; each has a log of its own. A folder"
                            + " that has more keeps them: the number only grows."
                            + " Default: ${DEFAULT-VALUE}.")
    private int userCells;

    @Option(
            names = StartArguments.ZONE,
            paramLabel = "NAME",
            defaultValue = "",
            description = "The availability zone that this process is in, to be shown.")
    private String zone = "";

    @Option(
            names = StartArguments.FREEZABLE,
            hidden = true,
            description = "Lets POST /freeze hold up cells, for tests and measurements.")
    private boolean freezable;

    @Override
    public Integer call() throws InterruptedException {
        return new Server().run(options());
    }

    NodeOptions options() {
        var options =
                new NodeOptions(
                                Optional.of(data),
                                StartArguments.HOST,
                                grpcPort,
                                httpPort,
                                database)
                        .withMedia(media)
                        .withUserCells(userCells)
                        .withReplicas(new ReplicaOptions(zone, freezable));
        StartArguments.complaint(options)
                .ifPresent(
                        complaint -> {
                            throw new UsageException(complaint);
                        });
        return options;
    }
}
