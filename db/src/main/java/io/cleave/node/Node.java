package io.cleave.node;

import io.cleave.balance.PolicyPerTable;
import io.cleave.balance.ydb.YdbPolicy;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.base.SystemEnv;
import io.cleave.cluster.Resharding;
import io.cleave.cluster.Tablets;
import io.cleave.console.Console;
import io.cleave.control.TabletBalancer;
import io.cleave.control.action.TabletActions;
import io.cleave.exec.spill.SpillFolder;
import io.cleave.index.IndexBuilds;
import io.cleave.log.FencedException;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.log.OnDamage;
import io.cleave.memory.MemoryBudget;
import io.cleave.query.BackgroundWork;
import io.cleave.query.Database;
import io.cleave.tree.CypressTree;
import io.cleave.tree.Indexes;
import io.cleave.tree.SchemeTree;
import io.cleave.ttl.TtlRuns;
import io.cleave.txn.ColumnRows;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.wire.GrpcServer;
import io.cleave.yt.YtCommands;
import io.cleave.yt.YtProxy;
import io.cleave.yt.table.query.MetricExpressions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A running node, from the storage to the ports. Its parts are built bottom up and closed top
/// down.
public final class Node implements AutoCloseable {
    /// Limit of the bytes that all queries together may have in temporary files.
    private static final long MAX_SPILLED_BYTES = 64L << 30;

    private static final System.Logger LOGGER = System.getLogger(Node.class.getName());

    /// The node id that clients see in discovery and in their session ids.
    private static final int NODE_ID = 1;

    /// The time that accepted requests have to finish when the node is stopped.
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    /// Logs are trimmed by whole segments, so segments are small compared with the log that a start
    /// may replay.
    static final LogOptions LOG_OPTIONS =
            new LogOptions(16L << 20, LogOptions.DEFAULT.queueBytes());

    private final NodeOptions options;
    private final NodeStorage nodeStorage;
    private final Store store;
    private final BackgroundJobs jobs;
    private final Database frontDoor;
    private final GrpcServer grpc;
    private final Console console;
    private final Optional<YtProxy> yt;

    private Node(
            NodeOptions options,
            NodeStorage nodeStorage,
            Store store,
            BackgroundJobs jobs,
            Database frontDoor,
            Ports ports) {
        this.options = options;
        this.nodeStorage = nodeStorage;
        this.store = store;
        this.jobs = jobs;
        this.frontDoor = frontDoor;
        grpc = ports.grpc;
        console = ports.console;
        yt = ports.yt;
    }

    /// What listens. There may be no port for clients of YTsaurus.
    private record Ports(GrpcServer grpc, Console console, Optional<YtProxy> yt) {}

    /// What a node does when nobody asks.
    private record BackgroundJobs(IndexBuilds builds, TtlRuns ttl, TabletBalancer balancer) {
        void start() {
            ttl.start();
            balancer.start();
        }

        void close() {
            balancer.close();
            ttl.close();
            // A client that waits for an index build is told that the build continues later.
            builds.close();
        }
    }

    /// Starts a node in this process. After a log failure the node refuses writes.
    public static Node start(NodeOptions options) throws StartException {
        return start(
                options,
                failure -> LOGGER.log(System.Logger.Level.ERROR, "the log failed", failure));
    }

    /// Starts a node; returns when it answers requests. `fatal` is called when a log fails: what
    /// reached the disk is then unknown, and all writes are refused until the node is restarted.
    public static Node start(NodeOptions options, Consumer<Throwable> fatal) throws StartException {
        return start(options, OnDamage.REFUSE, fatal);
    }

    /// Starts a node in a data folder that may be damaged. The node continues without the lost data
    /// and reports the loss in the server's log.
    public static Node startAcceptingLoss(NodeOptions options, Consumer<Throwable> fatal)
            throws StartException {
        return start(options, OnDamage.ACCEPT_LOSS, fatal);
    }

    static Node start(NodeOptions options, OnDamage onDamage, Consumer<Throwable> fatal)
            throws StartException {
        return startOn(
                (env, asked, failed) -> NodeStorage.open(env, asked, onDamage, failed),
                options,
                fatal);
    }

    /// Starts a node on remote storage, without a data folder.
    public static Node start(NodeOptions options, Storage storage, Consumer<Throwable> fatal)
            throws StartException {
        return startOn(
                (env, asked, failed) -> NodeStorage.open(env, storage, asked, failed),
                options,
                fatal);
    }

