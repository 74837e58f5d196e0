package io.cleave.sim;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.PolicyPerTable;
import io.cleave.balance.ydb.YdbPolicy;
import io.cleave.balance.yt.YtPolicy;
import io.cleave.balance.yt.reshard.ReshardOptions;
import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.control.TabletBalancer;
import io.cleave.control.TabletDecision;
import io.cleave.control.action.ActionRequest;
import io.cleave.control.action.Keeping;
import io.cleave.control.action.TabletAction;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletActions;
import io.cleave.exec.IndexWriter;
import io.cleave.memory.MemoryBudget;
import io.cleave.node.Store;
import io.cleave.plan.DataSteps;
import io.cleave.query.BackgroundWork;
import io.cleave.query.Database;
import io.cleave.schema.CellStage;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.LockGroups;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Partitioning;
import io.cleave.schema.RowLock;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.schema.YtColumn;
import io.cleave.schema.YtTable;
import io.cleave.sim.Simulation.Bug;
import io.cleave.sim.workload.Client;
import io.cleave.sim.workload.Expiring;
import io.cleave.tablet.Cell;
import io.cleave.testkit.StoreParts;
import io.cleave.ttl.TtlOptions;
import io.cleave.ttl.TtlRuns;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.OptimisticTransactions;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowLockTransaction;
import io.cleave.txn.RowStream;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Snapshot;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.table.TableCommands;
import io.cleave.yt.table.TypedComputedColumns;
import io.cleave.yt.table.YtTables;
import io.cleave.yt.table.query.MetricExpressions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/// What a simulated server answers: transactions over tables of numbers and texts. Lives as long as
/// its process.
///
/// Threads: one for each request.
final class Service {
    private static final int[] VALUE = {1};
    private static final int[] TIMED = {1, 2};
    private static final int[] OTHER = {2};
    private static final String TIME = "e";
    private static final int[] ROW = {0, 1};

    /// The value, and then the key.
    private static final int[] ENTRY = {0, 1};

    /// A transaction of which nothing is heard for so long is rolled back.
    private static final long IDLE_NANOS = 20_000_000_000L;

    /// So often are tables gone over whose rows expire.
    private static final Duration TTL_RUNS = Duration.ofMillis(50);

    /// When a row expires: long ago, or not in this run.
    private static final long LONG_AGO_MICROS = 1_000_000;

    private static final long NOT_YET_MICROS = 4_000_000_000_000_000L;

    /// Little load and few bytes are much, and a second is long.
    private static final BalanceSettings NERVOUS =
            BalanceSettings.DEFAULT
                    .withSplitCores(0.02)
                    .withForceSplitBytes(32 << 10)
                    .withCells(0.03, 64 << 10)
                    .withTimes(
                            Duration.ofMillis(200),
                            Duration.ofMillis(500),
                            Duration.ofMillis(300),
                            Duration.ofMillis(500));

    private static final int MAX_TABLETS = 10;

    /// The number of keys whose states are told.
    private static final int STATE_KEYS = 100;

    private static final long HEAP_BYTES = 2L << 30;

    private final Env env;
    private final Store store;
    private final OptimisticTransactions transactions;
    private final StoreParts parts;
    private final TabletActions actions;
    private final TabletBalancer balancer;
    private final Bug bug;

    /// The commands of YTsaurus' API on tables, by name.
    private final Map<String, Command> tableCommands = new HashMap<>();

    /// Changes of tablets under way.
    private int changing;

    private final ReentrantLock lock = new ReentrantLock();

    /// By the number that the client has given; under the lock.
    private final Map<Long, Open> open = new LinkedHashMap<>();

    /// Those that have ended, whose late messages do not begin them again; under the lock.
    private final Set<Long> ended = new HashSet<>();

    /// One request of a transaction at a time, as sessions see to it.
    private static final class Open {
        final ReentrantLock lock = new ReentrantLock();
        final Transaction transaction;
        long usedNanos;

