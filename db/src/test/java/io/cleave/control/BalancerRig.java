package io.cleave.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.PolicyPerTable;
import io.cleave.balance.Rule;
import io.cleave.balance.ydb.YdbPolicy;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.blob.BlobStore;
import io.cleave.blob.MemoryBlobs;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CypressNode;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.TabletDecision.State;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.log.MemoryLog;
import io.cleave.node.Store;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.ForwardingEnv;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.StoreParts;
import io.cleave.tree.BalancerConfig;
import io.cleave.txn.BatchStream;
import io.cleave.txn.ColumnBatch;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.Isolation;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.table.query.MetricExpressions;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// A table over two cells with a balancer, in simulated time: a row that is read or written costs 2
/// µs of CPU time.
final class BalancerRig {
    static final String PATH = "/local/t";

    private static final long SEED = Long.getLong("seed", 1);
    private static final int[] VALUE = {1};
    private static final Duration STEP = Duration.ofMillis(1);

    private final Env env;
    private final Bugs bugs;
    private final Store store;
    private final MemoryBlobs userBlobs = new MemoryBlobs();
    private final TroubledRows rows;
    private final StoreParts parts;
    private final BalanceSettings settings;
    private TabletBalancer balancer;
    private final Random random = new Random(SEED);
    private long lastKey;
    private long servingNanosARow;

    private BalancerRig(Env world, BalanceSettings settings) {
        bugs = new Bugs(world);
        env = bugs;
        var options = new CellOptions(1 << 20, 64 << 20, 8 << 20, 64 << 20, 1000);
        store =
                new Store(
                        env,
                        new Backend(env, userBlobs),
                        new Store.Options("/local", 2, options, 8 << 20));
        parts = StoreParts.of(store, env);
        rows = new TroubledRows(store.catalog().decisions());
        this.settings = settings;
        balancer = newBalancer();
        balancer.start();
    }

    private TabletBalancer newBalancer() {
        return new TabletBalancer(
                parts.tablets(),
                parts.resharding(),
                rows,
                store.catalog().rounds(),
                parts.actions(store, env),
                new PolicyPerTable(
                        new YdbPolicy(),
                        new YtPolicy(new ReshardOptions(0, false, true), new MetricExpressions())),
                settings,
                env);
    }

    /// As a restart of the process does.
    void restartBalancer() {
        balancer.close();
        balancer = newBalancer();
        balancer.start();
    }

    /// Sets the wall clock forward, or back.
    void jumpWall(Duration by) {
        bugs.wallMicros += by.toNanos() / 1000;
    }

    /// Runs the test; returns a digest of all that has happened.
    static long run(BalanceSettings settings, Consumer<BalancerRig> test) {
        var env = new SimEnv(SEED);
        env.run(
                () -> {
                    var rig = new BalancerRig(env, settings);
                    test.accept(rig);
                    rig.balancer.close();
                    rig.store.close();
                });
        return env.digest();
    }

    /// While it has one, whatever comes to that point dies of it.
    private static final class Bugs extends ForwardingEnv {
        private final Env world;
        private Optional<String> planted = Optional.empty();
        private long servingNanos = -1;

        /// What the wall clock is ahead of the world's.
        private long wallMicros;

        Bugs(Env world) {
            super(world);
            this.world = world;
        }

        @Override
        public boolean mayFail(String point) {
            if (planted.filter(point::contains).isPresent()) {
                throw new IllegalStateException("a planted bug");
            }
            return super.mayFail(point);
        }

        @Override
        public long wallMicros() {
            return super.wallMicros() + wallMicros;
        }

        @Override
        public long cpuNanos() {
            return world.cpuNanos();
        }

        @Override
        public OptionalLong servingCpuNanos() {
            return servingNanos < 0 ? OptionalLong.empty() : OptionalLong.of(servingNanos);
        }

        @Override
        public boolean isOneIn(int count) {
            return world.isOneIn(count);
        }
    }

    /// From now on what comes to a point whose name has this in it fails.
    void plantBug(String point) {
        bugs.planted = Optional.of(point);
    }

    /// From now on each row that [#readFor] reads costs so much outside of tablets.
    void serveAt(long nanosARow) {
        bugs.servingNanos = 0;
        servingNanosARow = nanosARow;
    }

    void removeBug() {
        bugs.planted = Optional.empty();
    }

    /// Comes before decisions are saved.
    void troubleSaving(Runnable trouble) {
        rows.trouble(trouble);
    }

    private record Backend(Env env, BlobStore userBlobs) implements Store.Backend {
        @Override
        public Log openLog(long cellId) {
            return new MemoryLog(
                    env,
                    LogOptions.DEFAULT,
                    failure -> {
                        throw new AssertionError(failure);
                    });
        }

        @Override
        public void removeLog(long cellId) {
            boolean _ = env.mayFail("removing a log");
        }

        @Override
        public BlobStore systemBlobs() {
            return new MemoryBlobs();
        }
    }

    StoreParts parts() {
        return parts;
    }

    Catalog catalog() {
        return store.catalog();
    }

    TabletBalancer balancer() {
        return balancer;
    }

    Table table() {
        return parts.tree().find(PATH).orElseThrow();
    }

