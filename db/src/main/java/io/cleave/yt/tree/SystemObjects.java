package io.cleave.yt.tree;

import io.cleave.balance.yt.settings.BundleConfig;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CypressNode;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.CellStage;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tree.BalancerConfig;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/// The objects in `//sys`: cells, bundles, tablets, accounts, users, groups, media and
/// transactions.
final class SystemObjects {
    static final Set<String> ACCOUNTS = new TreeSet<>(Set.of("default", "sys", "tmp"));

    static final String BALANCER_CONFIG = "tablet_balancer_config";
    static final String OPTIONS = "options";

    /// The attributes of these objects that clients can set. They are stored.
    static final Set<String> WRITABLE =
            Set.of(
                    BALANCER_CONFIG,
                    "cell_balancer_config",
                    OPTIONS,
                    "dynamic_options",
                    "node_tag_filter",
                    "resource_limits");

    /// The attribute of a bundle that lists the next rounds of the balancer.
    static final String NEXT_BALANCING = "next_balancing";

    /// The attribute of a bundle that says what kept it from being balanced.
    static final String BALANCER_ERRORS = "tablet_balancer_errors";

    static final String BUNDLES = "tablet_cell_bundles";
    static final String CELLS = "tablet_cells";
    static final String DEFAULT_BUNDLE = "default";

    /// Names the bundle of a cell, and that of a table; absent for a table of the default bundle.
    static final String BUNDLE_ATTRIBUTE = "tablet_cell_bundle";

    private static final Set<String> USERS = Set.of("root", "guest");
    private static final Set<String> GROUPS =
            Set.of("everyone", "users", "superusers", "admins", "admin_snapshots");

    private final CypressTree tree;
    private final BundleOutlook outlook;

    SystemObjects(CypressTree tree, BundleOutlook outlook) {
        this.tree = tree;
        this.outlook = outlook;
    }

    SystemDirectory directory(
            TableNodes tables, Supplier<List<SystemObject>> transactions, SystemMap locks) {
        var maps = new LinkedHashMap<String, SystemMap>();
        maps.put(
                "accounts",
                named(
                        ObjectType.ACCOUNT_MAP,
                        () -> ACCOUNTS,
                        name -> plain(ObjectType.ACCOUNT, name)));
        maps.put("groups", named(ObjectType.GROUP_MAP, this::groups, this::group));
        maps.put("locks", locks);
        maps.put(
                "media",
                named(
                        ObjectType.MEDIUM_MAP,
                        () -> Set.of("default"),
                        name -> plain(ObjectType.DOMESTIC_MEDIUM, name)));
        maps.put(
                "tablet_actions",
                named(
                        ObjectType.TABLET_ACTION_MAP,
                        Set::of,
                        name -> plain(ObjectType.TABLET_ACTION, name)));
        maps.put("tablet_balancer", new BalancerDirectory(tree.database()));
        maps.put(BUNDLES, named(ObjectType.TABLET_CELL_BUNDLE_MAP, this::bundles, this::bundle));
        maps.put(CELLS, byId(ObjectType.TABLET_CELL_MAP, this::cells));
        maps.put("tablets", new TabletsOf(tables));
        maps.put("transactions", byId(ObjectType.TRANSACTION_MAP, transactions));
        maps.put("users", named(ObjectType.USER_MAP, this::users, this::user));
        return new SystemDirectory(tree.database() + "/sys", maps);
    }

    static ObjectId cellId(long cell) {
        return ObjectId.of(ObjectType.TABLET_CELL, cell);
    }

    /// The names of all bundles. A bundle without cells exists only as a stored row.
    Set<String> bundles() {
        CatalogView view = tree.view();
        Set<String> names = new TreeSet<>(view.bundles().keySet());
        view.cypressChildren(tree.database() + "/sys/" + BUNDLES).stream()
                .filter(row -> row.type() == ObjectType.TABLET_CELL_BUNDLE)
                .forEach(row -> names.add(row.path().substring(row.path().lastIndexOf('/') + 1)));
        return names;
    }

