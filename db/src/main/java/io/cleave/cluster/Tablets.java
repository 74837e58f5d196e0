package io.cleave.cluster;

import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellStructure;
import io.cleave.tablet.Route;
import io.cleave.time.Timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/// The tables of the catalog and where their tablets are, in the user cells of one process.
///
/// Tablets of a table are created in the cells before the catalog names them, and removed after the
/// catalog has dropped them. A crash in between leaves tablets that belong to no table; they are
/// removed at start. Storage settings are changed in the catalog first; at start, tablets with
/// outdated settings are updated.
///
/// Threads: any.
public final class Tablets implements Tables {
    private final String database;
    private final Catalog catalog;
    private final Cells cells;
    private final Media media;
    private final TabletLimits limits;
    private final Env env;
    private final HeldTables held;
    private final OlderCommits olderCommits;
    private final TableStates states;
    private final TabletMaps maps = new TabletMaps();
    private final NewTablets newTablets;
    private final Replicas replicas;
    private final Arrivals arrivals = new Arrivals();
    private final CellLifecycle cellLifecycle;

    /// `cells` are the open user cells of the node. `zone` is the availability zone of this
    /// process. The catalog has its system tables, and names no table that a crash has left half
    /// made.
    public Tablets(
            String database,
            String zone,
            Catalog catalog,
            List<Cell> cells,
            CellHosting hosting,
            Env env) {
        this(database, zone, catalog, cells, hosting, env, TabletLimits.DEFAULT);
    }

    Tablets(
            String database,
            String zone,
            Catalog catalog,
            List<Cell> cells,
            CellHosting hosting,
            Env env,
            TabletLimits limits) {
        this.database = database;
        this.catalog = catalog;
        this.cells = new Cells(cells, hosting.shared());
        this.env = env;
        this.limits = limits;
        media = new Media(this.cells.media());
        held = new HeldTables(catalog);
        olderCommits = new OlderCommits(this, env);
        states = new TableStates(this);
        newTablets = new NewTablets(catalog, this.cells, maps, media, limits);
        recordCells();
        new Restart(catalog, this.cells, maps).run();
        states.finishInterrupted();
        catalog.view().tables().forEach(this::configure);
        replicas = new Replicas(catalog, this.cells, zone, env);
        cellLifecycle = new CellLifecycle(held, this.cells, arrivals, replicas, hosting);
    }

    /// An older version has stored no rows for cells, and the end of the catalog's log may be lost.
    private void recordCells() {
        List<CatalogChange> rows = Bundles.opened(catalog.view(), cells.ids());
        Bundles.adoption(catalog.view(), cells.ids()).ifPresent(rows::add);
        if (!rows.isEmpty()) {
            catalog.change(rows);
        }
    }

    /// Throws [io.cleave.base.CorruptionException] if these cells do not belong to this catalog.
    /// Writes nothing, so a refused folder stays unchanged.
    public static void check(Catalog catalog, List<Cell> cells, CellHosting hosting) {
        Restart.reconciliation(catalog, new Cells(cells, hosting.shared()));
    }

    /// The path of the database, `/local`.
    public String database() {
        return database;
    }

    /// The catalog and its locks.
    public HeldTables held() {
        return held;
    }

    public Cells cells() {
        return cells;
    }

    /// The user cells, by id.
    public List<CellInfo> cellInfos() {
        return cells.infos(catalog.view().bundles());
    }

    public Media media() {
        return media;
    }

    /// Creates the tablets of new tables.
    public NewTablets newTablets() {
        return newTablets;
    }

    public Replicas replicas() {
        return replicas;
    }

    /// Ends commits that were made for an older description of a table.
    public OlderCommits olderCommits() {
        return olderCommits;
    }

    /// Mounts, unmounts and freezes tablets.
    public TableStates states() {
        return states;
    }

    /// Creates and removes cells.
    public CellLifecycle cellLifecycle() {
        return cellLifecycle;
    }

    /// Takes up what the end of the process has interrupted, and creates cells until `cells` ids
    /// were given, ever.
    public void start(int cells) {
        cellLifecycle.continueAfterStart(cells);
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /// Limit of the tablets of all tables.
    public int maxTablets() {
        return limits.ofDatabase();
    }

    TabletLimits limits() {
        return limits;
    }

    TabletMaps maps() {
        return maps;
    }

    /// The timeline of commit timestamps, shared by all tables.
    public Timeline timeline() {
        return cells.timeline();
    }

    /// Every table, including index tables.
    public List<Table> tables() {
        return catalog.view().tables();
    }

    @Override
    public Optional<Table> find(String path) {
        return catalog.view().find(path).flatMap(Node::table);
    }

    /// The table at a path, which may omit the database; throws SCHEME_ERROR if there is none.
    public Table table(String path) {
        String absolute = absolute(path);
        return PathErrors.tableAt(
                catalog.view().find(absolute).orElseThrow(() -> PathErrors.missing(absolute)));
    }

    String absolute(String path) {
        return path.startsWith("/") ? path : database + "/" + path;
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
                        .mapToLong(part -> part.route().statistics().estimatedRows(part.range()))
                        .sum());
    }

