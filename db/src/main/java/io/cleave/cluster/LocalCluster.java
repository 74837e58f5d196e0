package io.cleave.cluster;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.TabletPlace;
import io.cleave.cluster.PathEntry.Kind;
import io.cleave.lsm.TableFiles.CacheStatistics;
import io.cleave.lsm.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Partitioning;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableRules;
import io.cleave.tablet.Cell;
import io.cleave.tablet.Route;
import io.cleave.tablet.Tablet;
import io.cleave.tablet.TabletSpec;
import io.cleave.tablet.Timeline;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// The tree of tables over one user cell, in one process.
///
/// A table's tablets are made in the cell before the catalog names them, and removed after it has
/// forgotten them. A crash in between leaves tablets that no one names; they are removed at start.
/// How they store their rows is changed in the catalog first; at start those that have not heard of
/// it are told.
public final class LocalCluster implements Scheme {
    private static final int MAX_PATHS = 10_000;

    private final String database;
    private final Catalog catalog;
    private final Cell cell;
    private final Media media;
    private final Env env;

    /// One change of the tree at a time.
    private final ReentrantLock lock = new ReentrantLock();

    /// By table id; filled when first asked for.
    private final Map<Long, TabletMap> maps = new ConcurrentHashMap<>();

    public LocalCluster(String database, Catalog catalog, Cell cell, Env env) {
        this.database = database;
        this.catalog = catalog;
        this.cell = cell;
        this.env = env;
        media = new Media(cell.media());
        removeOrphans();
        configureAll();
    }

    @Override
    public String database() {
        return database;
    }

    @Override
    public List<String> media() {
        return media.names();
    }

    @Override
    public Optional<Table> find(String path) {
        return catalog.view().find(path).flatMap(Node::table);
    }

    /// The moments that can be read: one line of time for all tables.
    public Timeline timeline() {
        return cell.timeline();
    }

    /// Where the table's keys are. A table that was dropped has no map: SCHEME_ERROR.
    public TabletMap map(Table table) {
        TabletMap map = maps.get(table.id());
        return map != null ? map : loadMap(table);
    }

    @Override
    public int tabletCount(Table table, KeyRange range) {
        return map(table).find(range).size();
    }

    @Override
    public List<TabletInfo> tablets(Table table) {
        return map(table).routes().stream().map(TabletInfo::of).toList();
    }

    /// How the cache serves that all tablets share.
    public CacheStatistics cacheStatistics() {
        return cell.cacheStatistics();
    }

    /// Every tablet of every table, in no order.
    public List<TabletInfo> allTablets() {
        return cell.tablets().stream()
                .map(tablet -> TabletInfo.of(new Route(cell, tablet)))
                .toList();
    }

    @Override
    public boolean createTable(TableDefinition definition, boolean ifNotExists) {
        return changing(
                () -> {
                    String path = definition.path();
                    Optional<Node> there = catalog.view().find(path);
                    if (there.isPresent()) {
                        return alreadyThere(there.get(), ifNotExists);
                    }
                    Table table = TableRules.create(definition, catalog.newId(), env.wallMicros());
                    media.check(table);
                    List<CatalogChange> changes = newParents(catalog.view(), path);
                    List<KeyRange> ranges = InitialLayout.ranges(table, definition.layout());
                    table = withInitialMinimum(table, ranges.size());
                    List<TabletPlace> places = createTablets(table, ranges);
                    changes.add(new PutNode(Node.of(table)));
                    changes.add(new PutTablets(table.id(), places));
                    changeOrDrop(changes, places);
                    return true;
                });
    }

    @Override
    public boolean dropTable(String path, boolean ifExists) {
        return changing(
                () -> {
                    Optional<Node> node = catalog.view().find(path);
                    if (node.isEmpty()) {
                        if (ifExists) {
                            return false;
                        }
                        throw Paths.missing(path);
                    }
                    Table table = tableAt(node.get());
                    List<TabletPlace> places = catalog.view().tablets(table.id());
                    catalog.change(List.of(new RemoveNode(path), new RemoveTablets(table.id())));
                    maps.remove(table.id());
                    cell.dropTablets(places.stream().map(TabletPlace::tabletId).toList());
                    return true;
                });
    }

    @Override
    public void alterTable(String path, List<TableChange> changes) {
        changing(
                () -> {
                    Table altered = TableAlteration.apply(tableAt(existing(path)), changes);
                    media.check(altered);
                    if (altered.path().equals(path)) {
                        catalog.change(List.of(new PutNode(Node.of(altered))));
                    } else {
                        var moves = new Moves(catalog.view());
                        moves.add(path, altered, false);
                        carryOut(moves);
                    }
                    configure(altered);
                    return true;
                });
    }

