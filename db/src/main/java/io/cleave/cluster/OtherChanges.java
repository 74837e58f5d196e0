package io.cleave.cluster;

import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.TabletPlace;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.schema.AccessChange;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Carries out changes other than those of a table's columns and settings: truncation, copies,
/// sequences, views, users and permissions.
final class OtherChanges {
    private final LocalCluster cluster;
    private final Catalog catalog;
    private final NewPaths newPaths;
    private final NewTablets newTablets;
    private final TabletMaps maps;
    private final TableCopies copies;

    OtherChanges(
            LocalCluster cluster,
            Catalog catalog,
            NewPaths newPaths,
            NewTablets newTablets,
            TabletMaps maps,
            TableCopies copies) {
        this.cluster = cluster;
        this.catalog = catalog;
        this.newPaths = newPaths;
        this.newTablets = newTablets;
        this.maps = maps;
        this.copies = copies;
    }

    /// Returns false if there was nothing to do and the change allows that.
    boolean run(SchemeChange change) {
        return switch (change) {
            case SchemeChange.TruncateTable(String path) -> truncate(path);
            case SchemeChange.CopyTables(List<SchemeChange.Copy> wanted) -> copies.run(wanted);
            case SchemeChange.AlterSequence alter -> alterSequence(alter);
            case SchemeChange.CreateView create ->
                    cluster.changing(() -> make(Views.creation(catalog, newPaths, create)));
            case SchemeChange.DropView drop ->
                    cluster.changing(() -> make(Views.removal(catalog.view(), drop)));
            case SchemeChange.Access(AccessChange access) ->
                    cluster.changing(() -> make(access(access)));
        };
    }

    private Optional<List<CatalogChange>> access(AccessChange access) {
        var rules = new AccessRules(catalog.view(), newPaths.database(), newPaths.env());
        return Optional.of(rules.changes(access)).filter(changes -> !changes.isEmpty());
    }

    private boolean make(Optional<List<CatalogChange>> changes) {
        changes.ifPresent(catalog::change);
        return changes.isPresent();
    }

    /// Replaces the table's tablets by empty ones. The table gets a new id, so that the old tablets
    /// can no longer be found.
    private boolean truncate(String path) {
        return cluster.with(
                path,
                Purpose.DROP,
                (table, _) -> {
                    Alterations.refuseIndexTable(table);
                    TableAlteration.refuseSettingNotNull(table);
                    Set<Long> ended = IndexChanges.ids(catalog.view(), table);
                    Set<Long> begun = new HashSet<>();
                    cluster.indexes()
                            .truncating(
                                    unready(table),
                                    () -> cluster.changing(() -> beginAnew(table, begun)));
                    settle(begun);
                    cluster.forget(ended);
                    return true;
                });
    }

    /// The ids of the index tables of indexes that are being built.
    private List<Long> unready(Table table) {
        Map<String, Table> indexTables = IndexChanges.tables(catalog.view(), table);
        return table.indexes().stream()
                .filter(index -> !index.isReady())
                .flatMap(index -> Optional.ofNullable(indexTables.get(index.name())).stream())
                .map(Table::id)
                .toList();
    }

    /// Sets the timestamp from which the empty tables are valid. A transaction that started earlier
    /// must be retried when it reads them.
    private void settle(Set<Long> tableIds) {
        long now = cluster.timeline().visible();
        try {
            now = cluster.indexes().fence();
        } finally {
            for (long tableId : tableIds) {
                maps.settle(tableId, now);
            }
        }
    }

    /// An index that was being built is READY, because the table has no rows.
    private boolean beginAnew(Table table, Set<Long> begun) {
        Table again = TableAlteration.again(table, catalog.newId());
        Table empty =
                table.indexes().isEmpty()
                        ? again
                        : again.with(
                                table.indexes().stream()
                                        .map(index -> index.with(Index.State.READY))
                                        .toList());
        Map<Table, List<KeyRange>> made = new LinkedHashMap<>();
        List<CatalogChange> changes = new ArrayList<>();
        made.put(empty, ranges(table));
        changes.add(new RemoveTablets(table.id()));
        Map<String, Table> indexTables = IndexChanges.tables(catalog.view(), table);
        for (Index index : empty.indexes()) {
            Table old = indexTables.get(index.name());
            if (old != null) {
                Table fresh = IndexRules.table(empty, index, catalog.newId(), old.createdMicros());
                made.put(TableAlteration.withOptions(fresh, old.options()), ranges(old));
                changes.add(new RemoveTablets(old.id()));
            }
        }
        made.keySet().forEach(each -> changes.add(new PutNode(Node.of(each))));
        made.keySet().forEach(each -> begun.add(each.id()));
        newTablets.publishUnsettled(made, changes);
        return true;
    }

    private List<KeyRange> ranges(Table table) {
        return catalog.view().tablets(table.id()).stream().map(TabletPlace::range).toList();
    }

    private boolean alterSequence(SchemeChange.AlterSequence alter) {
        Optional<String> table = SerialColumns.tableOf(catalog.view(), alter.path());
        if (table.isEmpty()) {
            if (alter.ifExists()) {
                return false;
            }
            throw Paths.missing(alter.path());
        }
        return cluster.with(
                table.get(),
                Purpose.CHANGE,
                (held, _) -> {
                    Table altered = SerialColumns.altered(held, alter);
                    SerialColumns.change(
                            catalog.sequences(), held, altered, alter, cluster::change);
                    return true;
                });
    }
}