    private SystemObject bundle(String name) {
        List<Long> cells = tree.view().bundles().getOrDefault(name, List.of());
        String health = cells.isEmpty() ? "initializing" : "good";
        ObjectId id =
                tree.view()
                        .cypress(bundlePath(tree.database(), name))
                        .map(CypressNode::id)
                        .orElseGet(() -> ObjectId.named(ObjectType.TABLET_CELL_BUNDLE, name));
        return SystemObject.of(id, ObjectType.TABLET_CELL_BUNDLE)
                .with("name", YsonNode.text(name))
                .with("health", YsonNode.text(health))
                .with("tablet_cell_count", YsonNode.of(cells.size()))
                .with(
                        "tablet_cell_ids",
                        YsonNode.texts(cells.stream().map(cell -> cellId(cell).text()).toList()))
                .with("nodes", YsonNode.list())
                .with(BALANCER_CONFIG, BundleConfig.shown(YsonNode.Members.EMPTY))
                .with("cell_balancer_config", YsonNode.Members.EMPTY)
                .with(OPTIONS, options())
                .with("dynamic_options", YsonNode.Members.EMPTY)
                .with("node_tag_filter", YsonNode.text(""))
                .with("resource_limits", YsonNode.Members.EMPTY)
                .with("tablet_actions", YsonNode.list())
                .with(
                        NEXT_BALANCING,
                        () ->
                                NextBalancing.shown(
                                        NextBalancing.of(
                                                tree.view(), tree.database(), name, tree.env()),
                                        outlook,
                                        name))
                .with(BALANCER_ERRORS, () -> NextBalancing.shown(outlook.problems(name)));
    }

    static String bundlePath(String database, String bundle) {
        return database + "/sys/" + BUNDLES + "/" + bundle;
    }

    /// What a client sees of an attribute that was set.
    static YsonNode shown(String name, YsonNode value) {
        return name.equals(BALANCER_CONFIG) ? BundleConfig.shown(value) : value;
    }

    private static YsonNode options() {
        return YsonNode.map()
                .with("peer_count", 1)
                .with("independent_peers", false)
                .with("changelog_replication_factor", 1)
                .with("changelog_read_quorum", 1)
                .with("changelog_write_quorum", 1)
                .with("changelog_account", "sys")
                .with("changelog_primary_medium", "default")
                .with("snapshot_replication_factor", 1)
                .with("snapshot_account", "sys")
                .with("snapshot_primary_medium", "default")
                .build();
    }

    private List<SystemObject> cells() {
        List<SystemObject> all = new ArrayList<>();
        tree.view()
                .bundles()
                .forEach((bundle, cells) -> cells.forEach(cell -> all.add(cell(bundle, cell))));
        return all;
    }

    private SystemObject cell(String bundle, long cell) {
        CellStage stage = tree.view().cells().getOrDefault(cell, CellStage.RUNNING);
        YsonNode status =
                YsonNode.map()
                        .with("health", "good")
                        .with("decommissioned", stage == CellStage.DECOMMISSIONED)
                        .build();
        return SystemObject.of(cellId(cell), ObjectType.TABLET_CELL)
                .with(BUNDLE_ATTRIBUTE, YsonNode.text(bundle))
                .with("health", YsonNode.text("good"))
                .with("local_health", YsonNode.text("good"))
                .with("status", status)
                .with("tablet_cell_life_stage", YsonNode.text(lifeStage(stage, cell)))
                .with("leading_peer_id", YsonNode.of(0))
                .with(
                        "peers",
                        YsonNode.list(
                                YsonNode.map()
                                        .with("address", "localhost")
                                        .with("state", "leading")
                                        .build()))
                .with("config_version", YsonNode.of(1))
                .with("suspended", YsonNode.bool(false))
                .with("tablet_count", () -> YsonNode.of(tablets(cell).size()))
                .with("tablet_ids", () -> YsonNode.texts(tablets(cell)))
                .with("cell_number", YsonNode.of(cell));
    }

    /// The life stage as YTsaurus names it: its masters move the tablets away, and then its nodes
    /// end the transactions of the cell.
    private String lifeStage(CellStage stage, long cell) {
        return switch (stage) {
            case INITIALIZING, RUNNING -> "running";
            case DECOMMISSIONING ->
                    hasTablets(cell) ? "decommissioning_on_master" : "decommissioning_on_node";
            case DECOMMISSIONED -> "decommissioned";
        };
    }

