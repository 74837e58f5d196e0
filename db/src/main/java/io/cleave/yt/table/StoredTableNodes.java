package io.cleave.yt.table;

import io.cleave.access.Caller;
import io.cleave.balance.yt.settings.OldAttributes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogView;
import io.cleave.cluster.Bundles;
import io.cleave.schema.MountState;
import io.cleave.schema.ObjectId;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.YtTable;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.tree.ActionNodes;
import io.cleave.yt.tree.CellNodes;
import io.cleave.yt.tree.SystemObject;
import io.cleave.yt.tree.TableNodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The tables of the database as nodes of the tree.
///
/// Threads: any.
public final class StoredTableNodes implements TableNodes {
    private final YtTables tables;
    private final TableAttributes attributes;
    private final TabletNodes tablets;

    public StoredTableNodes(YtTables tables) {
        this.tables = tables;
        attributes = new TableAttributes(tables);
        tablets = new TabletNodes(tables);
    }

    @Override
    public Created create(Caller caller, String path, YsonNode.Members given) {
        checkBundle(
                given.member(Bundles.ATTRIBUTE).flatMap(YsonNode::string).orElse(Bundles.DEFAULT));
        TableCreation creation =
                TableCreation.of(
                        path, given, tables.computed(), tables.resharding().bundles().keySet());
        Table table = tables.tree(caller).createHidden(creation.definition());
        return new Created(table, creation.userAttributes());
    }

    @Override
    public Table copy(Caller caller, Table source) {
        Table present =
                present(source)
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.RESOLVE_ERROR,
                                                "Table %s was removed by another client"
                                                        .formatted(tables.ypath(source))));
        boolean quiet =
                YtTables.states(present)
                        .all(state -> state == MountState.UNMOUNTED || state == MountState.FROZEN);
        if (!quiet) {
            throw new YtException(
                    YtCodes.INVALID_TABLET_STATE,
                    "Cannot copy dynamic table %s since not all tablets are unmounted or frozen"
                            .formatted(tables.ypath(source)));
        }
        return tables.tree(caller).copyHidden(present.path());
    }

    @Override
    public void drop(Table hidden) {
        // No client sees the table. Its transaction may have expired, so no call may be there.
        boolean _ = tables.tree(Caller.IN_PROCESS).dropTable(hidden.path(), true);
    }

    @Override
    public void checkMove(Table table) {
        YtTables.checkUnmounted(
                table, "Cannot move dynamic table %s".formatted(tables.ypath(table)));
    }

    @Override
    public List<Attribute> attributes(Table table) {
        return attributes.all();
    }

    @Override
    public Optional<YsonNode> attribute(Table table, String name) {
        return attributes.value(table, name);
    }

    @Override
    public Function<Table, List<TableChange>> change(
            Table table, String name, Optional<YsonNode> value) {
        // An invalid change is refused now, even if the change is made later.
        List<TableChange> _ = changes(table, name, value);
        return present -> {
            try {
                return changes(present, name, value);
            } catch (YtException e) {
                // For example, another client has mounted the table meanwhile.
                throw new StatusException(Status.ABORTED, e.error().message());
            }
        };
    }

    /// The stored table. A transaction may see it at another path.
    private Optional<Table> present(Table seen) {
        return tables.tablets().tables().stream()
                .filter(table -> table.id() == seen.id())
                .findFirst();
    }

    private List<TableChange> changes(Table table, String name, Optional<YsonNode> value) {
        if (name.equals(Bundles.ATTRIBUTE)) {
            return bundle(table, value);
        }
        if (name.equals(TableAttributes.BALANCER)) {
            return List.of(new TableChange.SetBalancer(value.map(TableCreation::balancer)));
        }
        if (OldAttributes.NAMES.contains(name)) {
            YsonNode config = YtSettings.of(table).balancerConfig();
            return setting(
                    table,
                    YtSetting.TABLET_BALANCER_CONFIG,
                    Optional.of(OldAttributes.with(name, value, config)));
        }
        YtSetting setting =
                YtSetting.named(name)
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "Attribute \"%s\" cannot be set".formatted(name)));
        return setting(table, setting, value);
    }

    /// Throws if the bundle has no running cells. A bundle that a client has created has no cells
    /// at first, so it cannot have tables yet.
    private void checkBundle(String name) {
        CatalogView view = tables.tablets().held().view();
        boolean exists =
                name.equals(Bundles.DEFAULT)
                        || view.bundles().containsKey(name)
                        || Bundles.row(view, tables.tablets().database(), name).isPresent();
        if (exists && tables.resharding().runningCells(name).isEmpty()) {
            throw new YtException(
                    YtCodes.GENERIC,
                    ("No healthy tablet cells in bundle \"%s\"; create one with 'yt create"
                                    + " tablet_cell --attributes {tablet_cell_bundle=%s}'")
                            .formatted(name, name));
        }
        TableCreation.checkBundle(name, tables.resharding().bundles().keySet());
    }

    private List<TableChange> bundle(Table table, Optional<YsonNode> value) {
        String name =
                value.flatMap(YsonNode::string)
                        .orElseThrow(
                                () ->
                                        new YtException(
                                                YtCodes.GENERIC,
                                                "The name of a tablet cell bundle must be a"
                                                        + " string"));
        checkBundle(name);
        if (name.equals(Bundles.of(table))) {
            return List.of();
        }
        YtTables.checkUnmounted(table, "Cannot change tablet cell bundle");
        String stored = name.equals(Bundles.DEFAULT) ? "" : name;
        return List.of(new TableChange.SetAttributes(Map.of(Bundles.ATTRIBUTE, stored)));
    }

    private List<TableChange> setting(Table table, YtSetting setting, Optional<YsonNode> value) {
        if (setting == YtSetting.ATOMICITY || setting == YtSetting.COMMIT_ORDERING) {
            boolean changes =
                    !value.map(YsonNode::bare).equals(YtSettings.of(table).value(setting));
            if (changes) {
                YtTables.checkUnmounted(table, "Cannot change \"%s\"".formatted(setting.attribute));
            }
        }
        var settings = YtSettings.of(table);
        YtTable after =
                value.isPresent() ? settings.with(setting, value.get()) : settings.without(setting);
        List<TableChange> changes = new ArrayList<>();
        changes.add(new TableChange.SetYt(after));
        checkMedium(new YtSettings(after));
        changes.addAll(TableFamilies.changes(table, new YtSettings(after)));
        return changes;
    }

    private void checkMedium(YtSettings settings) {
        if (!settings.medium().isEmpty()
                && !tables.tablets().media().names().contains(settings.medium())) {
            throw new YtException(
                    YtCodes.GENERIC, "No such medium \"%s\"".formatted(settings.medium()));
        }
    }

    @Override
    public Optional<SystemObject> tablet(ObjectId id) {
        return tablets.find(id);
    }

    @Override
    public List<ObjectId> tabletIds() {
        return tablets.ids();
    }

    @Override
    public List<SystemObject> tablets() {
        return tablets.all();
    }

    @Override
    public ActionNodes actions() {
        return new StoredActions(tables);
    }

    @Override
    public CellNodes cells() {
        return new CellReports(tables);
    }
}
