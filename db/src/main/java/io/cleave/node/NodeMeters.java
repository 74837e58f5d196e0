package io.cleave.node;

import io.cleave.cluster.Cells.PinnedMemory;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.cluster.TrafficTotals;
import io.cleave.index.IndexFollowers;
import io.cleave.lsm.table.TableFiles.CacheStatistics;
import io.cleave.memory.MemoryPool;
import io.cleave.query.Database;
import io.cleave.schema.ReplicaInfo;
import io.cleave.ttl.TtlRuns;
import io.cleave.txn.CommitCounters;
import io.cleave.wire.GrpcServer;
import io.cleave.yt.YtProxy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// The metrics of a node for `/metrics`, read when they are requested. Statistics of all tablets
/// are taken once at the start of a scrape and used for all meters.
final class NodeMeters {
    private static final double MICROS = 1e6;

    private final Database database;
    private final Tablets tablets;
    private final CommitCounters commits;

    /// Statistics are taken by one thread at a time, so that no counter goes back.
    private final ReentrantLock looking = new ReentrantLock();

    private volatile Scrape scrape = new Scrape(List.of(), TrafficTotals.NONE);

    /// The statistics of all tablets from one scrape.
    private record Scrape(List<TabletInfo> infos, TrafficTotals traffic) {}

    NodeMeters(Database database, Tablets tablets, CommitCounters commits) {
        this.database = database;
        this.tablets = tablets;
        this.commits = commits;
    }

