package io.cleave.tree;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableChange.AddIndex;
import io.cleave.schema.TableChange.AlterIndex;
import io.cleave.schema.TableChange.DropIndex;
import io.cleave.schema.TableChange.DropNotNull;
import io.cleave.schema.TableChange.EndNotNull;
import io.cleave.schema.TableChange.RenameIndex;
import io.cleave.schema.TableChange.SetAttributes;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/// What an ALTER of a table does to its index tables. Pure except for the ids it takes.
final class IndexChanges {
    private final Table altered;
    private final LongSupplier newId;
    private final long nowMicros;

    /// The index tables before the change, by index name; `after` has those after it.
    private final Map<String, Table> before;

    private final Map<String, Table> after;
    private final List<Table> added = new ArrayList<>();
    private final List<Table> removed = new ArrayList<>();

    /// `altered` is the table after `changes`.
    IndexChanges(
            CatalogView view,
            Table table,
            Table altered,
            List<TableChange> changes,
            LongSupplier newId,
            long nowMicros) {
        this.altered = altered;
        this.newId = newId;
        this.nowMicros = nowMicros;
        before = view.indexTables(table);
        after = new LinkedHashMap<>(before);
        if (!altered.path().equals(table.path()) && changes.stream().anyMatch(this::isOfIndex)) {
            throw new StatusException(Status.UNSUPPORTED, "Mixed alter is unsupported");
        }
        changes.forEach(this::apply);
    }

    private boolean isOfIndex(TableChange change) {
        return change instanceof AddIndex
                || change instanceof DropIndex
                || change instanceof RenameIndex
                || change instanceof AlterIndex;
    }

    private void apply(TableChange change) {
        switch (change) {
            case AddIndex(Index index) -> {
                Table table = IndexRules.table(altered, index, newId.getAsLong(), nowMicros);
                after.put(index.name(), table);
                added.add(table);
            }
            case DropIndex(String name) -> remove(name);
            case RenameIndex(String name, String toName, _) -> {
                remove(toName);
                Table renamed = after.remove(name);
                if (renamed != null) {
                    after.put(toName, renamed.movedTo(Index.path(altered.path(), toName)));
                }
            }
            case AlterIndex(String name, TableChange ofIndex) ->
                    after.computeIfPresent(
                            name, (_, table) -> TableAlteration.apply(table, List.of(ofIndex)));
            case DropNotNull(String column) -> ofColumn(column, change);
            case EndNotNull(String column, boolean holds) -> {
                if (holds) {
                    ofColumn(column, change);
                }
            }
            // The attributes say which cells the table is in.
            case SetAttributes _ ->
                    after.replaceAll((_, table) -> TableAlteration.apply(table, List.of(change)));
            // No other change affects an index table.
            default -> {}
        }
    }

    private void ofColumn(String column, TableChange change) {
        after.replaceAll(
                (_, table) ->
                        table.indexOf(column) < 0
                                ? table
                                : TableAlteration.apply(table, List.of(change)));
    }

    private void remove(String name) {
        Table gone = after.remove(name);
        if (gone != null) {
            removed.add(gone);
        }
    }

    /// The catalog changes, except those for the tablets of the added tables.
    List<CatalogChange> changes() {
        List<CatalogChange> changes = new ArrayList<>();
        before.values().forEach(table -> changes.add(new RemoveNode(table.path())));
        after.values().forEach(table -> changes.add(new PutNode(Node.of(table))));
        removed.forEach(table -> changes.add(new RemoveTablets(table.id())));
        return changes;
    }

    /// The new index tables, whose tablets have to be created.
    List<Table> added() {
        return added;
    }

    /// The ids of the index tables that the change removes.
    Set<Long> removed() {
        Set<Long> ids = new HashSet<>();
        removed.forEach(table -> ids.add(table.id()));
        return ids;
    }

    /// The index tables that existed before and remain.
    List<Table> kept() {
        return after.values().stream().filter(table -> !added.contains(table)).toList();
    }
}
