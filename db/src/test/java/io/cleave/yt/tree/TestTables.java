package io.cleave.yt.tree;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.CellHealth;
import io.cleave.schema.Column;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.testkit.TestStore;
import io.cleave.tree.Scheme;
import io.cleave.value.Type.Primitive;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtException;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// Tables with one key column, whatever the client asks for. They have the attributes `dynamic`,
/// and `optimize_for`, which can be set.
final class TestTables implements TableNodes {
    private final TestStore store;
    private static final String MODE = "optimize_for";

    TestTables(TestStore store) {
        this.store = store;
    }

    private Scheme scheme() {
        return store.tree();
    }

    @Override
    public Created create(Caller caller, String path, YsonNode.Members attributes) {
        var user = new LinkedHashMap<>(attributes.members());
        user.remove(Bytes.utf8("dynamic"));
        user.remove(Bytes.utf8("schema"));
        YsonNode mode = user.remove(Bytes.utf8("optimize_for"));
        Table table =
                scheme().createHidden(
                                new TableDefinition(
                                        path,
                                        List.of(
                                                new NewColumn(
                                                        "k",
                                                        Primitive.INT64,
                                                        false,
                                                        Column.DEFAULT_FAMILY,
                                                        Optional.empty())),
                                        List.of("k"),
                                        List.of(),
                                        TableOptions.DEFAULT,
                                        new Layout.Single(),
                                        mode == null
                                                ? Map.of()
                                                : Map.of(MODE, mode.string().orElseThrow())));
        return new Created(table, new YsonNode.Members(user));
    }

    @Override
    public Table copy(Caller caller, Table source) {
        // A transaction may see the table at another path.
        Table stored =
                store.catalog().view().tables().stream()
                        .filter(table -> table.id() == source.id())
                        .findFirst()
                        .orElseThrow();
        return scheme().copyHidden(stored.path());
    }

    @Override
    public void drop(Table hidden) {
        scheme().dropTable(hidden.path(), true);
    }

    @Override
    public void checkMove(Table table) {}

    @Override
    public List<Attribute> attributes(Table table) {
        return List.of(
                new Attribute("dynamic", false, false, false),
                new Attribute("optimize_for", false, true, true));
    }

    @Override
    public Optional<YsonNode> attribute(Table table, String name) {
        return switch (name) {
            case "dynamic" -> Optional.of(YsonNode.bool(true));
            case "optimize_for" ->
                    Optional.of(YsonNode.text(table.attributes().getOrDefault(MODE, "lookup")));
            default -> Optional.empty();
        };
    }

    @Override
    public Function<Table, List<TableChange>> change(
            Table table, String name, Optional<YsonNode> value) {
        String text = value.flatMap(YsonNode::string).orElse("lookup");
        if (!List.of("lookup", "scan").contains(text)) {
            throw new YtException(1, "Error parsing EOptimizeFor value \"%s\"".formatted(text));
        }
        return _ -> List.of(new TableChange.SetAttributes(Map.of(MODE, text)));
    }

    @Override
    public Optional<SystemObject> tablet(ObjectId id) {
        return tabletIds().contains(id) ? Optional.of(object(id)) : Optional.empty();
    }

    private static SystemObject object(ObjectId id) {
        return SystemObject.of(id, ObjectType.TABLET)
                .with("state", YsonNode.text("mounted"))
                .build();
    }

    @Override
    public List<SystemObject> tablets() {
        return tabletIds().stream().map(TestTables::object).toList();
    }

    @Override
    public List<ObjectId> tabletIds() {
        return tabletIds(_ -> true);
    }

    private List<ObjectId> tabletIds(Predicate<TabletPlace> which) {
        return store.catalog().view().tablets().values().stream()
                .flatMap(List::stream)
                .filter(which)
                .map(place -> ObjectId.of(ObjectType.TABLET, place.tabletId()))
                .toList();
    }

    /// No actions.
    @Override
    public ActionNodes actions() {
        return new ActionNodes() {
            @Override
            public List<SystemObject> all() {
                return List.of();
            }

            @Override
            public Optional<SystemObject> find(ObjectId id) {
                return Optional.empty();
            }

            @Override
            public YsonNode ofBundle(String bundle) {
                return YsonNode.list();
            }

            @Override
            public ObjectId create(YsonNode.Members attributes, BundleUse use) {
                throw new YtException(1, "No actions here");
            }

            @Override
            public void remove(ObjectId id) {}
        };
    }

    /// Cells whose tablets have no size.
    @Override
    public CellNodes cells() {
        return new CellNodes() {
            @Override
            public CellHealth health(long cellId) {
                return CellHealth.GOOD;
            }

            @Override
            public List<ObjectId> tablets(long cellId) {
                return tabletIds(place -> place.cellId() == cellId);
            }

            @Override
            public YsonNode statistics(Collection<Long> cellIds) {
                return resourceUsage(cellIds);
            }

            @Override
            public YsonNode resourceUsage(Collection<Long> cellIds) {
                long count = cellIds.stream().mapToLong(cellId -> tablets(cellId).size()).sum();
                return YsonNode.map().with("tablet_count", count).build();
            }

            @Override
            public YsonNode resourceLimits() {
                return YsonNode.map()
                        .with("tablet_count", 1000)
                        .with("tablet_static_memory", 1 << 20)
                        .build();
            }
        };
    }
}
