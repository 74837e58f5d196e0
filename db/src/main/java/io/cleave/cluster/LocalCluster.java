package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.DecisionRows;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.lsm.TableFiles.CacheStatistics;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.Access;
import io.cleave.schema.Column;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableRules;
import io.cleave.schema.View;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.Spool;
import io.cleave.tablet.Timeline;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// The tree of tables over the user cells of one process.
///
/// Tablets of a table are created in the cells before the catalog names them, and removed after the
/// catalog has dropped them. A crash in between leaves tablets that belong to no table; they are
/// removed at start. Storage settings are changed in the catalog first; at start, tablets with
/// outdated settings are updated.
///
/// A change to an existing table holds the table in `tables`, and then `lock` during the catalog
/// change.
///
/// Threads: any.
public final class LocalCluster implements Scheme {
    private final String database;
    private final Catalog catalog;
    private final Cells cells;
    private final Media media;
    private final Env env;
    private final NewPaths newPaths;
    private final NewTablets newTablets;
    private final TabletChanges changes;
    private final TableLocks tables = new TableLocks();
    private final TabletMaps maps = new TabletMaps();
    private final ClusterIndexes indexes;

    /// Set once, before the first index is added.
    private volatile @Nullable IndexBuilder indexBuilder;

    /// Set once, before the first column becomes NOT NULL.
    private volatile @Nullable ColumnWork columnWork;

    private final Replicas replicas;
    private final Directories directories;
    private final OtherChanges otherChanges;
    private final Alterations alterations;

    /// One change of the catalog at a time.
    private final ReentrantLock lock = new ReentrantLock();

    /// `cells` are all user cells of the node; they share their media and their cache.
    public LocalCluster(String database, Catalog catalog, List<Cell> cells, Env env) {
        this(database, catalog, cells, env, TabletLimits.DEFAULT);
    }

    LocalCluster(String database, Catalog catalog, List<Cell> cells, Env env, TabletLimits limits) {
        this.database = database;
        this.catalog = catalog;
        this.cells = new Cells(cells);
        this.env = env;
        media = new Media(this.cells.first().media());
        newPaths = new NewPaths(database, env);
        directories = new Directories(catalog, newPaths, env);
        newTablets = new NewTablets(catalog, this.cells, maps, media, limits);
        var copies = new TableCopies(this, catalog, this.cells, tables, newPaths, newTablets, env);
        otherChanges = new OtherChanges(this, catalog, newPaths, newTablets, maps, copies);
        alterations = new Alterations(this, catalog, this.cells, media, newPaths, newTablets);
        indexes = new ClusterIndexes(this, catalog, this.cells, new CommitGate(env));
        catalog.createTables();
        Bundles.adoption(catalog.view(), this.cells.ids())
                .ifPresent(adoption -> catalog.change(List.of(adoption)));
        HiddenTables.removal(catalog.view(), database).ifPresent(catalog::change);
        NotNullColumns.undoing(catalog.view()).ifPresent(catalog::change);
        changes = new TabletChanges(catalog, lock, this.cells, maps, env, limits);
        new Restart(catalog, this.cells, maps).run();
        catalog.view().tables().forEach(this::configure);
        replicas = new Replicas(catalog, this.cells, env);
    }

    /// Throws [io.cleave.base.CorruptionException] if these cells do not belong to this catalog.
    /// Writes nothing, so a refused folder stays unchanged.
    public static void check(Catalog catalog, List<Cell> cells) {
        Restart.reconciliation(catalog, new Cells(cells));
    }

    @Override
    public String database() {
        return database;
    }

    public ClusterIndexes indexes() {
        return indexes;
    }

    public Replicas replicas() {
        return replicas;
    }

    @Override
    public List<Replicas.Info> replicaInfos() {
        return replicas.infos();
    }

    @Override
    public List<Replicas.Copy> replicaCopies(Table table) {
        return replicas.copies(table);
    }

    /// Sets the builder that fills indexes added to tables.
    public void setIndexBuilder(IndexBuilder builder) {
        indexBuilder = builder;
    }

    /// Sets the worker that checks and fills the rows of columns that become NOT NULL.
    public void setColumnWork(ColumnWork work) {
        columnWork = work;
    }

    CatalogView view() {
        return catalog.view();
    }

