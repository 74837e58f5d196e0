package io.cleave.yt.tree;

import io.cleave.base.Env;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CypressNode;
import io.cleave.schema.CellHealth;
import io.cleave.schema.CellStage;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/// Cells and bundles as objects in `//sys`, in one view of the catalog.
///
/// Threads: one at a time.
final class CellObjects {
    /// The attribute of a bundle that lists the next rounds of the balancer.
    private static final String NEXT_BALANCING = "next_balancing";

    /// The attribute of a bundle that says what kept it from being balanced.
    private static final String BALANCER_ERRORS = "tablet_balancer_errors";

    /// What a bundle may limit.
    static final List<String> RESOURCES = List.of("tablet_count", "tablet_static_memory");

    /// The name of the only node.
    private static final String NODE = "localhost";

    /// The area that every bundle has, and that all its cells are in.
    private static final String AREA = "default";

    /// The tag of the only cell of masters.
    private static final String MASTER_TAG = "1";

    private static final int NO_PEER = -1;

    private final CatalogView view;
    private final String database;
    private final CellNodes cells;
    private final ActionNodes actions;
    private final BundleOutlook outlook;
    private final Env env;

    CellObjects(
            CatalogView view, String database, TableNodes tables, BundleOutlook outlook, Env env) {
        this.view = view;
        this.database = database;
        cells = tables.cells();
        actions = tables.actions();
        this.outlook = outlook;
        this.env = env;
    }

    static ObjectId cellId(long cell) {
        return ObjectId.of(ObjectType.TABLET_CELL, cell);
    }

    static String bundlePath(String database, String bundle) {
        return database + "/sys/" + SystemObjects.BUNDLES + "/" + bundle;
    }

    /// The names of all bundles. A bundle without cells exists only as a stored row, except for the
    /// default bundle, which always exists.
    static Set<String> bundles(CatalogView view, String database) {
        Set<String> names = new TreeSet<>(view.bundles().keySet());
        names.add(SystemObjects.DEFAULT_BUNDLE);
        view.cypressChildren(database + "/sys/" + SystemObjects.BUNDLES).stream()
                .filter(row -> row.type() == ObjectType.TABLET_CELL_BUNDLE)
                .forEach(row -> names.add(row.path().substring(row.path().lastIndexOf('/') + 1)));
        return names;
    }

    SystemMap bundleMap() {
        return new BundleMap();
    }

    SystemMap cellMap() {
        return new CellMap();
    }

    private final class BundleMap implements SystemMap {
        @Override
        public ObjectType type() {
            return ObjectType.TABLET_CELL_BUNDLE_MAP;
        }

        @Override
        public Collection<String> keys() {
            return bundles(view, database);
        }

        @Override
        public Optional<SystemObject> find(String key) {
            boolean exists =
                    key.equals(SystemObjects.DEFAULT_BUNDLE)
                            || view.bundles().containsKey(key)
                            || view.cypress(bundlePath(database, key))
                                    .filter(row -> row.type() == ObjectType.TABLET_CELL_BUNDLE)
                                    .isPresent();
            return exists ? Optional.of(bundle(key)) : Optional.empty();
        }
    }

    private SystemObject bundle(String name) {
        List<Long> ids = view.bundles().getOrDefault(name, List.of());
        Optional<CypressNode> row = view.cypress(bundlePath(database, name));
        ObjectId id =
                row.map(CypressNode::id)
                        .orElseGet(() -> ObjectId.named(ObjectType.TABLET_CELL_BUNDLE, name));
        var object =
                SystemObject.of(id, ObjectType.TABLET_CELL_BUNDLE)
                        .with("name", YsonNode.text(name))
                        .with("health", () -> YsonNode.text(health(ids).text()))
                        .with("tablet_cell_count", YsonNode.of(ids.size()))
                        .withOpaque("tablet_cell_ids", () -> cellIds(ids))
                        .withOpaque(
                                "nodes",
                                () -> YsonNode.texts(ids.isEmpty() ? List.of() : List.of(NODE)))
                        .with(
                                "dynamic_config_version",
                                YsonNode.of(row.map(CypressNode::attributeRevision).orElse(1L)))
                        .withOpaque("resource_usage", () -> cells.resourceUsage(ids))
                        .withOpaque("tablet_actions", () -> actions.ofBundle(name))
                        .withOpaque(
                                NEXT_BALANCING,
                                () ->
                                        NextBalancing.shown(
                                                NextBalancing.of(view, database, name, env),
                                                outlook,
                                                name))
                        .withOpaque(
                                BALANCER_ERRORS, () -> NextBalancing.shown(outlook.problems(name)));
        for (String each : BundleAttributes.NAMES) {
            object.with(each, () -> BundleAttributes.byDefault(each, cells.resourceLimits()));
        }
        return object.build();
    }

