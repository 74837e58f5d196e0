package io.cleave.tree;

import io.cleave.base.Env;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.cluster.CellInfo;
import io.cleave.cluster.HeldTables;
import io.cleave.cluster.Replicas;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.TabletInfo;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Access;
import io.cleave.schema.AccessChange;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ReplicaInfo;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableRules;
import io.cleave.schema.View;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/// The tree of directories, tables and views of one process, and every DDL statement.
///
/// A statement that changes an existing table takes the lock of the table, and the lock of the
/// catalog for the commit: [HeldTables]. Work on rows that a statement needs (the build of an
/// index, the check of a NOT NULL column) runs without either lock.
///
/// Threads: any.
public final class SchemeTree implements Scheme {
    private final String database;
    private final Tablets tablets;
    private final HeldTables held;
    private final Catalog catalog;
    private final Indexes indexes;
    private final IndexBuilder indexBuilder;
    private final Env env;

    /// The owner of the hidden tables that this process makes; no other process has the number.
    private final long incarnation;

    private final NewPaths newPaths;
    private final Directories directories;
    private final Alterations alterations;
    private final NotNullColumns notNullColumns;

    /// `indexBuilder` fills indexes that are added to tables with rows. `columnWork` checks and
    /// fills the rows of columns that become NOT NULL.
    public SchemeTree(
            Tablets tablets,
            Indexes indexes,
            IndexBuilder indexBuilder,
            ColumnWork columnWork,
            Env env) {
        this.database = tablets.database();
        this.tablets = tablets;
        this.indexes = indexes;
        this.indexBuilder = indexBuilder;
        this.env = env;
        held = tablets.held();
        catalog = held.catalog();
        incarnation = tablets.timeline().newId();
        newPaths = new NewPaths(database, env);
        directories = new Directories(catalog, newPaths, env);
        alterations = new Alterations(tablets, newPaths);
        notNullColumns = new NotNullColumns(tablets, alterations, columnWork);
    }

    @Override
    public String database() {
        return database;
    }

    @Override
    public long changes() {
        return catalog.changes();
    }

    @Override
    public Optional<Table> find(String path) {
        return tablets.find(path);
    }

    @Override
    public Optional<View> view(String path) {
        return catalog.view().find(path).flatMap(Node::view);
    }

    @Override
    public Access access() {
        return catalog.view().access();
    }

    @Override
    public PathEntry describe(String path) {
        return new Listing(database, catalog.view()).describe(path);
    }

    @Override
    public List<PathEntry> list(String path) {
        return new Listing(database, catalog.view()).list(path);
    }

    @Override
    public boolean createTable(TableDefinition definition, boolean ifNotExists) {
        return held.changing(
                () -> {
                    String path = definition.path();
                    Optional<Node> there = catalog.view().find(path);
                    if (there.isPresent()) {
                        return Paths.alreadyThere(there.get(), ifNotExists);
                    }
                    int paths = paths(definition);
                    create(definition, newPaths.parents(catalog.view(), path, paths));
                    return true;
                });
    }

    @Override
    public Table createHidden(TableDefinition definition) {
        Paths.check(database, definition.path());
        return held.changing(
                () -> {
                    NewPaths.checkCount(catalog.view(), paths(definition));
                    String path = HiddenTables.path(database, incarnation, catalog.newId());
                    return create(definition.at(path), List.of());
                });
    }

    @Override
    public Table copyHidden(String path) {
        String hidden = HiddenTables.path(database, incarnation, catalog.newId());
        var copy = new SchemeChange.Copy(path, hidden, true, true);
        List<Table> _ = new TableCopies(tablets, newPaths.ofHidden(), env).run(List.of(copy));
        return find(hidden).orElseThrow();
    }

    /// The number of paths of a table, including those of its indexes.
    private static int paths(TableDefinition definition) {
        return 1 + definition.indexes().size();
    }

    private Table create(TableDefinition definition, List<CatalogChange> parents) {
        Table plain = TableRules.create(definition, catalog.newId(), env.wallMicros());
        tablets.media().check(plain);
        Table table = SerialColumns.numbered(plain, catalog::newId);
        List<KeyRange> ranges = InitialLayout.ranges(table, definition.layout());
        Map<Table, List<KeyRange>> tables = new LinkedHashMap<>();
        tables.put(table, ranges);
        for (Index index : table.indexes()) {
            Paths.checkOfIndex(database, Index.path(table.path(), index.name()));
            tables.put(
                    IndexRules.table(table, index, catalog.newId(), env.wallMicros()),
                    List.of(KeyRange.ALL));
        }
        List<CatalogChange> made = new ArrayList<>(parents);
        tables.keySet().forEach(each -> made.add(new PutNode(Node.of(each))));
        tablets.newTablets().publish(tables, made);
        return table;
    }