    /// Every table, including index tables.
    public List<Table> allTables() {
        return catalog.view().tables();
    }

    /// The index tables of a table.
    public List<Table> indexTables(Table table) {
        return List.copyOf(IndexChanges.tables(catalog.view(), table).values());
    }

    @Override
    public List<String> media() {
        return media.names();
    }

    @Override
    public Optional<Table> find(String path) {
        return catalog.view().find(path).flatMap(Node::table);
    }

    /// The timeline of commit timestamps, shared by all tables.
    public Timeline timeline() {
        return cells.first().timeline();
    }

    /// Where the table's keys are. Throws SCHEME_ERROR if the table was dropped.
    public TabletMap map(Table table) {
        return maps.of(table, catalog.view());
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        return map(table).find(range).size();
    }

    @Override
    public OptionalLong estimatedRows(Table table, KeyRange range) {
        return OptionalLong.of(
                map(table).find(range).stream()
                        .mapToLong(part -> part.route().tablet().estimatedRows(part.range()))
                        .sum());
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        Set<Long> ids = new TreeSet<>();
        map(table).find(range).forEach(part -> ids.add(part.route().cell().id()));
        return ids;
    }

    @Override
    public List<TabletInfo> tablets(Table table) {
        return infos(map(table).routes());
    }

    private List<TabletInfo> infos(List<Route> routes) {
        long now = env.wallMicros();
        return routes.stream().map(route -> TabletInfo.of(route, now)).toList();
    }

    /// The traffic of all tablets since the process started.
    public TrafficTotals traffic() {
        return maps.traffic();
    }

    /// Statistics of the cache that all tablets share.
    public CacheStatistics cacheStatistics() {
        return cells.first().cacheStatistics();
    }

    /// Every tablet of every table, in no order.
    public List<TabletInfo> allTablets() {
        return infos(
                cells.all().stream()
                        .flatMap(
                                cell ->
                                        cell.tablets().stream()
                                                .map(tablet -> new Route(cell, tablet)))
                        .toList());
    }

    /// The cells of each bundle, by its name.
    public SortedMap<String, List<Long>> bundles() {
        return catalog.view().bundles();
    }

    /// Creates the bundle, or changes its cells; a bundle without cells is removed. Cells that are
    /// then in no bundle go to `default`.
    public void putBundle(String name, List<Long> cellIds) {
        changing(
                () -> {
                    CatalogView view = catalog.view();
                    List<CatalogChange> puts = Bundles.putting(view, cells.ids(), name, cellIds);
                    changes.refuseIfUnderWay(view.with(puts));
                    catalog.change(puts);
                    return true;
                });
    }

    /// The system table that stores decisions about tablets.
    DecisionRows decisionRows() {
        return catalog.decisions();
    }

    /// The next number of a column's sequence. A number is never given twice.
    public long nextValue(Table table, int column) {
        return SerialColumns.next(catalog.sequences(), table, column);
    }

    @Override
    public OptionalLong upcomingNumber(Column column) {
        return SerialColumns.upcoming(catalog.sequences(), column);
    }

    /// Stores the exact positions of the sequences, so that no numbers are skipped. Nothing may be
    /// written after this call.
    public void close() {
        replicas.close();
        catalog.sequences().close();
    }

    @Override
    public Optional<View> view(String path) {
        return catalog.view().find(path).flatMap(Node::view);
    }

    @Override
    public long changes() {
        return catalog.changes();
    }

    @Override
    public Access access() {
        return catalog.view().access();
    }

    @Override
    public boolean change(SchemeChange change) {
        return otherChanges.run(change);
    }