    /// Rewrites the whole table with its present settings and without what nobody can see any more,
    /// and returns when that is done. The path may leave out the database.
    public void compact(String path) {
        String absolute = path.startsWith("/") ? path : database + "/" + path;
        Table table = tableAt(existing(absolute));
        cell.compact(map(table).routes().stream().map(route -> route.tablet().id()).toList());
    }

    @Override
    public void renameTables(List<Renaming> renamings) {
        changing(
                () -> {
                    var moves = new Moves(catalog.view());
                    for (Renaming renaming : renamings) {
                        Node node =
                                moves.view
                                        .find(renaming.from())
                                        .orElseThrow(() -> Paths.missing(renaming.from()));
                        Table renamed =
                                TableAlteration.apply(
                                        tableAt(node),
                                        List.of(new TableChange.Rename(renaming.to())));
                        moves.add(renaming.from(), renamed, renaming.replace());
                    }
                    carryOut(moves);
                    return true;
                });
    }

    @Override
    public boolean makeDirectory(String path) {
        if (path.equals(database)) {
            return false;
        }
        return changing(
                () -> {
                    Optional<Node> there = catalog.view().find(path);
                    if (there.isPresent()) {
                        if (there.get().isDirectory()) {
                            return false;
                        }
                        throw Paths.problem(path, "unexpected path type, a table is there");
                    }
                    List<CatalogChange> changes = newParents(catalog.view(), path);
                    changes.add(new PutNode(Node.directory(path, env.wallMicros())));
                    catalog.change(changes);
                    return true;
                });
    }

    @Override
    public void removeDirectory(String path) {
        changing(
                () -> {
                    Node node = existing(path);
                    if (!node.isDirectory()) {
                        throw Paths.problem(path, "path is not a directory");
                    }
                    if (!catalog.view().children(path).isEmpty()) {
                        throw Paths.problem(path, "path has children, request doesn't accept it");
                    }
                    catalog.change(List.of(new RemoveNode(path)));
                    return true;
                });
    }

    @Override
    public PathEntry describe(String path) {
        if (path.equals("/")) {
            return new PathEntry("/", "/", Kind.DIRECTORY, 0);
        }
        if (path.equals(database)) {
            return new PathEntry(database.substring(1), database, Kind.DATABASE, 0);
        }
        return entry(catalog.view().find(path).orElseThrow(() -> unknown(path)));
    }

    @Override
    public List<PathEntry> list(String path) {
        if (path.equals("/")) {
            return List.of(describe(database));
        }
        CatalogView view = catalog.view();
        if (!path.equals(database)) {
            Node node = view.find(path).orElseThrow(() -> unknown(path));
            if (!node.isDirectory()) {
                return List.of();
            }
        }
        return view.children(path).stream().map(LocalCluster::entry).toList();
    }

    private interface Change {
        boolean run();
    }

    private boolean changing(Change change) {
        lock.lock();
        try {
            return change.run();
        } finally {
            lock.unlock();
        }
    }

    private boolean alreadyThere(Node node, boolean ifNotExists) {
        if (node.isDirectory()) {
            throw Paths.problem(node.path(), "unexpected path type, a directory is there");
        }
        if (ifNotExists) {
            return false;
        }
        throw Paths.problem(
                node.path(),
                "path exist, request doesn't accept it (id: [OwnerId: 1, LocalPathId: "
                        + tableAt(node).id()
                        + "], type: EPathTypeTable, state: EPathStateNoChanges)");
    }

    /// A table cut up at its creation does not shrink below that by itself, unless it says so.
    private static Table withInitialMinimum(Table table, int tabletCount) {
        Partitioning partitioning = table.options().partitioning();
        if (tabletCount == 1 || partitioning.minCount() != Partitioning.DEFAULT.minCount()) {
            return table;
        }
        return TableAlteration.withPartitioning(
                table,
                new Partitioning(
                        partitioning.bySize(),
                        partitioning.sizeMegabytes(),
                        partitioning.byLoad(),
                        tabletCount,
                        partitioning.maxCount()));
    }

    /// Tablets whose table was refused go again; if nobody knows, the next start does.
    private void changeOrDrop(List<CatalogChange> changes, List<TabletPlace> made) {
        try {
            catalog.change(changes);
        } catch (StatusException e) {
            if (e.status() != Status.UNDETERMINED) {
                cell.dropTablets(made.stream().map(TabletPlace::tabletId).toList());
            }
            throw e;
        }
    }

    private List<TabletPlace> createTablets(Table table, List<KeyRange> ranges) {
        List<TabletSpec> specs = new ArrayList<>();
        List<TabletPlace> places = new ArrayList<>();
        TreeSettings settings = TableStorage.of(table, media);
        for (KeyRange range : ranges) {
            long tabletId = catalog.newId();
            specs.add(new TabletSpec(tabletId, table.id(), range, settings));
            places.add(new TabletPlace(tabletId, cell.id(), range));
        }
        cell.createTablets(specs);
        return places;
    }

