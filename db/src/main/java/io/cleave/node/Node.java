package io.cleave.node;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.catalog.Catalog;
import io.cleave.cluster.LocalCluster;
import io.cleave.console.Console;
import io.cleave.log.LogException;
import io.cleave.query.Database;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.wire.GrpcServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A running node: storage at the bottom, the two ports at the top. Made from the bottom up, closed
/// from the top down.
public final class Node implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Node.class.getName());

    /// The id that clients find in discovery and in their session ids.
    private static final int NODE_ID = 1;

    /// How long accepted requests may take when the node is asked to stop.
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    private final NodeOptions options;
    private final Storage storage;
    private final GrpcServer grpc;
    private final Console console;

    private Node(NodeOptions options, Storage storage, GrpcServer grpc, Console console) {
        this.options = options;
        this.storage = storage;
        this.grpc = grpc;
        this.console = console;
    }

    /// Starts a node in this process. If its log fails, it refuses writes from then on.
    public static Node start(NodeOptions options) throws StartException {
        return start(
                options,
                failure -> LOGGER.log(System.Logger.Level.ERROR, "the log failed", failure));
    }

    /// Starts a node; returns when it answers. `fatal` is told when a log fails: what reached the
    /// disk is then unknown, and all writes are refused until the node is started again.
    public static Node start(NodeOptions options, Consumer<Throwable> fatal) throws StartException {
        checkPort("gRPC", "--grpc-port", options.host(), options.grpcPort());
        checkPort("HTTP", "--http-port", options.host(), options.httpPort());
        DataFolder folder = null;
        if (options.data().isPresent()) {
            folder = DataFolder.open(options.data().get(), options.media());
        }
        Env env = new SystemEnv();
        var logFailed = new AtomicBoolean();
        var storage =
                new Storage(
                        env,
                        folder,
                        options.cells(),
                        failure -> {
                            logFailed.set(true);
                            fatal.accept(failure);
                        });
        try {
            return start(options, env, storage, () -> !logFailed.get());
        } catch (IOException | UncheckedIOException | CorruptionException | LogException e) {
            abandon(storage);
            throw new StartException(
                    "cannot open "
                            + options.data().map(Path::toString).orElse("the store")
                            + ": "
                            + e.getMessage());
        } catch (StartException | RuntimeException e) {
            abandon(storage);
            throw e;
        }
    }

    private static Node start(
            NodeOptions options, Env env, Storage storage, BooleanSupplier healthy)
            throws StartException, IOException {
        var catalog = new Catalog(storage.openSystemCell());
        var cluster = new LocalCluster(options.database(), catalog, storage.openUserCell(), env);
        var database =
                new Database(env, cluster, new OptimisticTransactions(cluster, env), NODE_ID);
        GrpcServer grpc = null;
        try {
            grpc = GrpcServer.start(env, database, options.host(), options.grpcPort());
            var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            new NodeMeters(database, cluster).bindTo(registry);
            var console =
                    Console.start(
                            env,
                            options.host(),
                            options.httpPort(),
                            registry,
                            healthy,
                            cluster::compact);
            return new Node(options, storage, grpc, console);
        } catch (IOException e) {
            if (grpc != null) {
                grpc.close();
            }
            throw new StartException(String.valueOf(e.getMessage()));
        }
    }

    public int grpcPort() {
        return grpc.port();
    }

    public int httpPort() {
        return console.port();
    }

    public String database() {
        return options.database();
    }

    /// The connection string of YDB's clients.
    public String endpoint() {
        return "grpc://" + options.host() + ":" + grpcPort() + database();
    }

    /// What a launcher prints when the node answers.
    public String readyLine() {
        return "ready " + endpoint() + " http://" + options.host() + ":" + httpPort();
    }

    /// Finishes what was accepted, and ends.
    @Override
    public void close() {
        console.close();
        try {
            grpc.stop(STOP_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        storage.close();
    }

    /// Looks whether a port can be had before anything is touched.
    private static void checkPort(String what, String option, String host, int port)
            throws StartException {
        try (var probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (IOException e) {
            throw new StartException(
                    "the "
                            + what
                            + " port "
                            + port
                            + " cannot be had on "
                            + host
                            + " ("
                            + e.getMessage()
                            + "): stop what uses it, or choose another with "
                            + option);
        }
    }

    private static void abandon(Storage storage) {
        try {
            storage.close();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "while giving up a start", e);
        }
    }
}
