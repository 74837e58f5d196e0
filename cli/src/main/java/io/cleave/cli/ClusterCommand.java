package io.cleave.cli;

import io.cleave.bookkeeper.dev.ClusterException;
import io.cleave.bookkeeper.dev.DevCluster;
import io.cleave.bookkeeper.dev.JvmCommand;
import io.cleave.bookkeeper.dev.Member;
import io.cleave.bookkeeper.dev.Member.Kind;
import io.cleave.cli.Main.UsageException;
import io.cleave.node.NodeOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/// A development cluster on this machine: a ZooKeeper, bookies, and a node that uses them.
@Command(
        name = "cluster",
        description = {
            "Run a whole cluster on this machine, for development and tests: a ZooKeeper, bookies",
            "that keep three copies of all data, and a server that uses them."
        },
        synopsisSubcommandLabel = "up|down|status|kill|start",
        sortOptions = false)
final class ClusterCommand implements Runnable {
    private static final String DEFAULT_DATA = "cluster-data";

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = DEFAULT_DATA,
            scope = ScopeType.INHERIT,
            description = "The folder of the cluster. Default: ./${DEFAULT-VALUE}.")
    private Path data = Path.of(DEFAULT_DATA);

    @Override
    public void run() {
        throw new UsageException("name a command for the cluster: up, down, status, kill or start");
    }

    @Command(
            name = "up",
            description = {
                "Start the cluster, or those of its processes that are not running.",
                "The cluster keeps running when this command has ended."
            },
            sortOptions = false)
    int up(
            @Option(
                            names = "--nodes",
                            paramLabel = "N",
                            defaultValue = "3",
                            description =
                                    "The number of bookies. There is always one server."
                                            + " Default: ${DEFAULT-VALUE}.")
                    int nodes,
            @Option(
                            names = StartArguments.GRPC_PORT,
                            paramLabel = "PORT",
                            defaultValue = "" + NodeOptions.DEFAULT_GRPC_PORT,
                            description =
                                    "The server's gRPC port, set at its first start; 0 picks a free"
                                            + " port. Default: ${DEFAULT-VALUE}.")
                    int grpcPort,
            @Option(
                            names = StartArguments.HTTP_PORT,
                            paramLabel = "PORT",
                            defaultValue = "" + NodeOptions.DEFAULT_HTTP_PORT,
                            description =
                                    "The server's HTTP port, set at its first start; 0 picks a free"
                                            + " port. Default: ${DEFAULT-VALUE}.")
                    int httpPort)
            throws InterruptedException {
        if (nodes < 1 || nodes > DevCluster.MOST_BOOKIES) {
            throw new UsageException(
                    "--nodes must be from 1 to %d, not %d"
                            .formatted(DevCluster.MOST_BOOKIES, nodes));
        }
        return with(
                DevCluster::open,
                cluster -> {
                    Duration took = cluster.up(nodes, grpcPort, httpPort);
                    print(cluster);
                    out().printf(Locale.ROOT, "ready after %.1f s%n", took.toMillis() / 1e3);
                });
    }

    @Command(name = "down", description = "Stop all processes of the cluster. Its data stays.")
    int down() throws InterruptedException {
        return with(DevCluster::down);
    }

    @Command(name = "status", description = "Show the cluster's processes.")
    int status() throws InterruptedException {
        return with(this::print);
    }

    @Command(
            name = "kill",
            description = "Kill a process of the cluster, as in a crash. Example: kill bookie 2")
    int kill(
            @Parameters(paramLabel = "KIND", description = "zookeeper, bookie or node") Kind kind,
            @Parameters(
                            paramLabel = "NUMBER",
                            arity = "0..1",
                            defaultValue = "1",
                            description = "The number of the process. Default: 1.")
                    int number)
            throws InterruptedException {
        return with(
                cluster -> {
                    boolean wasRunning = cluster.kill(kind, number);
                    out().printf(
                                    "%s %d %s%n",
                                    kind.text(),
                                    number,
                                    wasRunning ? "was killed" : "was not running");
                });
    }

    @Command(
            name = "start",
            description =
                    "Start a process of the cluster again, with its data. Example: start bookie 2")
    int start(
            @Parameters(paramLabel = "KIND", description = "zookeeper, bookie or node") Kind kind,
            @Parameters(
                            paramLabel = "NUMBER",
                            arity = "0..1",
                            defaultValue = "1",
                            description = "The number of the process. Default: 1.")
                    int number)
            throws InterruptedException {
        return with(
                cluster -> {
                    cluster.start(kind, number);
                    out().printf("%s %d is running%n", kind.text(), number);
                });
    }

    private interface Opening {
        DevCluster open(Path folder, JvmCommand jvm) throws IOException, ClusterException;
    }

    private interface Work {
        void on(DevCluster cluster) throws IOException, ClusterException, InterruptedException;
    }

    /// Runs `work` on the existing cluster.
    private int with(Work work) throws InterruptedException {
        return with(DevCluster::openExisting, work);
    }

    private int with(Opening opening, Work work) throws InterruptedException {
        try (var cluster = opening.open(data, JvmCommand.ofThisProcess(Main.class.getName()))) {
            work.on(cluster);
            return ExitCode.OK;
        } catch (ClusterException | IOException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(
                    "cleave: " + (e instanceof ClusterException ? e.getMessage() : e.toString()));
            err.flush();
            return ExitCode.SOFTWARE;
        } finally {
            out().flush();
        }
    }

    private void print(DevCluster cluster) throws ClusterException {
        String storage = cluster.storage();
        for (Member member : cluster.members()) {
            String state =
                    member.process().map(process -> "running, pid " + process.pid()).orElse("down");
            out().printf(
                            "%-10s %d  port %-5d  %s%n",
                            member.kind().text(), member.number(), member.port(), state);
        }
        out().println("storage    " + storage);
        Member node = cluster.member(Kind.NODE, 1);
        out().printf(
                        "endpoint   grpc://localhost:%d%s  http://localhost:%d%n",
                        node.port(), NodeOptions.DEFAULT_DATABASE, node.httpPort());
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