    private static Node startOn(
            NodeStorage.Opening opening, NodeOptions options, Consumer<Throwable> fatal)
            throws StartException {
        checkPort("gRPC", "--grpc-port", options.host(), options.grpcPort());
        checkPort("HTTP", "--http-port", options.host(), options.httpPort());
        if (options.ytPort() instanceof YtPort.Chosen(int number)) {
            checkPort("YT", "--yt-port", options.host(), number);
        }
        Env env = new SystemEnv(options.timeZone());
        var logFailed = new AtomicBoolean();
        NodeStorage nodeStorage =
                opening.open(
                        env,
                        options,
                        failure -> {
                            logFailed.set(true);
                            fatal.accept(failure);
                        });
        Node node = build(env, options, nodeStorage, () -> !logFailed.get());
        try {
            nodeStorage.serving(node.endpoint());
            return node;
        } catch (LogException e) {
            abandon(node);
            throw new StartException(
                    "cannot tell %s that this node is running: %s"
                            .formatted(nodeStorage.name(), e.getMessage()));
        } catch (RuntimeException e) {
            abandon(node);
            throw e;
        }
    }

    private static Node build(
            Env env, NodeOptions options, NodeStorage nodeStorage, BooleanSupplier healthy)
            throws StartException {
        try {
            var memory = MemoryBudget.ofThisProcess(env);
            Store store = open(env, options, nodeStorage, memory);
            try {
                return serve(options, env, nodeStorage, store, memory, healthy);
            } catch (StartException | RuntimeException e) {
                abandon(store);
                throw e;
            }
        } catch (StartException | RuntimeException e) {
            nodeStorage.close();
            throw e;
        }
    }

    private static Store open(
            Env env, NodeOptions options, NodeStorage nodeStorage, MemoryBudget memory)
            throws StartException {
        try {
            return new Store(
                    env,
                    nodeStorage.backend(),
                    new Store.Options(
                            options.database(),
                            options.userCells(),
                            options.cells().within(memory.memtables().limitBytes()),
                            memory.cache().limitBytes(),
                            options.replicas().zone()));
        } catch (CorruptionException e) {
            throw new StartException(
                    "cannot open %s: %s: %s"
                            .formatted(
                                    nodeStorage.name(),
                                    e.getMessage(),
                                    nodeStorage.backend().acceptsLoss()
                                            ? "the server cannot start without it; restore the data"
                                                    + " from a copy"
                                            : "restore the data from a copy; 'cleave fsck' shows"
                                                    + " all that is damaged, and 'cleave start"
                                                    + " --accept-loss' starts without the lost"
                                                    + " data, if enough is left to start from"));
        } catch (UncheckedIOException | LogException e) {
            throw new StartException("cannot open " + nodeStorage.name() + ": " + e.getMessage());
        } catch (StatusException e) {
            throw new StartException(
                    ("cannot write to %s (%s): free some space on its disk, or repair the disk, and"
                                    + " start again")
                            .formatted(nodeStorage.name(), e.getMessage()));
        }
    }

    private static Node serve(
            NodeOptions options,
            Env env,
            NodeStorage nodeStorage,
            Store store,
            MemoryBudget memory,
            BooleanSupplier healthy)
            throws StartException {
        memory.memtables().show(store::memtableBytes);
        memory.cache().show(() -> store.userFiles().cacheStatistics().bytes());
        Tablets tablets = store.tablets();
        var resharding = new Resharding(tablets, env);
        var indexes = new Indexes(tablets, env);
        var transactions = new OptimisticTransactions(tablets, env, memory.transactions());
        Optional<SpillFolder> spill =
                nodeStorage.spilled().map(path -> SpillFolder.open(path, MAX_SPILLED_BYTES));
        var builds = new IndexBuilds(tablets, resharding, indexes, transactions, env);
        var columnWork = new ColumnRows(tablets, transactions, env);
        var tree = new SchemeTree(tablets, indexes, builds, columnWork, env);
        var ttl = new TtlRuns(tablets, transactions, options.ttl(), env);
        TabletActions actions = actions(nodeStorage, store, resharding, env);
        var balancer =
                new TabletBalancer(
                        tablets,
                        resharding,
                        store.catalog().decisions(),
                        store.catalog().rounds(),
                        actions,
                        new PolicyPerTable(
                                new YdbPolicy(),
                                new YtPolicy(ReshardOptions.DEFAULT, new MetricExpressions())),
                        options.balance(),
                        env);
        var database =
                new Database(
                        env,
                        NODE_ID,
                        tree,
                        transactions,
                        memory,
                        spill,
                        new BackgroundWork(
                                Optional.of(builds), Optional.of(ttl), Optional.of(balancer)));
        GrpcServer grpc = null;
        try {
            // Before any writes, because this empties the tables of unfinished indexes.
            builds.resume();
            grpc = GrpcServer.start(env, database, options.host(), options.grpcPort());
            var meters = new NodeMeters(database, tablets, transactions.counters());
            var registry = meters.registry();
            NodeMeters.bindConnections(registry, grpc);
            store.space().ifPresent(space -> NodeMeters.bindDisk(registry, space));
            var console =
                    Console.start(
                            env,
                            options.host(),
                            options.httpPort(),
                            options.httpHosts(),
                            registry,
                            new NodeHealth(healthy, store.space()),
                            new NodeOperatorAccess(
                                    database,
                                    tablets,
                                    resharding,
                                    balancer,
                                    new CypressTree(tablets, env),
                                    options.replicas().freezable()));
            Optional<YtProxy> yt;
            try {
                yt =
                        startYt(
                                options,
                                new YtCommands.Store(
                                        env,
                                        database,
                                        tablets,
                                        resharding,
                                        transactions,
                                        balancer,
                                        new BalancerOutlook(balancer)));
            } catch (IOException e) {
                console.close();
                throw e;
            }
            yt.ifPresent(proxy -> NodeMeters.bindYt(registry, proxy));
            var jobs = new BackgroundJobs(builds, ttl, balancer);
            jobs.start();
            var ports = new Ports(grpc, console, yt);
            return new Node(options, nodeStorage, store, jobs, database, ports);
        } catch (IOException e) {
            if (grpc != null) {
                grpc.close();
            }
            builds.close();
            throw new StartException(String.valueOf(e.getMessage()));
        }
    }

