package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.cluster.TableLocks.LockedTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.lsm.KeyShare;
import io.cleave.lsm.table.TreeSettings;
import io.cleave.schema.KeyRange;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.YtTable;
import io.cleave.tablet.CellService;
import io.cleave.tablet.CellStructure;
import io.cleave.tablet.Route;
import io.cleave.tablet.TabletStatistics;
import io.cleave.tablet.record.TabletSpec;
import io.cleave.time.Timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeSet;

/// Splits, merges and moves the tablets of tables, and changes the cells of bundles. A change of a
/// table's tablets holds the table's lock. Paths may omit the database.
///
/// What the cells have done is final. It is in the table's map at once, and then in the catalog by
/// one commit. If the catalog refuses it, the next change of the table or the next start repeats
/// it.
///
/// Threads: any.
public final class Resharding {
    private static final System.Logger LOGGER = System.getLogger(Resharding.class.getName());

    /// The keys of a tablet among which even cuts are chosen.
    private static final int CUT_SAMPLES = 1000;

    private final Tablets tablets;
    private final HeldTables held;
    private final Cells cells;
    private final TabletMaps maps;
    private final TabletLimits limits;
    private final Env env;

    private final Arrivals arrivals;

    public Resharding(Tablets tablets, Env env) {
        this.tablets = tablets;
        held = tablets.held();
        cells = tablets.cells();
        maps = tablets.maps();
        limits = tablets.limits();
        arrivals = tablets.arrivals();
        this.env = env;
    }

    /// Splits the table's tablets at these keys, each in its cell. Returns the new tablets once
    /// they serve. Throws BAD_REQUEST, having changed nothing, if a key cannot be split at.
    public List<TabletInfo> split(String path, Collection<Bytes> keys) {
        return change(path, (table, locked) -> split(table, locked, keys));
    }

    /// Splits tablets of a table that was seen earlier; throws ABORTED if another table is at its
    /// path.
    public List<TabletInfo> split(Table seen, Collection<Bytes> keys) {
        return change(
                seen.path(),
                (table, locked) -> {
                    if (table.id() != seen.id()) {
                        throw new StatusException(
                                Status.ABORTED,
                                "Table '%s' was replaced while the request ran; retry"
                                        .formatted(seen.path()));
                    }
                    return split(table, locked, keys);
                });
    }

    /// Splits a tablet into two halves of about equal size.
    public List<TabletInfo> split(String path, long tabletId) {
        return change(path, (table, locked) -> splitInTwo(table, locked, tabletId));
    }

    /// Merges two or more adjacent tablets, in the cell of the largest one that is inside the
    /// table's bundle.
    public TabletInfo merge(String path, Collection<Long> tabletIds) {
        return change(path, (table, locked) -> List.of(merge(table, locked, tabletIds))).getFirst();
    }

    /// Moves a tablet to another cell of the table's bundle; does nothing if it is already there.
    public TabletInfo move(String path, long tabletId, long cellId) {
        return change(path, (table, _) -> List.of(move(table, tabletId, cellId))).getFirst();
    }

    /// Looks at a table whose lock is held, before its tablets are changed. Throws to refuse.
    public interface LastLook {
        void look(Table table, List<TabletInfo> tablets);
    }

    /// Moves a tablet of the table with this id, wherever the table is now.
    public TabletInfo move(long tableId, LastLook before, long tabletId, long cellId) {
        return change(
                        tableId,
                        (table, _) -> {
                            before.look(table, tablets.infos(table));
                            return List.of(move(table, tabletId, cellId));
                        })
                .getFirst();
    }

    /// Replaces the tablets of a range by tablets that begin at these keys, the first of which
    /// begins the range. Nobody else changes the table meanwhile. If it fails, or the process ends,
    /// some of the splits and merges may have been made; to repeat the call finishes them. Returns
    /// the tablets of the range.
    public List<TabletInfo> reshard(
            long tableId, LastLook before, KeyRange range, List<Bytes> keys) {
        return change(
                tableId,
                (table, locked) -> {
                    before.look(table, tablets.infos(table));
                    List<Bytes> there =
                            inside(table, range).stream().map(each -> each.range().from()).toList();
                    var plan = ReshardPlan.of(there, keys);
                    if (!plan.splits().isEmpty()) {
                        var _ = split(table, locked, plan.splits());
                    }
                    for (List<Long> merged : plan.merges(tablets.infos(inside(table, range)))) {
                        var _ = merge(table, locked, merged);
                    }
                    return inside(table, range);
                });
    }