        Open(Transaction transaction, long nanos) {
            this.transaction = transaction;
            usedNanos = nanos;
        }
    }

    /// What is done to a row.
    enum Change {
        VALUE,
        /// The second value of a table with lock groups.
        OTHER,
        /// A strong shared lock on the first value.
        LOCK
    }

    /// A row to be written; without a value it is erased.
    record Write(String table, long key, @Nullable String value, Change change) {}

    Service(Env env, Store store, Bug bug) {
        this.env = env;
        this.store = store;
        this.bug = bug;
        parts = StoreParts.of(store, env);
        transactions = parts.transactions();
        parts.builds().resume();
        new TtlRuns(parts.tablets(), transactions, TtlOptions.every(TTL_RUNS), env).start();
        actions = parts.actions(store, env);
        balancer =
                new TabletBalancer(
                        parts.tablets(),
                        parts.resharding(),
                        store.catalog().decisions(),
                        store.catalog().rounds(),
                        actions,
                        new PolicyPerTable(
                                new YdbPolicy(),
                                new YtPolicy(ReshardOptions.DEFAULT, new MetricExpressions())),
                        NERVOUS,
                        env);
        balancer.start();
        TableCommands.all(ytTables(), (_, path) -> path, (_, _) -> {})
                .forEach(command -> tableCommands.put(command.descriptor().name(), command));
    }

    private YtTables ytTables() {
        var database =
                new Database(
                        env,
                        1,
                        parts.tree(),
                        transactions,
                        new MemoryBudget(HEAP_BYTES, env),
                        Optional.empty(),
                        BackgroundWork.NONE);
        return new YtTables(
                database,
                parts.tablets(),
                parts.resharding(),
                transactions,
                new TypedComputedColumns(),
                balancer);
    }

    Store store() {
        return store;
    }

    /// All at one moment.
    void copyTables(List<SchemeChange.Copy> copies) {
        parts.tree().change(new SchemeChange.CopyTables(copies));
    }

    /// Runs a command of YTsaurus' API on the table at the path. Returns its answer or its error.
    String tableCommand(String name, String path, String parameters) {
        String all = "{path=\"%s\"%s}".formatted(path, parameters);
        return changing(() -> FakeCall.of(env, all).runs(tableCommands.get(name)));
    }

    /// The rows of a table, whatever the states of its tablets; empty if it is changed meanwhile.
    Optional<Client.Stored> stored(String path) {
        Table table = table(path);
        MountStates states = table.options().yt().orElse(YtTable.OTHER).states();
        SortedMap<Long, String> found = new TreeMap<>();
        try (Snapshot snapshot = transactions.snapshot();
                RowStream rows = snapshot.scan(KeyRange.ALL, ReadColumns.of(table, ROW))) {
            while (rows.next()) {
                found.put(((Value.Int) rows.row()[0]).value(), text(rows.row()[1]));
            }
        }
        List<MountState> ofKeys =
                LongStream.range(0, STATE_KEYS).mapToObj(key -> states.at(key(key))).toList();
        return table(path).version() == table.version()
                ? Optional.of(new Client.Stored(table.version(), ofKeys, found))
                : Optional.empty();
    }

    void dropTable(String path) {
        parts.tree().dropTable(path, true);
    }

    /// A tablet as an operator sees it.
    record Piece(long tabletId, long cellId, KeyRange range) {}

    List<Piece> tablets(String path) {
        return store.tablets().infos(table(path)).stream()
                .map(info -> new Piece(info.tabletId(), info.cellId(), info.range()))
                .toList();
    }

    /// What the server has decided by itself, the oldest first.
    List<TabletDecision> decisions() {
        return balancer.decisions();
    }

    /// The same if all of them are durable: a system cell that takes no writes has none of the
    /// last.
    Optional<List<TabletDecision>> savedDecisions() {
        List<TabletDecision> decisions = balancer.decisions();
        return balancer.unsavedDecisions() == 0 ? Optional.of(decisions) : Optional.empty();
    }

    List<Long> cells() {
        return store.cells().stream().map(Cell::id).toList();
    }