    /// What a client sees of an attribute that was set.
    YsonNode shown(String name, YsonNode stored) {
        return BundleAttributes.shown(name, stored, cells.resourceLimits());
    }

    private CellHealth health(List<Long> ids) {
        return ids.stream()
                .map(cells::health)
                .reduce(CellHealth::worse)
                .orElse(CellHealth.INITIALIZING);
    }

    private static YsonNode cellIds(List<Long> ids) {
        return YsonNode.texts(ids.stream().map(cell -> cellId(cell).text()).toList());
    }

    private final class CellMap implements SystemMap {
        @Override
        public ObjectType type() {
            return ObjectType.TABLET_CELL_MAP;
        }

        @Override
        public Collection<String> keys() {
            List<String> keys = new ArrayList<>();
            view.bundles().values().forEach(ids -> ids.forEach(id -> keys.add(key(id))));
            return keys;
        }

        @Override
        public Optional<SystemObject> find(String key) {
            Optional<ObjectId> id = ObjectId.parse(key);
            if (id.isEmpty() || !id.get().equals(cellId(id.get().number()))) {
                return Optional.empty();
            }
            long number = id.get().number();
            return view.bundles().entrySet().stream()
                    .filter(bundle -> bundle.getValue().contains(number))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .map(bundle -> cell(bundle, number));
        }

        @Override
        public SequencedMap<String, SystemObject> all() {
            var all = new LinkedHashMap<String, SystemObject>();
            view.bundles()
                    .forEach(
                            (bundle, ids) -> ids.forEach(id -> all.put(key(id), cell(bundle, id))));
            return all;
        }

        private static String key(long cell) {
            return cellId(cell).text();
        }
    }

    private SystemObject cell(String bundle, long cell) {
        return SystemObject.of(cellId(cell), ObjectType.TABLET_CELL)
                .with(SystemObjects.BUNDLE_ATTRIBUTE, YsonNode.text(bundle))
                .with("area", YsonNode.text(AREA))
                .with("health", () -> YsonNode.text(cells.health(cell).text()))
                .with("local_health", () -> YsonNode.text(cells.health(cell).text()))
                .with("status", () -> status(cell))
                .withOpaque(
                        "multicell_status",
                        () -> YsonNode.map().with(MASTER_TAG, status(cell)).build())
                .with("tablet_cell_life_stage", () -> YsonNode.text(lifeStage(cell)))
                .with("leading_peer_id", () -> YsonNode.of(isLed(cell) ? 0 : NO_PEER))
                .with("peers", () -> YsonNode.list(peer(cell)))
                .with("config_version", YsonNode.of(1))
                .with("suspended", YsonNode.bool(false))
                .with("tablet_count", () -> YsonNode.of(cells.tablets(cell).size()))
                .withOpaque("tablet_ids", () -> tabletIds(cell))
                .withOpaque("total_statistics", () -> cells.statistics(List.of(cell)))
                .with("cell_number", YsonNode.of(cell))
                .build();
    }

    private CellStage stage(long cell) {
        return view.cells().getOrDefault(cell, CellStage.RUNNING);
    }

    /// The life stage as YTsaurus names it: its masters move the tablets away, and then its nodes
    /// end the transactions of the cell.
    private String lifeStage(long cell) {
        return switch (stage(cell)) {
            case INITIALIZING, RUNNING -> "running";
            case DECOMMISSIONING ->
                    hasTablets(cell) ? "decommissioning_on_master" : "decommissioning_on_node";
            case DECOMMISSIONED -> "decommissioned";
        };
    }

    private boolean hasTablets(long cell) {
        return view.tablets().values().stream()
                .flatMap(List::stream)
                .anyMatch(place -> place.cellId() == cell);
    }

    private YsonNode status(long cell) {
        return YsonNode.map()
                .with("health", cells.health(cell).text())
                .with("decommissioned", stage(cell) == CellStage.DECOMMISSIONED)
                .build();
    }

    private boolean isLed(long cell) {
        return switch (cells.health(cell)) {
            case GOOD, DEGRADED -> true;
            case INITIALIZING, FAILED -> false;
        };
    }

    /// The only peer of a cell, with a state of YTsaurus' peers.
    private YsonNode peer(long cell) {
        String state =
                switch (cells.health(cell)) {
                    case GOOD, DEGRADED -> "leading";
                    case INITIALIZING -> "leading_recovery";
                    case FAILED -> "stopped";
                };
        return YsonNode.map()
                .with("address", NODE)
                .with("state", state)
                .with("last_seen_state", state)
                .with("last_seen_time", Times.text(env.wallMicros()))
                .build();
    }

    private YsonNode tabletIds(long cell) {
        return YsonNode.texts(cells.tablets(cell).stream().map(ObjectId::text).toList());
    }
}