    @Override
    public Set<Long> cells(Table table, KeyRange range) {
        Set<Long> ids = new TreeSet<>();
        map(table).find(range).forEach(part -> ids.add(part.route().cell().id()));
        return ids;
    }

    /// The table's tablets in key order.
    public List<TabletInfo> infos(Table table) {
        return infos(map(table).routes());
    }

    /// Every tablet of every table, in no order.
    public List<TabletInfo> infos() {
        return infos(
                cells.all().stream().flatMap(cell -> cell.structure().tablets().stream()).toList());
    }

    /// The tablets in a cell, in no order. None if the cell is not open.
    public List<CellTablet> tabletsIn(long cellId) {
        long now = env.wallMicros();
        return cells.find(cellId).stream()
                .flatMap(cell -> cell.structure().tablets().stream())
                .map(route -> new CellTablet(route, now))
                .toList();
    }

    List<TabletInfo> infos(List<Route> routes) {
        long now = env.wallMicros();
        return routes.stream().map(route -> TabletInfo.of(route, now)).toList();
    }

    /// The cells that tablets of the table may be in, by id.
    public List<Long> bundle(Table table) {
        return Bundles.cells(catalog.view(), table);
    }

    /// The traffic of all tablets since the process started.
    public TrafficTotals traffic() {
        return maps.traffic();
    }

    /// The next number of a column's sequence. A number is never given twice.
    public long nextValue(Table table, int columnIndex) {
        Column column = table.columns().get(columnIndex);
        Sequence sequence =
                column.sequence()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                column.name() + " has no sequence"));
        return catalog.sequences().next(sequence, table.path() + "/" + column.sequenceName());
    }

    /// Rewrites the whole table with its current settings and without versions that nobody can see
    /// any more. Returns when that is done. The path may omit the database. A tablet that is split,
    /// merged or moved meanwhile is rewritten where its keys are then.
    public void compact(String path) {
        TableCompaction.run(map(table(path)));
    }

    /// The tablet of the table whose past is the shortest, and the oldest timestamp that it can be
    /// read at. The caller holds the timestamp that it wants to read before it asks.
    public Retained retained(Table table) {
        long visible = timeline().visible();
        Retained latest = null;
        for (Route route : map(table).routes()) {
            long from = route.statistics().settings().retained(visible);
            if (latest == null || from > latest.timestamp()) {
                latest = new Retained(route.tabletId(), from);
            }
        }
        return Objects.requireNonNull(latest);
    }

    public record Retained(long tabletId, long timestamp) {}

    /// Updates the tablets whose storage settings differ from those of the table.
    public void configure(Table table) {
        TreeSettings wanted = TableStorage.of(table, media);
        Map<CellStructure, List<Long>> others = new LinkedHashMap<>();
        for (Route route : map(table).routes()) {
            if (!route.statistics().settings().satisfies(wanted)) {
                others.computeIfAbsent(route.cell().structure(), _ -> new ArrayList<>())
                        .add(route.tabletId());
            }
        }
        others.forEach((cell, tabletIds) -> cell.configure(tabletIds, wanted));
    }

    /// Drops the maps and tablets of tables that the catalog no longer has.
    public void forget(Set<Long> tableIds) {
        tableIds.forEach(maps::remove);
        cells.dropTables(tableIds);
        tableIds.forEach(cells::endLoad);
    }

    /// Declares the table incomplete before `timestamp`: rows that belong to it are missing there.
    public void wholeFrom(long tableId, long timestamp) {
        maps.wholeFrom(tableId, timestamp);
    }

    /// Sets the timestamp from which [unsettled][NewTablets#publishUnsettled] tables can be read.
    public void settle(Collection<Long> tableIds, long timestamp) {
        tableIds.forEach(tableId -> maps.settle(tableId, timestamp));
    }

    /// Returns the current timestamp once everything up to it is visible.
    public long fence() {
        Timeline.CommitSlot now = timeline().begin();
        timeline().end(now);
        String failure = timeline().await(now.timestamp());
        if (failure != null) {
            throw new StatusException(Status.UNAVAILABLE, failure);
        }
        return now.timestamp();
    }

    /// Stores the exact positions of the sequences, so that no numbers are skipped. Nothing may be
    /// written after this call.
    public void close() {
        replicas.close();
        catalog.sequences().close();
    }
}