    /// Those that tablets may be moved to.
    List<Long> runningCells() {
        return store.catalog().view().cells().entrySet().stream()
                .filter(cell -> cell.getValue() == CellStage.RUNNING)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Cuts, merges or moves tablets, as the server does by itself, too. After the last of those
    /// under way, everything must fit.
    void change(Consumer<StoreParts> change) {
        boolean _ =
                changing(
                        () -> {
                            change.accept(parts);
                            return true;
                        });
    }

    /// Begins an action, which goes on by itself.
    ObjectId act(
            String path, Kind kind, List<Long> tabletIds, List<Long> cellIds, List<Bytes> keys) {
        return changing(
                () ->
                        actions.begin(
                                        new ActionRequest(
                                                kind,
                                                table(path),
                                                tabletIds,
                                                cellIds,
                                                keys,
                                                OptionalInt.empty(),
                                                false,
                                                Keeping.FOREVER,
                                                Origin.CLIENT))
                                .id());
    }

    /// All actions, the oldest first.
    List<TabletAction> actions() {
        return actions.list();
    }

    private <T> T changing(Supplier<T> change) {
        T result;
        changing++;
        try {
            result = change.get();
        } finally {
            changing--;
        }
        if (balancer.isAtRest() && changing == 0) {
            PartitionMap.checkAtRest(store);
        }
        return result;
    }

    /// The settings of balancers.
    Balancing balancing() {
        return new Balancing(store, parts);
    }

    /// With indexes on the value. Rows that `expire` have their time from how their value begins.
    void createTable(
            String path,
            List<Long> cuts,
            List<String> sync,
            List<String> async,
            boolean expire,
            int replicas) {
        createTable(path, cuts, sync, async, expire, replicas, false);
    }

    private void createTable(
            String path,
            List<Long> cuts,
            List<String> sync,
            List<String> async,
            boolean expire,
            int replicas,
            boolean twoValues) {
        List<NewColumn> columns =
                new ArrayList<>(
                        List.of(column("k", Primitive.UINT64), column("v", Primitive.UTF8)));
        Optional<TableOptions.Ttl> ttl = Optional.empty();
        if (twoValues) {
            columns.add(column("w", Primitive.UTF8));
        }
        if (expire) {
            columns.add(column(TIME, Primitive.TIMESTAMP));
            ttl = Optional.of(new TableOptions.Ttl(TIME, TableOptions.TtlUnit.DATE, 60, 0));
        }
        List<Index> indexes = new ArrayList<>();
        sync.forEach(name -> indexes.add(index(name, Index.Kind.SYNC)));
        async.forEach(name -> indexes.add(index(name, Index.Kind.ASYNC)));
        List<List<TypedValue>> keys =
                cuts.stream()
                        .map(cut -> List.of(new TypedValue(Primitive.UINT64, Value.of(cut))))
                        .toList();
        parts.tree()
                .createTable(
                        new TableDefinition(
                                path,
                                columns,
                                List.of("k"),
                                List.of(),
                                new TableOptions(
                                        partitioning(keys.size() + 1),
                                        Optional.empty(),
                                        Optional.of(
                                                new TableOptions.ReadReplicas(
                                                        TableOptions.Placement.ANY_AZ, replicas)),
                                        ttl),
                                keys.isEmpty() ? new Layout.Single() : new Layout.AtKeys(keys),
                                Map.of(),
                                indexes),
                        true);
    }

    /// By size and load; sometimes there are more than the maximum.
    private static Partitioning partitioning(int least) {
        return new Partitioning(true, 2048, true, least, MAX_TABLETS);
    }

    /// With two values in each row, each in a lock group of its own.
    void createLocked(String path, List<Long> cuts) {
        createTable(path, cuts, List.of(), List.of(), false, 0, true);
        Map<Integer, YtColumn> columns = new LinkedHashMap<>();
        for (Column column : table(path).columns()) {
            columns.put(
                    column.id(),
                    new YtColumn(
                            Bytes.utf8("utf8"),
                            Optional.empty(),
                            true,
                            column.name().equals("k")
                                    ? Optional.empty()
                                    : Optional.of("g" + column.name()),
                            Optional.empty(),
                            OptionalLong.empty()));
        }
        parts.tree()
                .alterTable(
                        path, List.of(new TableChange.SetYt(YtTable.OTHER.withColumns(columns))));
    }

    private static Index index(String name, Index.Kind kind) {
        return new Index(name, kind, List.of("v"), List.of(), Index.State.READY);
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, Column.DEFAULT_FAMILY, Optional.empty());
    }

