package io.cleave.tree;

import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.PathErrors;
import io.cleave.cluster.Bundles;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableRules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Changes the description of a table and of its index tables. The caller holds the locks of the
/// table and of its index tables.
record Alterations(Tablets tablets, NewPaths newPaths) {
    /// Returns the tables of the new indexes.
    List<Table> run(Table table, List<TableChange> changed) {
        refuseOfIndexTable(table, changed);
        refuseRenameToItself(table, changed);
        Table altered =
                SerialColumns.numbered(TableAlteration.apply(table, changed), catalog()::newId);
        TableRules.checkTtlAge(altered.options(), newPaths.env().wallMicros());
        tablets.media().check(altered);
        List<Table> added = new ArrayList<>();
        Set<Long> removed = new HashSet<>();
        tablets.held()
                .changing(
                        () -> {
                            var _ = Bundles.cells(catalog().view(), altered);
                            var ofIndexes =
                                    new IndexChanges(
                                            catalog().view(),
                                            table,
                                            altered,
                                            changed,
                                            catalog()::newId,
                                            newPaths.env().wallMicros());
                            NewPaths.checkCount(
                                    catalog().view(),
                                    ofIndexes.added().size() - ofIndexes.removed().size());
                            tablets.newTablets()
                                    .publish(
                                            awaited(ofIndexes.added()),
                                            changes(table, altered, ofIndexes));
                            added.addAll(ofIndexes.added());
                            removed.addAll(ofIndexes.removed());
                            return true;
                        });
        if (!removed.isEmpty()) {
            tablets.forget(removed);
        }
        tablets.configure(altered);
        catalog().view().indexTables(altered).values().forEach(tablets::configure);
        return added;
    }

    private List<CatalogChange> changes(Table table, Table altered, IndexChanges ofIndexes) {
        List<CatalogChange> changes = new ArrayList<>();
        if (altered.path().equals(table.path())) {
            changes.addAll(ofIndexes.changes());
            changes.add(new PutNode(Node.of(altered)));
        } else {
            var renames = new Renames(catalog().view(), newPaths);
            renames.add(table.path(), altered, false);
            changes.addAll(renames.changes());
        }
        return changes;
    }

    /// New index tables of one tablet each, prepared for a bulk load of their rows.
    private Map<Table, List<KeyRange>> awaited(List<Table> indexTables) {
        Map<Table, List<KeyRange>> made = new LinkedHashMap<>();
        for (Table indexTable : indexTables) {
            Paths.checkOfIndex(newPaths.database(), indexTable.path());
            tablets.cells().awaitLoad(indexTable.id());
            made.put(indexTable, List.of(KeyRange.ALL));
        }
        return made;
    }

    /// Replaces the table of the index by a new, empty one. When this returns, every commit that
    /// wrote to the old one is visible or has failed.
    Table emptyIndex(Table table, String name) {
        Table old = tablets.table(Index.path(table.path(), name));
        Index index = table.index(name).orElseThrow(() -> PathErrors.missing(old.path()));
        List<Table> made = new ArrayList<>();
        tablets.held()
                .changing(
                        () -> {
                            Table fresh =
                                    TableAlteration.withOptions(
                                            IndexRules.table(
                                                    table,
                                                    index,
                                                    catalog().newId(),
                                                    newPaths.env().wallMicros()),
                                            old.options());
                            tablets.newTablets()
                                    .publish(
                                            awaited(List.of(fresh)),
                                            List.of(
                                                    new RemoveTablets(old.id()),
                                                    new PutNode(Node.of(fresh))));
                            return made.add(fresh);
                        });
        // A transaction that has written to the old index table must not commit after the build has
        // taken its snapshot.
        tablets.olderCommits().endAll(old);
        tablets.forget(Set.of(old.id()));
        return made.getFirst();
    }

    private Catalog catalog() {
        return tablets.held().catalog();
    }

    static void refuseIndexTable(Table table) {
        if (table.isIndexTable()) {
            throw PathErrors.problem(
                    table.path(), "path is not a common path, it belongs to an index");
        }
    }

    private static void refuseRenameToItself(Table table, List<TableChange> changed) {
        if (changed.contains(new TableChange.Rename(table.path()))) {
            throw PathErrors.problem(table.path(), "path exist, request doesn't accept it");
        }
    }

    /// Only the partitioning and the read replicas of an index table may be changed.
    private static void refuseOfIndexTable(Table table, List<TableChange> changed) {
        for (TableChange change : changed) {
            if (!(change instanceof TableChange.SetPartitioning
                    || change instanceof TableChange.SetReadReplicas)) {
                refuseIndexTable(table);
            }
        }
    }
}