    private static TabletActions actions(
            NodeStorage nodeStorage, Store store, Resharding resharding, Env env)
            throws StartException {
        try {
            return new TabletActions(store.tablets(), resharding, store.catalog().actions(), env);
        } catch (CorruptionException e) {
            throw new StartException(
                    "cannot open %s: %s: start the version of Cleave that wrote it, or restore the data from a copy"
                            .formatted(nodeStorage.name(), e.getMessage()));
        }
    }

    private static Optional<YtProxy> startYt(NodeOptions options, YtCommands.Store store)
            throws IOException {
        return switch (options.ytPort()) {
            case YtPort.Off _ -> Optional.empty();
            case YtPort.Chosen(int number) -> Optional.of(startYt(options, store, number));
            case YtPort.Usual _ -> {
                try {
                    yield Optional.of(startYt(options, store, YtPort.DEFAULT_NUMBER));
                } catch (IOException _) {
                    // The user has not asked for this port, and may not need it.
                    yield Optional.empty();
                }
            }
        };
    }

    private static YtProxy startYt(NodeOptions options, YtCommands.Store store, int number)
            throws IOException {
        return YtProxy.start(store, options.host(), number, options.httpHosts());
    }

    /// Whether a failure passed to `fatal` means that another node has taken over. This node must
    /// then stop at once, because what it reads may be out of date.
    public static boolean isReplaced(Throwable failure) {
        return failure instanceof FencedException;
    }

    public int grpcPort() {
        return grpc.port();
    }

    public int httpPort() {
        return console.port();
    }

    /// The port for clients of YTsaurus; empty if there is none.
    public OptionalInt ytPort() {
        return yt.map(proxy -> OptionalInt.of(proxy.port())).orElse(OptionalInt.empty());
    }

    Store store() {
        return store;
    }

    /// For callers in the same process, which need no network.
    public Database frontDoor() {
        return frontDoor;
    }

    public String database() {
        return options.database();
    }

    /// The connection string for YDB clients.
    public String endpoint() {
        return "grpc://" + options.host() + ":" + grpcPort() + database();
    }

    /// The line that a launcher prints when the node answers requests.
    public String readyLine() {
        return "ready " + endpoint() + " http://" + options.host() + ":" + httpPort();
    }

    /// The line about the port for clients of YTsaurus, which a launcher prints before
    /// [#readyLine]; empty if there is to be no such port.
    public Optional<String> ytLine() {
        if (yt.isPresent()) {
            return Optional.of("yt http://" + options.host() + ":" + yt.get().port());
        }
        return options.ytPort() instanceof YtPort.Usual
                ? Optional.of(
                        "yt is off: port %d is in use; choose another with --yt-port"
                                .formatted(YtPort.DEFAULT_NUMBER))
                : Optional.empty();
    }

    /// Finishes accepted requests and stops. Does not wait for a stalled log.
    @Override
    public void close() {
        store.endWhenStalled();
        console.close();
        yt.ifPresent(YtProxy::close);
        jobs.close();
        try {
            grpc.stop(STOP_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            store.close();
        } finally {
            nodeStorage.close();
        }
    }

    /// Checks that a port is free, before anything is changed.
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
                            + " cannot be opened on "
                            + host
                            + " ("
                            + e.getMessage()
                            + "): stop what uses it, or choose another with "
                            + option);
        }
    }

    /// Closes a part after a failed start. The user is told the reason of the failed start instead.
    private static void abandon(AutoCloseable built) {
        try {
            built.close();
        } catch (Exception e) {
            LOGGER.log(System.Logger.Level.DEBUG, "while closing after a failed start", e);
        }
    }
}
