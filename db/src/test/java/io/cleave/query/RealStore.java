package io.cleave.query;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.MemoryBlobs;
import io.cleave.cluster.TabletInfo;
import io.cleave.exec.ProgramRunner;
import io.cleave.exec.QueryStore;
import io.cleave.exec.RunOptions;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.View;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.TestMemory;
import io.cleave.testkit.TestStore;
import io.cleave.tree.PathEntry;
import io.cleave.txn.Isolation;
import io.cleave.txn.Transaction;
import io.cleave.typed.TypedStatement.CreateTable;
import io.cleave.value.Ints;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// A store in memory, for query texts. With `cut` tables, and those of their indexes, are cut into
/// tablets at small keys, which lie in three cells.
final class RealStore implements QueryStore {
    private static final int MOST_TABLETS = 8;
    private static final CellOptions TINY =
            new CellOptions(1 << 10, 240L << 20, 32L << 20, 384L << 20, 10_000);

    final TestStore store;

    /// Where tables are cut, by the first column of their keys.
    private final List<Long> cuts;

    private long shakes;
    private final ProgramRunner runner = new ProgramRunner(RunOptions.DEFAULT, TestMemory.runs());

    RealStore(boolean cut) {
        this(new TestStore(cut ? 3 : 1), cut);
    }

    /// Memtables of a kilobyte, in three cells.
    static RealStore tiny() {
        return new RealStore(new TestStore(TINY, new MemoryBlobs(), 3), false);
    }

    RealStore(TestStore store, boolean cut) {
        this(store, cut ? List.of(2L, 4L, 6L, 100L) : List.of());
    }

    private RealStore(TestStore store, List<Long> cuts) {
        this.store = store;
        this.cuts = cuts;
    }

    /// Fifty tablets in three cells: two keys in each but the last.
    static RealStore fifty() {
        return new RealStore(
                new TestStore(3), LongStream.range(1, 50).mapToObj(cut -> 2 * cut).toList());
    }

    /// A stop that was asked for, and a start.
    void restart() {
        store.tablets().close();
        store.restart();
    }

    @Override
    public Transaction begin() {
        return store.transactions().begin(Isolation.SERIALIZABLE);
    }

    @Override
    public Transaction beginReading() {
        return store.transactions().begin(Isolation.SNAPSHOT_READ_ONLY);
    }

    @Override
    public void apply(SchemeStep step) {
        switch (step) {
            case SchemeStep.Change(CreateTable(TableDefinition table, boolean ifNotExists, _)) ->
                    store.tree().createTable(cut(table), ifNotExists);
            case SchemeStep.Change _, SchemeStep.CreateTableAs _ -> {
                var filling =
                        new TableFilling(
                                store.tree(),
                                store.transactions(),
                                (query, transaction, rows) ->
                                        runner.run(
                                                query,
                                                transaction,
                                                Map.of(),
                                                () -> 0,
                                                new SplittableRandom(1),
                                                rows));
                var _ = new SchemeRun(store.tree(), filling, names()).run(step);
            }
        }
        tables(store.tree().database()).forEach(this::cutIndexTable);
    }

    /// The table of an index begins as one tablet, whatever its table does.
    private void cutIndexTable(String path) {
        Table table = store.tablets().table(path);
        Type first = table.key().getFirst().type();
        if (!cuts.isEmpty()
                && table.isIndexTable()
                && Ints.isInteger(first)
                && store.tablets().infos(table).size() == 1) {
            List<Type> types = List.of(first);
            store.resharding()
                    .split(
                            path,
                            cuts.stream()
                                    .map(at -> KeyCodec.encode(types, new Value[] {Value.of(at)}))
                                    .collect(Collectors.toCollection(TreeSet::new)));
            List<TabletInfo> tablets = store.tablets().infos(table);
            for (int tablet = 0; tablet < tablets.size(); tablet++) {
                long cell = tablet % store.cells().size() + 1;
                if (tablets.get(tablet).cellId() != cell) {
                    store.resharding().move(path, tablets.get(tablet).tabletId(), cell);
                }
            }
        }
    }

    /// Of a session without temporary tables.
    private SessionNames names() {
        var database = Databases.of(store);
        return database.names(database.as(Caller.IN_PROCESS).openSession());
    }

    @Override
    public Optional<Table> find(String path) {
        return store.tree().find(path);
    }

    @Override
    public Optional<View> view(String path) {
        return store.tree().view(path);
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        return store.tree().tabletCount(table, range);
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        return store.tree().cells(table, range);
    }

    /// Splits every tablet that has two rows, until a table has some, and takes one of each table
    /// to the next cell.
    void shake() {
        shakes++;
        for (String path : tables(store.tree().database())) {
            List<TabletInfo> tablets = store.tablets().infos(store.tablets().table(path));
            for (TabletInfo tablet : tablets) {
                if (tablet.rows() > 1 && tablets.size() < MOST_TABLETS) {
                    split(path, tablet.tabletId());
                }
            }
            tablets = store.tablets().infos(store.tablets().table(path));
            TabletInfo moved = tablets.get((int) (shakes % tablets.size()));
            store.resharding()
                    .move(path, moved.tabletId(), moved.cellId() % store.cells().size() + 1);
        }
    }

    /// Those of indexes, too.
    private List<String> tables(String directory) {
        List<String> paths = new ArrayList<>();
        for (PathEntry entry : store.tree().list(directory)) {
            switch (entry.kind()) {
                case TABLE -> {
                    paths.add(entry.path());
                    for (Index index : store.tablets().table(entry.path()).indexes()) {
                        paths.add(Index.path(entry.path(), index.name()));
                    }
                }
                case DATABASE, DIRECTORY -> paths.addAll(tables(entry.path()));
                case VIEW, SYSTEM_VIEW -> {}
            }
        }
        return paths;
    }

    private void split(String path, long tabletId) {
        try {
            store.resharding().split(path, tabletId);
        } catch (StatusException e) {
            // Its rows are erased ones, or versions of one.
            if (e.status() != Status.BAD_REQUEST) {
                throw e;
            }
        }
    }

    private TableDefinition cut(TableDefinition table) {
        boolean number =
                table.columns().stream()
                        .filter(column -> table.primaryKey().indexOf(column.name()) == 0)
                        .map(NewColumn::type)
                        .anyMatch(Ints::isInteger);
        if (cuts.isEmpty() || !number || !(table.layout() instanceof Layout.Single)) {
            return table;
        }
        return new TableDefinition(
                table.path(),
                table.columns(),
                table.primaryKey(),
                table.families(),
                table.options(),
                new Layout.AtKeys(cuts.stream().map(RealStore::at).toList()),
                table.attributes(),
                table.indexes());
    }

    private static List<TypedValue> at(long key) {
        return List.of(new TypedValue(Primitive.INT32, Value.of(key)));
    }
}
