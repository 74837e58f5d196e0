package io.cleave.cli;

import io.cleave.cli.Main.UsageException;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;

import org.jline.utils.Signals;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/// Serves until SIGTERM or Ctrl-C, then finishes what was accepted and ends with 0. A second signal
/// ends the process at once.
@Command(name = "start", description = "Start a server.", sortOptions = false)
final class StartCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "The folder that holds everything. Default: ./${DEFAULT-VALUE}.")
    private Path data = Path.of("data");

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            defaultValue = "" + NodeOptions.DEFAULT_GRPC_PORT,
            description = "For YDB's clients; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private int grpcPort;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "" + NodeOptions.DEFAULT_HTTP_PORT,
            description = "For health and metrics; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private int httpPort;

    @Option(
            names = "--database",
            paramLabel = "PATH",
            defaultValue = NodeOptions.DEFAULT_DATABASE,
            description = "The name clients give for the database. Default: ${DEFAULT-VALUE}.")
    private String database = NodeOptions.DEFAULT_DATABASE;

    private final CountDownLatch asked = new CountDownLatch(1);

    @Override
    public Integer call() throws InterruptedException {
        checkOptions();
        var options = new NodeOptions(Optional.of(data), "localhost", grpcPort, httpPort, database);
        stopOn("TERM");
        stopOn("INT");
        try (Node node = Node.start(options, StartCommand::die)) {
            System.out.println(node.readyLine());
            System.out.flush();
            asked.await();
            return ExitCode.OK;
        } catch (StartException e) {
            System.err.println("cleave: " + e.getMessage());
            return ExitCode.SOFTWARE;
        }
    }

    /// The log failed: what reached the disk is unknown until it is opened and read again.
    private static void die(Throwable failure) {
        System.err.println("cleave: the log failed, and nothing more can be written: " + failure);
        Runtime.getRuntime().halt(ExitCode.SOFTWARE);
    }

    private void checkOptions() {
        checkPort("--grpc-port", grpcPort);
        checkPort("--http-port", httpPort);
        if (!database.matches("(/[A-Za-z0-9_.-]+)+")) {
            throw new UsageException(
                    "--database is a path like /local, and not '" + database + "'");
        }
    }

    private void checkPort(String option, int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new UsageException(option + " is 0 to " + MAX_PORT + ", and not " + port);
        }
    }

    private void stopOn(String signal) {
        Signals.register(signal, this::stop);
    }

    private void stop() {
        if (asked.getCount() == 0) {
            Runtime.getRuntime().halt(ExitCode.SOFTWARE);
        }
        asked.countDown();
    }
}