    static Bytes key(long id) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id));
    }

    /// Sets the document `//sys/tablet_balancer/config`.
    void configure(String config) {
        setDocument(BalancerConfig.path("/local"), ObjectType.DOCUMENT, yson(config), Bytes.EMPTY);
    }

    /// Sets `@tablet_balancer_config` of the bundle `default`.
    void configureBundle(String config) {
        setDocument(
                "/local/sys/tablet_cell_bundles/" + Bundles.DEFAULT,
                ObjectType.TABLET_CELL_BUNDLE,
                Bytes.EMPTY,
                yson("{tablet_balancer_config=" + config + "}"));
    }

    private void setDocument(String path, ObjectType type, Bytes value, Bytes attributes) {
        var node =
                new CypressNode(
                        path,
                        ObjectId.named(type, path),
                        type,
                        value,
                        attributes,
                        "root",
                        0,
                        0,
                        0,
                        0);
        parts.tablets()
                .held()
                .changing(
                        () -> {
                            catalog().change(List.of(new CatalogChange.PutCypress(node)));
                            return true;
                        });
    }

    static Bytes yson(String text) {
        YsonNode node = YsonNode.parse(Bytes.utf8(text)).orElseThrow();
        return YsonWriter.write(node, YsonWriter.Format.BINARY);
    }

    void create(Partitioning partitioning) {
        create(TableOptions.DEFAULT.with(partitioning));
    }

    void create(TableOptions options) {
        create(options, List.of());
    }

    void create(TableOptions options, List<Index> indexes) {
        parts.tree()
                .createTable(
                        new TableDefinition(
                                PATH,
                                List.of(
                                        column("k", Primitive.UINT64),
                                        column("v", Primitive.UTF8),
                                        column("at", Primitive.TIMESTAMP)),
                                List.of("k"),
                                List.of(),
                                options,
                                new Layout.Single(),
                                Map.of(),
                                indexes),
                        false);
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, "", Optional.empty());
    }

    /// Of all files of user tables.
    long fileBytes() {
        return userBlobs.list().stream().mapToLong(id -> userBlobs.open(id).size()).sum();
    }

    OptimisticTransactions transactions() {
        return parts.transactions();
    }

    Env env() {
        return env;
    }

    void setStates(MountStates states) {
        parts.tablets().states().change(PATH, (_, _) -> states);
    }

    int tablets() {
        return infos().size();
    }

    List<TabletInfo> infos() {
        return parts.tablets().infos(table());
    }

    long lastKey() {
        return lastKey;
    }

    void write(long from, long to, String text) {
        commit(from, to, new RowWrite(RowWrite.Kind.UPSERT, VALUE, new Value[] {Value.text(text)}));
    }

    /// Rows of text that cannot be compressed, with a time.
    void writeDated(long from, long to, int textBytes) {
        for (long id = from; id < to; id++) {
            var text = new StringBuilder();
            random.ints(textBytes, 'a', 'z').forEach(letter -> text.append((char) letter));
            Value[] values = {Value.text(text.toString()), Value.of(env.wallMicros())};
            commit(id, id + 1, new RowWrite(RowWrite.Kind.UPSERT, new int[] {1, 2}, values));
        }
    }

    void erase(long from, long to) {
        commit(from, to, new RowWrite(RowWrite.Kind.ERASE, new int[0], new Value[0]));
    }

    private void commit(long from, long to, RowWrite row) {
        Transaction tx = parts.transactions().begin(Isolation.SERIALIZABLE);
        try {
            for (long id = from; id < to; id++) {
                tx.write(table(), key(id), row);
                lastKey = Math.max(lastKey, id);
            }
            assertThat(tx.commit()).isInstanceOf(Committed.class);
        } finally {
            tx.rollback();
        }
    }

    /// Someone has read the key while another writes it.
    void breakLock(long key) {
        Transaction reader = parts.transactions().begin(Isolation.SERIALIZABLE);
        try {
            reader.get(key(key), ReadColumns.of(table(), VALUE));
            write(key, key + 1, "y");
        } finally {
            reader.rollback();
        }
    }

    /// Reads so many rows in each millisecond.
    void readFor(Duration time, int rows, ToLongFunction<Random> keys) {
        ReadColumns columns = ReadColumns.of(table(), VALUE);
        for (long step = 0; step < time.toMillis(); step++) {
            Transaction tx = parts.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
            for (int row = 0; row < rows; row++) {
                tx.get(key(keys.applyAsLong(random)), columns);
                bugs.servingNanos += bugs.servingNanos < 0 ? 0 : servingNanosARow;
            }
            tx.rollback();
            pass(STEP);
        }
    }

    /// Reads the whole table in each ten milliseconds; returns how many rows that were.
    long scanFor(Duration time) {
        ReadColumns columns = ReadColumns.of(table(), VALUE);
        long rows = 0;
        for (long step = 0; step < time.toMillis() / 10; step++) {
            Transaction tx = parts.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
            try (BatchStream batches = tx.scanBatches(KeyRange.ALL, columns).orElseThrow()) {
                for (ColumnBatch batch = batches.next(); batch != null; batch = batches.next()) {
                    rows += batch.rows();
                }
            }
            tx.rollback();
            pass(STEP.multipliedBy(10));
        }
        return rows;
    }

    /// Writes so many rows in each ten milliseconds, with growing keys.
    void appendFor(Duration time, int rows) {
        for (long step = 0; step < time.toMillis() / 10; step++) {
            write(lastKey + 1, lastKey + 1 + rows, "x");
            pass(STEP.multipliedBy(10));
        }
    }

    void pass(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    List<TabletDecision> plan() {
        return balancer.plans().of(table());
    }

    List<TabletDecision> decisions(long key) {
        return balancer.decisions(table(), Optional.of(key(key))).entries();
    }

    List<Rule> rules() {
        return balancer.decisions().stream().map(entry -> entry.content().rule()).toList();
    }

    /// The one of this rule in this state.
    TabletDecision only(Rule rule, State state) {
        List<TabletDecision> found =
                balancer.decisions().stream()
                        .filter(e -> e.content().rule() == rule && e.state() == state)
                        .toList();
        assertThat(found).as("of %s", balancer.decisions()).hasSize(1);
        return found.getFirst();
    }
}