    private List<Route> inside(Table table, KeyRange range) {
        return tablets.map(table).routes().stream()
                .filter(route -> range.intersects(route.range()))
                .toList();
    }

    /// The running cell of the table's bundle with the fewest tablets; empty if the bundle has
    /// none.
    public OptionalLong emptiest(Table table) {
        List<Long> bundle = runningCells(Bundles.of(table));
        return bundle.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Bundles.spread(1, cells.tabletCounts(bundle)).getFirst());
    }

    /// Keys that cut the range into at most `count` parts of about the same size, ascending. They
    /// are estimated from files.
    public List<Bytes> evenCuts(Table table, KeyRange range, int count) {
        List<Sized> sized = new ArrayList<>();
        long total = 0;
        long snapshot = cells.timeline().take();
        try {
            for (Route route : tablets.map(table).routes()) {
                if (!route.range().intersects(range)) {
                    continue;
                }
                long bytes = route.statistics().statistics().leftBytes();
                if (bytes > 0 && range.contains(route.range().from())) {
                    sized.add(new Sized(route.range().from(), total));
                }
                for (KeyShare part : route.statistics().quantiles(CUT_SAMPLES, snapshot)) {
                    sized.add(new Sized(part.key(), total + (long) (bytes * part.share())));
                }
                total += bytes;
            }
        } finally {
            cells.timeline().release(snapshot);
        }
        return cuts(sized, total, range, count);
    }

    /// A key, and the bytes before it.
    private record Sized(Bytes key, long before) {}

    private static List<Bytes> cuts(List<Sized> sized, long total, KeyRange range, int count) {
        List<Bytes> cuts = new ArrayList<>();
        for (int part = 1; part < count; part++) {
            long wanted = (long) ((double) total / count * part);
            sized.stream()
                    .min(Comparator.comparingLong(each -> Math.abs(each.before() - wanted)))
                    .map(Sized::key)
                    .filter(key -> key.compareTo(range.from()) > 0)
                    .filter(key -> cuts.isEmpty() || key.compareTo(cuts.getLast()) > 0)
                    .ifPresent(cuts::add);
        }
        return cuts;
    }

    private List<TabletInfo> change(String path, HeldTables.TableWork<List<Route>> work) {
        return held.with(
                tablets.absolute(path),
                Purpose.CHANGE,
                (table, locked) -> tablets.infos(work.run(table, locked)));
    }

    private List<TabletInfo> change(long tableId, HeldTables.TableWork<List<Route>> work) {
        while (true) {
            Table seen =
                    tablets.tables().stream()
                            .filter(table -> table.id() == tableId)
                            .findFirst()
                            .orElseThrow(() -> removed("#" + tableId));
            // It may be renamed before its lock is taken.
            Optional<List<TabletInfo>> changed =
                    held.ifThere(
                                    seen.path(),
                                    Purpose.CHANGE,
                                    (table, locked) ->
                                            table.id() == tableId
                                                    ? Optional.of(
                                                            tablets.infos(work.run(table, locked)))
                                                    : Optional.<List<TabletInfo>>empty())
                            .flatMap(found -> found);
            if (changed.isPresent()) {
                return changed.get();
            }
        }
    }

    /// The cells of each bundle, by its name.
    public SortedMap<String, List<Long>> bundles() {
        return held.view().bundles();
    }

    /// The cells of a bundle that tablets can be put into, by id; none if there is no such bundle.
    public List<Long> runningCells(String bundle) {
        return Bundles.running(held.view(), bundle);
    }

    /// Creates the bundle, or changes its cells; a bundle without cells is removed. Cells that are
    /// then in no bundle go to `default`.
    public void putBundle(String name, List<Long> cellIds) {
        held.changing(
                () -> {
                    CatalogView view = held.view();
                    List<CatalogChange> puts = Bundles.putting(view, cells.ids(), name, cellIds);
                    arrivals.refuseIfUnderWay(view.with(puts));
                    held.catalog().change(puts);
                    return true;
                });
    }

    private List<Route> split(Table table, LockedTables locked, Collection<Bytes> keys) {
        Map<Route, List<Bytes>> cuts = new LinkedHashMap<>();
        for (Bytes key : new TreeSet<>(keys)) {
            Route route = tablets.map(table).find(key);
            if (route.range().from().equals(key)) {
                throw refused(
                        "tablet %d already begins at the key %s; choose another key"
                                .formatted(route.tabletId(), KeyText.of(table, key)));
            }
            cuts.computeIfAbsent(route, _ -> new ArrayList<>()).add(key);
        }
        CatalogView view = held.view();
        limits.checkTable(view.tablets(table.id()).size() + keys.size());
        limits.checkDatabase(TabletLimits.count(view) + keys.size());
        List<Route> children = new ArrayList<>();
        try {
            for (var cut : cuts.entrySet()) {
                refuseIfToBeDropped(table, locked);
                children.addAll(split(cut.getKey(), cut.getValue()));
            }
        } finally {
            publish(table);
        }
        return children;
    }

    /// Splits the tablet at the key that has half of its bytes before it.
    private List<Route> splitInTwo(Table table, LockedTables locked, long tabletId) {
        List<Route> all = tablets.map(table).routes();
        Route route = all.get(indexOf(table, all, tabletId));
        Optional<Bytes> median = median(route);
        if (median.isEmpty()) {
            // The median is computed from files, so the memtable is flushed if they have too few
            // rows.
            route.cell().structure().flush(List.of(tabletId));
            median = median(route);
        }
        Bytes key =
                median.orElseThrow(
                        () ->
                                refused(
                                        ("tablet %d of %s has too few rows to find its middle; give"
                                                        + " the key to split it at")
                                                .formatted(tabletId, table.path())));
        return split(table, locked, List.of(key));
    }

    private Optional<Bytes> median(Route route) {
        Timeline timeline = cells.timeline();
        long snapshot = timeline.take();
        try {
            return route.statistics().medianKey(snapshot);
        } finally {
            timeline.release(snapshot);
        }
    }

    private List<Route> split(Route route, List<Bytes> keys) {
        List<Long> ids = newIds(keys.size() + 1);
        List<TabletSpec> children = new ArrayList<>();
        Bytes from = route.range().from();
        for (int index = 0; index < ids.size(); index++) {
            Bytes to = index < keys.size() ? keys.get(index) : route.range().to();
            children.add(child(ids.get(index), new KeyRange(from, to), List.of(route)));
            if (to != null) {
                from = to;
            }
        }
        return route.cell().structure().split(route.tabletId(), children);
    }

    private Route merge(Table table, LockedTables locked, Collection<Long> tabletIds) {
        List<Route> neighbours = neighbours(table, tabletIds);
        checkSameState(table, neighbours);
        CellService cell = cellForAll(table, neighbours);
        try {
            List<Route> parents = new ArrayList<>();
            for (Route route : neighbours) {
                refuseIfToBeDropped(table, locked);
                parents.add(bring(table, route, cell));
            }
            refuseIfToBeDropped(table, locked);
            KeyRange range =
                    new KeyRange(parents.getFirst().range().from(), parents.getLast().range().to());
            TabletSpec merged = child(newIds(1).getFirst(), range, parents);
            return cell.structure().merge(parents.stream().map(Route::tabletId).toList(), merged);
        } finally {
            publish(table);
        }
    }

    /// A tablet has one state, which is that of all its keys.
    private static void checkSameState(Table table, List<Route> routes) {
        Optional<MountStates> states = table.options().yt().map(YtTable::states);
        long different =
                states.stream()
                        .flatMap(all -> routes.stream().map(route -> all.at(route.range().from())))
                        .distinct()
                        .count();
        if (different > 1) {
            throw refused(
                    "tablets of %s are in different states; mount them first"
                            .formatted(table.path()));
        }
    }

    private CellService cellForAll(Table table, List<Route> routes) {
        CellService first = routes.getFirst().cell();
        if (routes.stream().allMatch(route -> route.cellId() == first.id())) {
            return first;
        }
        List<Long> bundle = Bundles.cells(held.view(), table);
        return routes.stream()
                .filter(route -> bundle.contains(route.cell().id()))
                .max(Comparator.comparingLong(Resharding::storedBytes))
                .map(Route::cell)
                .orElseGet(
                        () -> cells.get(Bundles.spread(1, cells.tabletCounts(bundle)).getFirst()));
    }

    private static long storedBytes(Route route) {
        return route.statistics().statistics().storedBytes();
    }

    /// These tablets in key order; throws if another tablet is between them.
    private List<Route> neighbours(Table table, Collection<Long> tabletIds) {
        List<Route> all = tablets.map(table).routes();
        List<Integer> indexes =
                tabletIds.stream().distinct().map(id -> indexOf(table, all, id)).sorted().toList();
        if (indexes.size() < 2) {
            throw refused("a merge needs at least two tablets, not " + tabletIds);
        }
        for (int index : indexes.subList(1, indexes.size())) {
            if (!indexes.contains(index - 1)) {
                throw refused(
                        "tablets %s of %s are not neighbours: tablet %d lies between them"
                                .formatted(tabletIds, table.path(), all.get(index - 1).tabletId()));
            }
        }
        return indexes.stream().map(all::get).toList();
    }

    private Route move(Table table, long tabletId, long cellId) {
        CellService target =
                cells.find(cellId)
                        .orElseThrow(
                                () ->
                                        refused(
                                                "there is no cell %d; there are: %s"
                                                        .formatted(
                                                                cellId,
                                                                Bundles.text(cells.ids()))));
        checkBundle(table, cellId);
        List<Route> all = tablets.map(table).routes();
        return bring(table, all.get(indexOf(table, all, tabletId)), target);
    }

    private Route bring(Table table, Route route, CellService target) {
        if (route.cellId() == target.id()) {
            return route;
        }
        CellStructure source = route.cell().structure();
        long tabletId = route.tabletId();
        Route arrived;
        announce(table, target.id());
        try {
            arrived = source.move(tabletId, target);
            try {
                publish(table);
            } finally {
                source.drop(List.of(tabletId));
            }
        } finally {
            held.changing(
                    () -> {
                        arrivals.end(table);
                        return true;
                    });
        }
        return arrived;
    }

    /// From now until the tablet has arrived, the cell cannot be taken out of the table's bundle.
    private void announce(Table table, long cellId) {
        held.changing(
                () -> {
                    checkBundle(table, cellId);
                    arrivals.begin(table, cellId);
                    return true;
                });
    }

    private void checkBundle(Table table, long cellId) {
        List<Long> bundle = Bundles.cells(held.view(), table);
        if (!bundle.contains(cellId)) {
            if (Bundles.ofCell(held.view(), cellId).equals(Bundles.of(table))) {
                throw refused("cell %d is being removed".formatted(cellId));
            }
            throw refused(
                    "cell %d is not in the bundle '%s' of %s, which has the cells %s"
                            .formatted(
                                    cellId, Bundles.of(table), table.path(), Bundles.text(bundle)));
        }
    }

    private static int indexOf(Table table, List<Route> routes, long tabletId) {
        for (int index = 0; index < routes.size(); index++) {
            if (routes.get(index).tabletId() == tabletId) {
                return index;
            }
        }
        throw new StatusException(
                Status.NOT_FOUND,
                "%s has no tablet %d: it may have been split, merged or moved; './cleave tablets' lists them"
                        .formatted(table.path(), tabletId));
    }

    /// A tablet with the rows of `parents` in a range.
    private static TabletSpec child(long tabletId, KeyRange range, List<Route> parents) {
        TabletStatistics first = parents.getFirst().statistics();
        long epoch = parents.stream().mapToLong(Route::epoch).max().orElseThrow();
        TreeSettings settings =
                TreeSettings.merged(
                        parents.stream().map(parent -> parent.statistics().settings()).toList());
        return new TabletSpec(tabletId, first.tableId(), range, settings, epoch + 1);
    }

    private List<Long> newIds(int count) {
        List<Long> ids = new ArrayList<>();
        while (ids.size() < count) {
            ids.add(held.catalog().newId());
        }
        return ids;
    }

    /// Updates the table's map and then the catalog to what the cells have now.
    private void publish(Table table) {
        TabletMap map = tablets.map(table).current();
        maps.put(table.id(), map);
        try {
            if (env.mayFail("telling the catalog where tablets are")) {
                throw new StatusException(Status.UNAVAILABLE, "the catalog takes no changes");
            }
            held.change(List.of(new PutTablets(table.id(), map.places())));
        } catch (StatusException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    () ->
                            ("could not record the tablets of %s in the catalog; the next change of"
                                            + " the table or the next start records them: %s")
                                    .formatted(table.path(), e.getMessage()));
        }
    }

    /// The table was dropped after somebody has seen it.
    public static StatusException removed(String table) {
        return new StatusException(Status.NOT_FOUND, "Table %s was removed".formatted(table));
    }

    private static void refuseIfToBeDropped(Table table, LockedTables locked) {
        if (locked.isToBeDropped()) {
            throw new StatusException(
                    Status.ABORTED, "%s is being dropped".formatted(table.path()));
        }
    }

    private static StatusException refused(String why) {
        return new StatusException(Status.BAD_REQUEST, why);
    }
}