    @Override
    public Table createHidden(TableDefinition definition) {
        Paths.check(database, definition.path());
        lock.lock();
        try {
            NewPaths.checkCount(catalog.view(), paths(definition));
            String path = HiddenTables.path(database, catalog.newId());
            create(definition.at(path), List.of());
            return find(path).orElseThrow(() -> Paths.missing(path));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void show(Table hidden, String path) {
        // The rows came in several commits, and all of them are visible now.
        long now = timeline().take();
        timeline().release(now);
        wholeFrom(hidden.id(), now);
        renameTables(List.of(new Renaming(hidden.path(), path, false)));
    }

    @Override
    public boolean createTable(TableDefinition definition, boolean ifNotExists) {
        return changing(
                () -> {
                    String path = definition.path();
                    Optional<Node> there = catalog.view().find(path);
                    if (there.isPresent()) {
                        return Paths.alreadyThere(there.get(), ifNotExists);
                    }
                    int paths = paths(definition);
                    return create(definition, newPaths.parents(catalog.view(), path, paths));
                });
    }

    /// The number of paths of a table, including those of its indexes.
    private static int paths(TableDefinition definition) {
        return 1 + definition.indexes().size();
    }

    private boolean create(TableDefinition definition, List<CatalogChange> parents) {
        Table table = TableRules.create(definition, catalog.newId(), env.wallMicros());
        media.check(table);
        table = SerialColumns.numbered(table, catalog::newId);
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
        newTablets.publish(tables, made);
        return true;
    }

    @Override
    public boolean dropTable(String path, boolean ifExists) {
        Optional<Boolean> dropped =
                ifThere(
                        path,
                        Purpose.DROP,
                        (table, _) -> {
                            Alterations.refuseIndexTable(table);
                            List<CatalogChange> removals = new ArrayList<>();
                            List<Table> gone = new ArrayList<>(indexTables(table));
                            gone.add(table);
                            for (Table each : gone) {
                                removals.add(new RemoveNode(each.path()));
                                removals.add(new RemoveTablets(each.id()));
                            }
                            change(removals);
                            forget(gone.stream().map(Table::id).collect(Collectors.toSet()));
                            return true;
                        });
        if (dropped.isEmpty() && !ifExists) {
            throw Paths.missing(path);
        }
        return dropped.isPresent();
    }

    @Override
    public void alterTable(String path, List<TableChange> changed) {
        alterations.alter(
                path, changed, Optional.ofNullable(indexBuilder), Optional.ofNullable(columnWork));
    }

    /// Builds the new indexes of these index tables. No table lock is held meanwhile.
    void build(List<Table> indexTables) {
        IndexBuilder builder = indexBuilder;
        if (builder != null) {
            indexes.build(builder, indexTables);
        }
    }

    /// Replaces the table of the index by a new, empty one. The caller holds the locks of the table
    /// and of its index tables.
    Table emptyIndex(Table table, String name) {
        return alterations.emptyIndex(table, name);
    }

    /// Declares the table incomplete before `timestamp`: rows that belong to it are missing there.
    void wholeFrom(long tableId, long timestamp) {
        maps.wholeFrom(tableId, timestamp);
    }

    /// The bulk load of an index table has ended, with or without success.
    void endLoad(long tableId) {
        cells.all().forEach(cell -> cell.endLoad(tableId));
    }

    /// Temporary storage for sorting many rows.
    Spool newSpool() {
        return cells.first().newSpool();
    }

    /// Rewrites the whole table with its current settings and without versions that nobody can see
    /// any more. Returns when that is done. The path may omit the database. A tablet that is split,
    /// merged or moved meanwhile is rewritten where its keys are then.
    public void compact(String path) {
        TableCompaction.run(map(table(path)));
    }

    /// Splits the table's tablets at these keys, each in its cell. Returns the new tablets once
    /// they serve. Throws BAD_REQUEST, having changed nothing, if a key cannot be split at.
    public List<TabletInfo> split(String path, Collection<Bytes> keys) {
        return tabletChange(path, (table, held) -> changes.split(table, held, keys));
    }

    /// Splits tablets of a table that was seen earlier; throws ABORTED if another table is at its
    /// path.
    List<TabletInfo> split(Table seen, Collection<Bytes> keys) {
        return tabletChange(
                seen.path(),
                (table, held) -> {
                    if (table.id() != seen.id()) {
                        throw new StatusException(
                                Status.ABORTED,
                                "Table '%s' was replaced meanwhile".formatted(seen.path()));
                    }
                    return changes.split(table, held, keys);
                });
    }

    /// Splits a tablet into two halves of about equal size.
    public List<TabletInfo> split(String path, long tabletId) {
        return tabletChange(path, (table, held) -> changes.splitInTwo(table, held, tabletId));
    }

    /// Merges two or more adjacent tablets, in the cell of the largest one that is inside the
    /// table's bundle.
    public TabletInfo merge(String path, Collection<Long> tabletIds) {
        return tabletChange(path, (table, held) -> List.of(changes.merge(table, held, tabletIds)))
                .getFirst();
    }

    /// Moves a tablet to another cell of the table's bundle; does nothing if it is already there.
    public TabletInfo move(String path, long tabletId, long cellId) {
        return tabletChange(path, (table, held) -> List.of(changes.move(table, tabletId, cellId)))
                .getFirst();
    }

    private interface TabletWork {
        List<Route> run(Table table, TableLocks.Held held);
    }

    private List<TabletInfo> tabletChange(String path, TabletWork work) {
        return with(absolute(path), Purpose.CHANGE, (table, held) -> infos(work.run(table, held)));
    }

    /// The table at a path, which may omit the database; throws SCHEME_ERROR if there is none.
    public Table table(String path) {
        return Paths.tableAt(existing(absolute(path)));
    }

    private String absolute(String path) {
        return path.startsWith("/") ? path : database + "/" + path;
    }

    @Override
    public void renameTables(List<Renaming> renamings) {
        new TableRenames(this, catalog, tables, newPaths).run(renamings);
    }

    @Override
    public boolean makeDirectory(String path) {
        return !path.equals(database) && changing(() -> directories.make(path));
    }

    @Override
    public void removeDirectory(String path) {
        changing(
                () -> {
                    directories.remove(path);
                    return true;
                });
    }

    @Override
    public PathEntry describe(String path) {
        return new Listing(database, catalog.view()).describe(path);
    }

    @Override
    public List<PathEntry> list(String path) {
        return new Listing(database, catalog.view()).list(path);
    }

    interface Change {
        boolean run();
    }

    boolean changing(Change change) {
        lock.lock();
        try {
            return change.run();
        } finally {
            lock.unlock();
        }
    }

    void change(List<CatalogChange> changes) {
        changing(
                () -> {
                    catalog.change(changes);
                    return true;
                });
    }

    interface TableWork<T> {
        T run(Table table, TableLocks.Held held);
    }

    /// Runs `work` on the table at the path while nobody else changes the table.
    <T> T with(String path, Purpose purpose, TableWork<T> work) {
        return ifThere(path, purpose, work).orElseThrow(() -> Paths.missing(path));
    }

    <T> Optional<T> ifThere(String path, Purpose purpose, TableWork<T> work) {
        Optional<Node> node = catalog.view().find(path);
        while (node.isPresent()) {
            Table seen = Paths.tableAt(node.get());
            Set<Long> touched = touched(seen, purpose);
            try (TableLocks.Held held = tables.take(touched, purpose)) {
                // The table may have been dropped, renamed or altered before the lock was taken.
                Optional<Table> table = find(path).filter(found -> found.id() == seen.id());
                if (table.isPresent() && touched.equals(touched(table.get(), purpose))) {
                    return Optional.of(work.run(table.get(), held));
                }
            }
            node = catalog.view().find(path);
        }
        return Optional.empty();
    }

    /// A change to a table's tablets does not touch its index tables.
    private Set<Long> touched(Table table, Purpose purpose) {
        return switch (purpose) {
            case CHANGE -> Set.of(table.id());
            case CHANGE_ALL, DROP -> IndexChanges.ids(catalog.view(), table);
        };
    }

    /// Drops the maps and tablets of tables that the catalog no longer has.
    void forget(Set<Long> tableIds) {
        tableIds.forEach(maps::remove);
        cells.dropTables(tableIds);
        tableIds.forEach(this::endLoad);
    }

    /// Updates the tablets whose storage settings differ from those of the table.
    void configure(Table table) {
        TreeSettings wanted = TableStorage.of(table, media);
        Map<Cell, List<Long>> others = new LinkedHashMap<>();
        for (Route route : map(table).routes()) {
            if (!route.tablet().settings().equals(wanted)) {
                others.computeIfAbsent(Cell.of(route), _ -> new ArrayList<>())
                        .add(route.tablet().id());
            }
        }
        others.forEach((cell, tabletIds) -> cell.configure(tabletIds, wanted));
    }

    private Node existing(String path) {
        return catalog.view().find(path).orElseThrow(() -> Paths.missing(path));
    }
}
