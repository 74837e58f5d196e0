package io.cleave.yt.tree;

import io.cleave.catalog.CatalogView;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.tree.BalancerConfig;
import io.cleave.tree.CypressTree;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/// The objects in `//sys`: cells, bundles, tablets, accounts, users, groups, media and
/// transactions.
final class SystemObjects {
    static final Set<String> ACCOUNTS = new TreeSet<>(Set.of("default", "sys", "tmp"));

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

    /// What is in `//sys` in a view of the catalog.
    SystemDirectory directory(
            CatalogView view,
            TableNodes tables,
            Supplier<List<SystemObject>> transactions,
            SystemMap locks) {
        var cells = new CellObjects(view, tree.database(), tables, outlook, tree.env());
        var maps = new LinkedHashMap<String, SystemMap>();
        maps.put(
                "accounts",
                named(
                        ObjectType.ACCOUNT_MAP,
                        () -> ACCOUNTS,
                        name -> plain(ObjectType.ACCOUNT, name).build()));
        maps.put("groups", named(ObjectType.GROUP_MAP, this::groups, this::group));
        maps.put("locks", locks);
        maps.put(
                "media",
                named(
                        ObjectType.MEDIUM_MAP,
                        () -> Set.of("default"),
                        name -> plain(ObjectType.DOMESTIC_MEDIUM, name).build()));
        maps.put("tablet_actions", new ActionMap(tables.actions()));
        maps.put("tablet_balancer", new BalancerDirectory(tree.database()));
        maps.put(BUNDLES, cells.bundleMap());
        maps.put(CELLS, cells.cellMap());
        maps.put("tablets", new TabletsOf(tables));
        maps.put("transactions", new TransactionMap(transactions));
        maps.put("users", named(ObjectType.USER_MAP, this::users, this::user));
        return new SystemDirectory(tree.database() + "/sys", maps, cells);
    }

    /// The names of all bundles.
    Set<String> bundles() {
        return CellObjects.bundles(tree.view(), tree.database());
    }

    private Set<String> users() {
        Set<String> all = new TreeSet<>(USERS);
        all.addAll(tree.view().access().users().keySet());
        return all;
    }

    private SystemObject user(String name) {
        return plain(ObjectType.USER, name)
                .with("banned", YsonNode.bool(false))
                .with("member_of", YsonNode.texts(groupsOf(name)))
                .build();
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
                                                .toList()))
                .build();
    }

    private static SystemObject.Builder plain(ObjectType type, String name) {
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

    private record TransactionMap(Supplier<List<SystemObject>> objects) implements SystemMap {
        @Override
        public ObjectType type() {
            return ObjectType.TRANSACTION_MAP;
        }

        @Override
        public SequencedMap<String, SystemObject> all() {
            return byId(objects.get());
        }

        @Override
        public Collection<String> keys() {
            return all().keySet();
        }

        @Override
        public Optional<SystemObject> find(String key) {
            return Optional.ofNullable(all().get(key));
        }
    }

    private record ActionMap(ActionNodes actions) implements SystemMap {
        @Override
        public ObjectType type() {
            return ObjectType.TABLET_ACTION_MAP;
        }

        @Override
        public SequencedMap<String, SystemObject> all() {
            return byId(actions.all());
        }

        @Override
        public Collection<String> keys() {
            return all().keySet();
        }

        @Override
        public Optional<SystemObject> find(String key) {
            return ObjectId.parse(key).flatMap(actions::find);
        }
    }

    private static SequencedMap<String, SystemObject> byId(List<SystemObject> objects) {
        var all = new LinkedHashMap<String, SystemObject>();
        objects.forEach(object -> all.put(object.id().text(), object));
        return all;
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
                                                    ObjectType.DOCUMENT,
                                                    BalancerConfig.path(database)),
                                            ObjectType.DOCUMENT)
                                    .build())
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
            return tables.tabletIds().stream().map(ObjectId::text).toList();
        }

        @Override
        public SequencedMap<String, SystemObject> all() {
            return byId(tables.tablets());
        }

        @Override
        public Optional<SystemObject> find(String key) {
            return ObjectId.parse(key).flatMap(tables::tablet);
        }
    }
}