    @Override
    public void replaceEmpty(String path, TableDefinition definition) {
        new EmptyTableReplacement(tablets).run(path, definition);
    }

    @Override
    public void show(Table hidden, String path) {
        // The rows came in several commits, and all of them are visible now.
        long now = tablets.timeline().take();
        tablets.timeline().release(now);
        tablets.wholeFrom(hidden.id(), now);
        renameTables(List.of(new Renaming(hidden.path(), path, false)));
    }

    @Override
    public boolean dropTable(String path, boolean ifExists) {
        Optional<Boolean> dropped =
                held.ifThere(
                        path,
                        Purpose.DROP,
                        (table, _) -> {
                            drop(table);
                            return true;
                        });
        if (dropped.isEmpty() && !ifExists) {
            throw PathErrors.missing(path);
        }
        return dropped.isPresent();
    }

    private void drop(Table table) {
        Alterations.refuseIndexTable(table);
        List<CatalogChange> removals = new ArrayList<>();
        List<Table> gone = new ArrayList<>(catalog.view().indexTables(table).values());
        gone.add(table);
        for (Table each : gone) {
            removals.add(new RemoveNode(each.path()));
            removals.add(new RemoveTablets(each.id()));
        }
        held.change(removals);
        tablets.forget(gone.stream().map(Table::id).collect(Collectors.toSet()));
    }

    @Override
    public void alterTable(String path, List<TableChange> changes) {
        if (NotNullColumns.concerns(changes)) {
            notNullColumns.alter(path, changes);
            return;
        }
        List<Table> added =
                held.with(path, Purpose.CHANGE_ALL, (table, _) -> alterations.run(table, changes));
        // The index is built without holding the table's lock.
        indexes.build(indexBuilder, added);
    }

    @Override
    public boolean change(SchemeChange change) {
        return switch (change) {
            case SchemeChange.TruncateTable(String path) ->
                    new Truncation(tablets, indexes).run(path);
            case SchemeChange.CopyTables(List<SchemeChange.Copy> wanted) -> {
                List<Table> toBuild = new TableCopies(tablets, newPaths, env).run(wanted);
                indexes.build(indexBuilder, toBuild);
                yield true;
            }
            case SchemeChange.AlterSequence alter -> SerialColumns.alter(held, alter);
            case SchemeChange.CreateView create ->
                    held.changing(() -> commit(Views.creation(catalog, newPaths, create)));
            case SchemeChange.DropView drop ->
                    held.changing(() -> commit(Views.removal(catalog.view(), drop)));
            case SchemeChange.Access(AccessChange access) ->
                    held.changing(() -> commit(accessChanges(access)));
        };
    }

    private Optional<List<CatalogChange>> accessChanges(AccessChange access) {
        var rules = new AccessRules(catalog.view(), database, env);
        return Optional.of(rules.changes(access)).filter(changes -> !changes.isEmpty());
    }

    private boolean commit(Optional<List<CatalogChange>> changes) {
        changes.ifPresent(catalog::change);
        return changes.isPresent();
    }

    @Override
    public void renameTables(List<Renaming> renamings) {
        new TableRenames(tablets, newPaths).run(renamings);
    }

    @Override
    public boolean makeDirectory(String path) {
        return !path.equals(database) && held.changing(() -> directories.make(path));
    }

    @Override
    public void removeDirectory(String path) {
        held.changing(
                () -> {
                    directories.remove(path);
                    return true;
                });
    }

    @Override
    public List<String> media() {
        return tablets.media().names();
    }

    @Override
    public OptionalLong upcomingNumber(Column column) {
        return SerialColumns.upcoming(catalog.sequences(), column);
    }

    @Override
    public List<TabletInfo> tablets(Table table) {
        return tablets.infos(table);
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        return tablets.tabletCount(table, range);
    }

    @Override
    public OptionalLong estimatedRows(Table table, KeyRange range) {
        return tablets.estimatedRows(table, range);
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        return tablets.cells(table, range);
    }

    @Override
    public List<CellInfo> cellInfos() {
        return tablets.cellInfos();
    }

    @Override
    public List<ReplicaInfo> replicaInfos() {
        return tablets.replicas().infos();
    }

    @Override
    public List<Replicas.Copy> replicaCopies(Table table) {
        return tablets.replicas().copies(table);
    }
}
