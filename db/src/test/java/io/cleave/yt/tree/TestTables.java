package io.cleave.yt.tree;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
        return Optional.of(
                        SystemObject.of(id, ObjectType.TABLET)
                                .with("state", YsonNode.text("mounted")))
                .filter(_ -> tablets().contains(id));
    }

    @Override
    public List<ObjectId> tablets() {
        List<ObjectId> ids = new ArrayList<>();
        store.catalog()
                .view()
                .tablets()
                .values()
                .forEach(
                        places ->
                                places.forEach(
                                        place ->
                                                ids.add(
                                                        ObjectId.of(
                                                                ObjectType.TABLET,
                                                                place.tabletId()))));
        return ids;
    }
}
