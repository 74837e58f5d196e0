package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.control.TabletBalancer;
import io.cleave.memory.MemoryPool;
import io.cleave.query.Database;
import io.cleave.query.Databases;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.testkit.TestStore;
import io.cleave.tree.CypressTree;
import io.cleave.txn.CommitOutcome;
import io.cleave.txn.Isolation;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transaction;
import io.cleave.value.KeyCodec;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.yt.BundleCells;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.FakeCall;
import io.cleave.yt.table.row.RowCommands;
import io.cleave.yt.table.row.RowTransactions;
import io.cleave.yt.tree.BundleOutlook;
import io.cleave.yt.tree.TabletTransactions;
import io.cleave.yt.tree.TreeCommands;
import io.cleave.yt.tree.TreeService;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// The commands on the tree and on tables, over a store in memory.
final class TestYtTables implements AutoCloseable {
    private final TestStore store;
    private final Map<String, Command> commands = new HashMap<>();
    private Database database;
    private TabletBalancer balancer;

    TestYtTables(int userCells) {
        store = new TestStore(userCells);
        balancer = store.balancer();
        build();
    }

    private void build() {
        database = Databases.of(store);
        balancer.start();
        YtTables tables = tables();
        var service =
                new TreeService(
                        new CypressTree(store.tablets(), store.env()),
                        new StoredTableNodes(tables),
                        new BundleCells(store.tablets().cellLifecycle()),
                        BundleOutlook.NONE,
                        new MemoryPool("transactions", 64 << 20, store.env()));
        TablePaths paths = (call, path) -> service.table(call, YsonNode.text(path)).path();
        TreeCommands.all(service, new NoTransactions()).forEach(this::add);
        TableCommands.all(tables, paths, service::checkUse).forEach(this::add);
        RowCommands.all(
                        database,
                        (call, path) -> paths.resolve(call, path),
                        new RowTransactions(database, store.env()))
                .forEach(this::add);
    }

    private void add(Command command) {
        commands.put(command.descriptor().name(), command);
    }

    YtTables tables() {
        return new YtTables(
                database,
                store.tablets(),
                store.resharding(),
                store.transactions(),
                new TypedComputedColumns(),
                balancer);
    }

    TestStore store() {
        return store;
    }

    void restart() {
        balancer.close();
        store.restart();
        balancer = store.balancer();
        build();
    }

    boolean knows(String name) {
        return commands.containsKey(name);
    }

    /// Runs a command on rows. The first line has the parameters, the others have the rows.
    String runOnRows(String name, String text) {
        String[] parts = text.split("\n", 2);
        return FakeCall.of(store.env(), parts[0])
                .withRows(parts.length > 1 ? parts[1] : "")
                .runs(commands.get(name));
    }

    String run(String name, String parameters, Optional<String> input) {
        FakeCall call = FakeCall.of(store.env(), parameters);
        try {
            return (input.isPresent() ? call.withInput(input.get()) : call)
                    .runs(commands.get(name));
        } catch (StatusException e) {
            // As the server answers it.
            return e.status() == Status.BAD_REQUEST || e.status() == Status.PRECONDITION_FAILED
                    ? "error 1: " + e.issues().getFirst().message()
                    : e.status() + ": " + e.getMessage();
        }
    }

    Table table(String path) {
        return store.tree().find(path).orElseThrow();
    }

    /// Writes a row as a client of YDB would. The table has one key column and a column `v`.
    CommitOutcome write(String path, long key, long value) {
        Table table = table(path);
        Transaction transaction = store.transactions().begin(Isolation.SERIALIZABLE);
        try {
            transaction.write(
                    table,
                    key(table, key),
                    new RowWrite(
                            RowWrite.Kind.UPSERT,
                            new int[] {table.indexOf("v")},
                            new Value[] {Value.of(value)}));
            return transaction.commit();
        } finally {
            transaction.rollback();
        }
    }

    static Bytes key(Table table, long key) {
        return KeyCodec.encode(table.key().stream().map(Column::type).toList(), Value.of(key));
    }

    /// The number of rows that a client of YDB can read.
    long count(String path) {
        Table table = table(path);
        Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
        try (var rows =
                transaction.scan(
                        KeyRange.ALL, ReadColumns.of(table, List.of(0)), Direction.FORWARD)) {
            long count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        } finally {
            transaction.rollback();
        }
    }

    /// Waits for the end of all actions.
    void awaitActions() {
        while (!balancer.actions().unfinished().isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        balancer.close();
        store.close();
    }

    private static final class NoTransactions implements TabletTransactions {
        @Override
        public ObjectId start(CommandCall call) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void ping(ObjectId id) {}

        @Override
        public void commit(CommandCall call, ObjectId id) {}

        @Override
        public void abort(ObjectId id) {}
    }
}