    /// The transaction of this number begins with the first thing that is asked of it.
    void begin(long number, Isolation isolation) {
        List<Long> idle = new ArrayList<>();
        lock.lock();
        try {
            long now = env.nanoTime();
            open.forEach(
                    (other, used) -> {
                        if (now - used.usedNanos > IDLE_NANOS) {
                            idle.add(other);
                        }
                    });
            if (!ended.contains(number) && !open.containsKey(number)) {
                open.put(number, new Open(transactions.begin(weakened(isolation)), now));
            }
        } finally {
            lock.unlock();
        }
        idle.forEach(this::rollback);
    }

    private Isolation weakened(Isolation isolation) {
        return bug == Bug.WRITE_SKEW && isolation == Isolation.SERIALIZABLE
                ? Isolation.SNAPSHOT_READ_WRITE
                : isolation;
    }

    @Nullable String get(long number, String path, long key) {
        return in(
                number,
                transaction -> {
                    var columns = ReadColumns.of(table(path), VALUE);
                    // As requests do it: a query that is one such read has no transaction.
                    boolean newest =
                            transaction.isolation() == Isolation.ONLINE_READ_ONLY
                                    && env.random().nextBoolean();
                    Value[] row =
                            newest
                                    ? transactions.readNewest(key(key), columns)
                                    : transaction.get(key(key), columns);
                    return row == null ? null : text(row[0]);
                });
    }

    @Nullable String getOther(long number, String path, long key) {
        return in(
                number,
                transaction -> {
                    Value[] row = transaction.get(key(key), ReadColumns.of(table(path), OTHER));
                    return row == null ? null : text(row[0]);
                });
    }

    SortedMap<Long, String> scan(long number, String path, long from, long to) {
        return in(
                number,
                transaction -> {
                    SortedMap<Long, String> found = new TreeMap<>();
                    var range = new KeyRange(key(from), key(to));
                    var columns = ReadColumns.of(table(path), ROW);
                    try (RowStream rows = transaction.scan(range, columns, Direction.FORWARD)) {
                        while (rows.next()) {
                            String earlier =
                                    found.put(
                                            ((Value.Int) rows.row()[0]).value(),
                                            text(rows.row()[1]));
                            if (earlier != null) {
                                throw new AssertionError("a scan has found a row twice");
                            }
                        }
                    }
                    return found;
                });
    }

    /// All entries of an index, by the keys of their rows.
    SortedMap<Long, String> scanIndex(long number, String path) {
        return in(
                number,
                transaction -> {
                    SortedMap<Long, String> found = new TreeMap<>();
                    var columns = ReadColumns.of(table(path), ENTRY);
                    try (RowStream rows =
                            transaction.scan(KeyRange.ALL, columns, Direction.FORWARD)) {
                        while (rows.next()) {
                            long key = ((Value.Int) rows.row()[1]).value();
                            found.merge(key, text(rows.row()[0]), (one, two) -> one + "+" + two);
                        }
                    }
                    return found;
                });
    }