    /// Creates a registry with these meters.
    PrometheusMeterRegistry registry() {
        var registry =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT) {
                    @Override
                    public String scrape() {
                        look();
                        return super.scrape();
                    }
                };
        bindTo(registry);
        return registry;
    }

    private void look() {
        looking.lock();
        try {
            scrape = new Scrape(tablets.infos(), tablets.traffic());
        } finally {
            looking.unlock();
        }
    }

    private void bindTo(MeterRegistry registry) {
        Gauge.builder("cleave.sessions", database, d -> d.sessions().size())
                .description("open sessions")
                .register(registry);
        Gauge.builder("cleave.tablets", this, meters -> meters.scrape.infos().size())
                .description("tablets of all tables")
                .register(registry);
        Gauge.builder("cleave.stored.bytes", this, meters -> meters.sum(TabletInfo::bytes))
                .description("bytes of all tablets, memtables included; an estimate")
                .register(registry);
        Gauge.builder("cleave.stored.rows", this, meters -> meters.sum(TabletInfo::rows))
                .description("rows of all tablets; an estimate")
                .register(registry);
        counter(registry, "cleave.row.reads", "rows asked for by key", TrafficTotals::rowReads);
        counter(
                registry,
                "cleave.range.read.rows",
                "rows read by scans",
                TrafficTotals::rangeReadRows);
        counter(registry, "cleave.row.updates", "rows written", TrafficTotals::rowUpdates);
        counter(registry, "cleave.row.deletes", "rows erased", TrafficTotals::rowDeletes);
        counter(
                registry,
                "cleave.locks.broken",
                "optimistic locks broken by commits of other transactions",
                TrafficTotals::locksBroken);
        commits(registry, "one.cell", "commits in a single cell", CommitCounters::oneCell);
        commits(
                registry,
                "several.cells",
                "commits in several cells",
                CommitCounters::severalCells);
        commits(
                registry,
                "aborted.by.move",
                "transactions that were aborted only because a tablet was moved",
                CommitCounters::abortedByMove);
        bindMemory(registry);
        bindStorage(registry);
        bindFollowers(registry);
        bindReplicas(registry);
        database.background().ttlRuns().ifPresent(runs -> bindTtl(registry, runs));
    }

    /// The parts of the heap that grow with the number of clients, by name.
    private void bindMemory(MeterRegistry registry) {
        for (MemoryPool.Figures pool : database.memory().figures()) {
            memory(
                    registry,
                    pool.name(),
                    "limit.bytes",
                    "the limit of its size",
                    p -> p.limitBytes());
            memory(registry, pool.name(), "used.bytes", "bytes in use", p -> p.usedBytes());
            memory(registry, pool.name(), "waiting", "waiting requests", p -> p.waiting());
            memory(
                    registry,
                    pool.name(),
                    "refusals",
                    "requests for memory that were refused",
                    p -> p.refusals());
        }
    }

    private void memory(
            MeterRegistry registry,
            String pool,
            String figure,
            String description,
            ToDoubleFunction<MemoryPool.Figures> value) {
        Gauge.builder(
                        "cleave.memory." + figure,
                        database.memory(),
                        memory -> value.applyAsDouble(memory.figures(pool)))
                .tag("pool", pool)
                .description("memory pool, a share of the heap: " + description)
                .register(registry);
    }

    static void bindConnections(MeterRegistry registry, GrpcServer server) {
        Gauge.builder("cleave.grpc.connections", server, GrpcServer::connections)
                .description("connections of the gRPC port")
                .register(registry);
        FunctionCounter.builder(
                        "cleave.grpc.connections.refused", server, GrpcServer::refusedConnections)
                .description("connections that were refused because there were too many")
                .register(registry);
        FunctionCounter.builder(
                        "cleave.grpc.connections.evicted", server, GrpcServer::evictedConnections)
                .description("connections without calls that were closed to make room")
                .register(registry);
    }

    static void bindYt(MeterRegistry registry, YtProxy proxy) {
        Gauge.builder("cleave.yt.connections", proxy, YtProxy::connections)
                .description("connections of the port for YTsaurus' clients")
                .register(registry);
        Gauge.builder("cleave.yt.requests", proxy, YtProxy::requests)
                .description("requests of YTsaurus' clients in progress")
                .register(registry);
    }

    static void bindDisk(MeterRegistry registry, DiskSpace space) {
        Gauge.builder("cleave.disk.usable.bytes", space, DiskSpace::usableBytes)
                .description("free bytes on the fullest disk of the data folder")
                .register(registry);
        Gauge.builder("cleave.disk.full", space, watched -> watched.full().isPresent() ? 1 : 0)
                .description("1 while writes are refused because a disk is full")
                .register(registry);
    }

    /// Totals of all tables. The system view `ttl` has the figures of each table.
    private static void bindTtl(MeterRegistry registry, TtlRuns runs) {
        FunctionCounter.builder("cleave.ttl.rows.processed", runs, TtlRuns::processed)
                .description("rows that were checked for expiry")
                .register(registry);
        FunctionCounter.builder("cleave.ttl.rows.erased", runs, TtlRuns::erased)
                .description("rows that were erased because they had expired")
                .register(registry);
        Gauge.builder(
                        "cleave.ttl.backlog.rows",
                        runs,
                        all ->
                                all.list().stream()
                                        .mapToLong(info -> info.backlogRows().orElse(0))
                                        .sum())
                .description("rows that have expired and are still there; an estimate")
                .register(registry);
    }

    /// Totals of all read replicas. The system view `read_replicas` has the figures of each
    /// replica.
    private void bindReplicas(MeterRegistry registry) {
        replica(registry, "", "read replicas of cells", Stream::count);
        replica(
                registry,
                ".lag.seconds",
                "lag of the slowest read replica",
                all -> all.mapToDouble(info -> info.behindMicros() / MICROS).max().orElse(0));
        replica(
                registry,
                ".lag.p99.seconds",
                "99th percentile of the replica lag, of the slowest read replica",
                all -> all.mapToDouble(info -> info.highLagMicros() / MICROS).max().orElse(0));
        replica(
                registry,
                ".memtable.bytes",
                "bytes that read replicas hold in memory",
                all -> all.mapToLong(ReplicaInfo::memtableBytes).sum());
        FunctionCounter.builder("cleave.read.replica.reads", tablets, c -> c.replicas().reads())
                .description("stale reads of a tablet that were answered by a read replica")
                .register(registry);
        FunctionCounter.builder(
                        "cleave.read.replica.fallbacks", tablets, c -> c.replicas().fallbacks())
                .description("stale reads of a tablet that had to be answered by a leader")
                .register(registry);
    }

    private void replica(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<Stream<ReplicaInfo>> figure) {
        Gauge.builder(
                        "cleave.read.replicas" + name,
                        tablets,
                        c -> figure.applyAsDouble(c.replicas().infos().stream()))
                .description(description)
                .register(registry);
    }

    /// Totals of all ASYNC indexes. The system view `async_indexes` has the figures of each index.
    private void bindFollowers(MeterRegistry registry) {
        follower(
                registry,
                "lag.seconds",
                "age of the oldest write that is not in an ASYNC index yet",
                all -> all.mapToDouble(info -> info.lagMicros() / MICROS).max().orElse(0));
        follower(
                registry,
                "lag.p99.seconds",
                "99th percentile of the delay of ASYNC indexes, of the slowest index",
                all -> all.mapToDouble(info -> info.highLagMicros() / MICROS).max().orElse(0));
        follower(
                registry,
                "backlog.rows",
                "written rows that are not in an ASYNC index yet",
                all -> all.mapToLong(IndexFollowers.Info::backlogRows).sum());
    }

    private void follower(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<Stream<IndexFollowers.Info>> figure) {
        Gauge.builder(
                        "cleave.async.index." + name,
                        database,
                        d ->
                                figure.applyAsDouble(
                                        d.background().indexBuilds().stream()
                                                .flatMap(all -> all.followers().list().stream())))
                .description(description)
                .register(registry);
    }

    /// How transactions were committed.
    private void commits(
            MeterRegistry registry,
            String name,
            String description,
            ToLongFunction<CommitCounters> count) {
        FunctionCounter.builder("cleave.transactions." + name, commits, count::applyAsLong)
                .description(description)
                .register(registry);
    }

    /// Totals of all tables. The system view `table_storage` has the figures of each table.
    private void bindStorage(MeterRegistry registry) {
        Gauge.builder("cleave.files", this, meters -> meters.sum(t -> t.storage().files()))
                .description("table files of all tablets; two tablets may share one")
                .register(registry);
        counter(
                registry,
                "cleave.filter.checks",
                "keys that were checked in a key filter",
                TrafficTotals::filterChecks);
        counter(
                registry,
                "cleave.filter.true.positives",
                "keys that passed a key filter and existed",
                TrafficTotals::filterTruePositives);
        counter(
                registry,
                "cleave.filter.false.positives",
                "keys that passed a key filter and did not exist",
                TrafficTotals::filterFalsePositives);
        Gauge.builder("cleave.cache.bytes", tablets, c -> c.cells().cacheStatistics().bytes())
                .description("bytes of cached blocks")
                .register(registry);
        pinned(
                registry,
                "cleave.cache.pinned.bytes",
                "memory of blocks that are kept in memory because a setting says so",
                PinnedMemory::usedBytes);
        pinned(
                registry,
                "cleave.cache.pinned.limit.bytes",
                "the limit of cleave.cache.pinned.bytes",
                PinnedMemory::maxBytes);
        cacheCounter(
                registry, "cleave.cache.hits", "blocks found in the cache", CacheStatistics::hits);
        cacheCounter(
                registry,
                "cleave.cache.misses",
                "blocks not found in the cache",
                CacheStatistics::misses);
        cacheCounter(
                registry,
                "cleave.blob.read.bytes",
                "bytes of blocks read from files",
                CacheStatistics::bytesRead);
    }

    private void pinned(
            MeterRegistry registry,
            String name,
            String description,
            ToLongFunction<PinnedMemory> figure) {
        Gauge.builder(name, tablets, c -> figure.applyAsLong(c.cells().pinnedMemory()))
                .description(description)
                .register(registry);
    }

    private void cacheCounter(
            MeterRegistry registry,
            String name,
            String description,
            ToLongFunction<CacheStatistics> count) {
        FunctionCounter.builder(name, tablets, c -> count.applyAsLong(c.cells().cacheStatistics()))
                .description(description)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry,
            String name,
            String description,
            ToLongFunction<TrafficTotals> count) {
        FunctionCounter.builder(name, this, meters -> count.applyAsLong(meters.scrape.traffic()))
                .description(description)
                .register(registry);
    }

    private long sum(ToLongFunction<TabletInfo> figure) {
        return scrape.infos().stream().mapToLong(figure).sum();
    }
}