    /// The ids of the tablets in a cell.
    private List<String> tablets(long cell) {
        return tree.view().tablets().values().stream()
                .flatMap(List::stream)
                .filter(place -> place.cellId() == cell)
                .map(place -> ObjectId.of(ObjectType.TABLET, place.tabletId()).text())
                .toList();
    }

    boolean hasTablets(long cell) {
        for (List<TabletPlace> places : tree.view().tablets().values()) {
            if (places.stream().anyMatch(place -> place.cellId() == cell)) {
                return true;
            }
        }
        return false;
    }

    private Set<String> users() {
        Set<String> all = new TreeSet<>(USERS);
        all.addAll(tree.view().access().users().keySet());
        return all;
    }

    private SystemObject user(String name) {
        return plain(ObjectType.USER, name)
                .with("banned", YsonNode.bool(false))
                .with("member_of", YsonNode.texts(groupsOf(name)));
    }

    List<String> groupsOf(String user) {
        List<String> groups = new ArrayList<>(List.of("everyone"));
        if (!user.equals("guest")) {
            groups.add("users");
        }
        if (user.equals("root")) {
            groups.add("superusers");
        }
        tree.view()
                .access()
                .groups()
                .forEach(
                        (name, group) -> {
                            if (group.members().contains(user)) {
                                groups.add(name);
                            }
                        });
        return groups;
    }

    private Set<String> groups() {
        Set<String> all = new TreeSet<>(GROUPS);
        all.addAll(tree.view().access().groups().keySet());
        return all;
    }

    private SystemObject group(String name) {
        return plain(ObjectType.GROUP, name)
                .with(
                        "members",
                        () ->
                                YsonNode.texts(
                                        users().stream()
                                                .filter(user -> groupsOf(user).contains(name))
                                                .toList()));
    }

    private static SystemObject plain(ObjectType type, String name) {
        return SystemObject.of(ObjectId.named(type, name), type).with("name", YsonNode.text(name));
    }

    private static SystemMap named(
            ObjectType type,
            Supplier<? extends Set<String>> names,
            Function<String, SystemObject> object) {
        return new SystemMap() {
            @Override
            public ObjectType type() {
                return type;
            }

            @Override
            public Collection<String> keys() {
                return names.get();
            }

            @Override
            public Optional<SystemObject> find(String key) {
                return names.get().contains(key)
                        ? Optional.of(object.apply(key))
                        : Optional.empty();
            }
        };
    }

    private static SystemMap byId(ObjectType type, Supplier<List<SystemObject>> objects) {
        return new SystemMap() {
            @Override
            public ObjectType type() {
                return type;
            }

            private Map<String, SystemObject> all() {
                Map<String, SystemObject> all = new LinkedHashMap<>();
                objects.get().forEach(object -> all.put(object.id().text(), object));
                return all;
            }

            @Override
            public Collection<String> keys() {
                return all().keySet();
            }

            @Override
            public Optional<SystemObject> find(String key) {
                return Optional.ofNullable(all().get(key));
            }
        };
    }

    /// The directory of the balancer's settings.
    private record BalancerDirectory(String database) implements SystemMap {
        @Override
        public ObjectType type() {
            return ObjectType.MAP_NODE;
        }

        @Override
        public Collection<String> keys() {
            return List.of(BalancerConfig.NAME);
        }

        @Override
        public Optional<SystemObject> find(String key) {
            return key.equals(BalancerConfig.NAME)
                    ? Optional.of(
                            SystemObject.of(
                                    ObjectId.named(
                                            ObjectType.DOCUMENT, BalancerConfig.path(database)),
                                    ObjectType.DOCUMENT))
                    : Optional.empty();
        }
    }

    private record TabletsOf(TableNodes tables) implements SystemMap {
        @Override
        public ObjectType type() {
            return ObjectType.TABLET_MAP;
        }

        @Override
        public Collection<String> keys() {
            return tables.tablets().stream().map(ObjectId::text).toList();
        }

        @Override
        public Optional<SystemObject> find(String key) {
            return ObjectId.parse(key).flatMap(tables::tablet);
        }
    }
}