    void write(long number, List<Write> writes) {
        in(
                number,
                transaction -> {
                    for (Write write : writes) {
                        Table table = opened(table(write.table));
                        if (write.change == Change.LOCK) {
                            long group = LockGroups.of(table).named("gv");
                            var kind = RowLock.Kind.SHARED_STRONG;
                            ((RowLockTransaction) transaction)
                                    .lock(table, new RowLock(key(write.key), group, kind));
                            continue;
                        }
                        var indexes = DataSteps.IndexTable.of(table, parts.tablets());
                        IndexWriter.Statement statement =
                                new IndexWriter(table, indexes).begin(transaction);
                        statement.write(key(write.key), change(table, write), false);
                        statement.finish();
                    }
                    return null;
                });
    }

    private Table opened(Table table) {
        if (bug != Bug.OPEN_GATE || table.options().yt().isEmpty()) {
            return table;
        }
        YtTable mounted = table.options().yt().get().with(MountStates.MOUNTED);
        return new Table(
                table.id(),
                table.version(),
                table.path(),
                table.columns(),
                table.keyColumns(),
                table.nextColumnId(),
                table.families(),
                table.options().with(mounted),
                table.attributes(),
                table.createdMicros(),
                table.indexes(),
                table.ownerId(),
                table.wholeFrom());
    }

    CommitOutcome commit(long number) {
        return in(
                number,
                transaction -> {
                    forget(number);
                    if (bug == Bug.EARLY_ANSWER) {
                        env.spawn("commit", transaction::commit);
                        return new CommitOutcome.Committed(0);
                    }
                    return commit(transaction);
                });
    }

    /// As requests do it: some wait for the log themselves, some are told by it.
    private CommitOutcome commit(Transaction transaction) {
        var told = new CompletableFuture<CommitOutcome>();
        return env.random().nextBoolean() && transaction.commitLater(told::complete)
                ? told.join()
                : transaction.commit();
    }

    void rollback(long number) {
        Open found = find(number);
        forget(number);
        if (found != null) {
            found.lock.lock();
            try {
                found.transaction.rollback();
            } finally {
                found.lock.unlock();
            }
        }
    }

    private interface Use<T extends @Nullable Object> {
        T of(Transaction transaction);
    }

    private <T extends @Nullable Object> T in(long number, Use<T> use) {
        Open found = find(number);
        if (found == null) {
            throw new StatusException(Status.NOT_FOUND, "no transaction " + number);
        }
        found.lock.lock();
        try {
            found.usedNanos = env.nanoTime();
            boolean moves =
                    bug == Bug.MOVING_SNAPSHOT
                            && found.transaction.isolation() == Isolation.SNAPSHOT_READ_ONLY;
            return use.of(
                    moves ? transactions.begin(Isolation.ONLINE_READ_ONLY) : found.transaction);
        } finally {
            found.lock.unlock();
        }
    }

    private @Nullable Open find(long number) {
        lock.lock();
        try {
            return open.get(number);
        } finally {
            lock.unlock();
        }
    }

    private void forget(long number) {
        lock.lock();
        try {
            open.remove(number);
            ended.add(number);
        } finally {
            lock.unlock();
        }
    }

    private Table table(String path) {
        return parts.tree()
                .find(path)
                .orElseThrow(() -> new AssertionError("the table " + path + " is gone"));
    }

    private static RowWrite change(Table table, Write write) {
        String value = write.value;
        if (value == null) {
            return RowWrite.ERASE;
        }
        if (write.change == Change.OTHER) {
            return new RowWrite(RowWrite.Kind.UPSERT, OTHER, new Value[] {Value.text(value)});
        }
        if (table.indexOf(TIME) < 0) {
            return new RowWrite(RowWrite.Kind.UPSERT, VALUE, new Value[] {Value.text(value)});
        }
        return new RowWrite(
                RowWrite.Kind.UPSERT, TIMED, new Value[] {Value.text(value), time(value)});
    }

    private static Value time(String value) {
        if (value.startsWith(Expiring.GONE)) {
            return Value.of(LONG_AGO_MICROS);
        }
        return value.startsWith(Expiring.KEPT) ? Value.of(NOT_YET_MICROS) : Value.Null.NULL;
    }

    private static String text(Value value) {
        return ((Value.Text) value).value();
    }

    static Bytes key(long key) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(key));
    }
}