    /// Tells the tablets that store their rows in another way than the table wants.
    private void configure(Table table) {
        TreeSettings wanted = TableStorage.of(table, media);
        List<Long> others = new ArrayList<>();
        for (TabletPlace place : catalog.view().tablets(table.id())) {
            Tablet tablet = cell.tablet(place.tabletId());
            if (tablet != null && !tablet.settings().equals(wanted)) {
                others.add(tablet.id());
            }
        }
        if (!others.isEmpty()) {
            cell.configure(others, wanted);
        }
    }

    /// A crash may have come after the catalog had a change and before the tablets had it.
    private void configureAll() {
        catalog.view().tables().forEach(this::configure);
    }

    /// Tables on their way to other paths, one after the other: each step sees those before it.
    private final class Moves {
        private CatalogView view;
        private final List<CatalogChange> changes = new ArrayList<>();
        private final List<Long> replacedTables = new ArrayList<>();
        private final List<Long> replacedTablets = new ArrayList<>();

        Moves(CatalogView view) {
            this.view = view;
        }

        /// Puts the table where its path says now; with `replace` over the table that is there.
        void add(String from, Table renamed, boolean replace) {
            String to = renamed.path();
            List<CatalogChange> step = new ArrayList<>();
            Optional<Node> there = view.find(to);
            if (there.isPresent()) {
                if (!replace) {
                    throw Paths.problem(to, "path exist, request doesn't accept it");
                }
                long replacedId = tableAt(there.get()).id();
                replacedTables.add(replacedId);
                view.tablets(replacedId).forEach(place -> replacedTablets.add(place.tabletId()));
                step.add(new RemoveTablets(replacedId));
            } else {
                step.addAll(newParents(view, to));
            }
            step.add(new RemoveNode(from));
            step.add(new PutNode(Node.of(renamed)));
            view = view.with(step);
            changes.addAll(step);
        }
    }

    private void carryOut(Moves moves) {
        catalog.change(moves.changes);
        moves.replacedTables.forEach(maps::remove);
        if (!moves.replacedTablets.isEmpty()) {
            cell.dropTablets(moves.replacedTablets);
        }
    }

    private List<CatalogChange> newParents(CatalogView view, String path) {
        Paths.check(database, path);
        if (view.nodeCount() >= MAX_PATHS) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    "paths count has reached maximum value in the domain: " + MAX_PATHS);
        }
        List<CatalogChange> changes = new ArrayList<>();
        for (String parent : Paths.parents(database, path)) {
            Optional<Node> node = view.find(parent);
            if (node.isEmpty()) {
                changes.add(new PutNode(Node.directory(parent, env.wallMicros())));
            } else if (!node.get().isDirectory()) {
                throw Paths.problem(parent, "path is not a directory");
            }
        }
        return changes;
    }

    private Node existing(String path) {
        return catalog.view().find(path).orElseThrow(() -> Paths.missing(path));
    }

    private static Table tableAt(Node node) {
        return node.table()
                .orElseThrow(() -> Paths.problem(node.path(), "path is not a table (a directory)"));
    }

    private static StatusException unknown(String path) {
        return path.indexOf('/', 1) < 0
                ? new StatusException(Status.SCHEME_ERROR, "Root not found")
                : Paths.missing(path);
    }

    private static PathEntry entry(Node node) {
        return new PathEntry(
                node.name(),
                node.path(),
                node.isDirectory() ? Kind.DIRECTORY : Kind.TABLE,
                node.createdMicros());
    }

    private TabletMap loadMap(Table table) {
        List<Route> routes = new ArrayList<>();
        for (TabletPlace place : catalog.view().tablets(table.id())) {
            Tablet tablet = cell.tablet(place.tabletId());
            if (tablet == null) {
                throw gone(table);
            }
            routes.add(new Route(cell, tablet));
        }
        if (routes.isEmpty()) {
            throw gone(table);
        }
        var map = new TabletMap(routes);
        maps.put(table.id(), map);
        return map;
    }

    private static StatusException gone(Table table) {
        return new StatusException(
                Status.SCHEME_ERROR, "Table '" + table.path() + "' was dropped meanwhile");
    }

    /// Tablets that a crash left behind, made for a table that never came to be or no longer is.
    private void removeOrphans() {
        Set<Long> named = new HashSet<>();
        catalog.view()
                .tablets()
                .values()
                .forEach(places -> places.forEach(place -> named.add(place.tabletId())));
        List<Long> orphans =
                cell.tablets().stream().map(Tablet::id).filter(id -> !named.contains(id)).toList();
        for (long orphan : orphans) {
            if (orphan >= catalog.idBound()) {
                // It was made with an id of the catalog: this is not the catalog it was made for.
                throw new CorruptionException(
                        "the catalog", 0, "knows nothing of tablet " + orphan + " of the cell");
            }
        }
        if (!orphans.isEmpty()) {
            cell.dropTablets(orphans);
        }
    }
}
