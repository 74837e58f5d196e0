package io.cleave.cluster;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.Catalog;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange;
import io.cleave.schema.TableChange.AddIndex;
import io.cleave.schema.TableRules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Changes the description of a table and of its index tables. `alter` takes the locks of the table
/// and of its index tables; callers of `run` and `emptyIndex` already hold them.
record Alterations(
        LocalCluster cluster,
        Catalog catalog,
        Cells cells,
        Media media,
        NewPaths newPaths,
        NewTablets newTablets) {
    /// ALTER TABLE, including the work on rows that the change needs.
    void alter(
            String path,
            List<TableChange> changed,
            Optional<IndexBuilder> builder,
            Optional<ColumnWork> columnWork) {
        if (NotNullColumns.concerns(changed)) {
            new NotNullColumns(cluster, this).alter(path, changed, columnWork);
            return;
        }
        boolean adds = changed.stream().anyMatch(change -> change instanceof AddIndex);
        if (adds && builder.isEmpty()) {
            throw new StatusException(Status.UNSUPPORTED, "ADD INDEX is not supported here");
        }
        List<Table> added =
                cluster.with(path, Purpose.CHANGE_ALL, (table, _) -> run(table, changed));
        // The index is built without holding the table's lock.
        builder.ifPresent(found -> cluster.indexes().build(found, added));
    }

    /// Returns the tables of the new indexes.
    List<Table> run(Table table, List<TableChange> changed) {
        refuseOfIndexTable(table, changed);
        refuseRenameToItself(table, changed);
        Table altered =
                SerialColumns.numbered(TableAlteration.apply(table, changed), catalog::newId);
        TableRules.checkTtlAge(altered.options(), newPaths.env().wallMicros());
        media.check(altered);
        List<Table> added = new ArrayList<>();
        Set<Long> removed = new HashSet<>();
        cluster.changing(
                () -> {
                    Bundles.cells(catalog.view(), altered);
                    var ofIndexes =
                            new IndexChanges(
                                    catalog.view(),
                                    table,
                                    altered,
                                    changed,
                                    catalog::newId,
                                    newPaths.env().wallMicros());
                    NewPaths.checkCount(
                            catalog.view(), ofIndexes.added().size() - ofIndexes.removed().size());
                    newTablets.publish(
                            awaited(ofIndexes.added()), changes(table, altered, ofIndexes));
                    added.addAll(ofIndexes.added());
                    removed.addAll(ofIndexes.removed());
                    return true;
                });
        if (!removed.isEmpty()) {
            cluster.forget(removed);
        }
        cluster.configure(altered);
        cluster.indexTables(altered).forEach(cluster::configure);
        return added;
    }

    private List<CatalogChange> changes(Table table, Table altered, IndexChanges ofIndexes) {
        List<CatalogChange> changes = new ArrayList<>();
        if (altered.path().equals(table.path())) {
            changes.addAll(ofIndexes.changes());
            changes.add(new PutNode(Node.of(altered)));
        } else {
            var renames = new Renames(catalog.view(), newPaths);
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
            cells.all().forEach(cell -> cell.awaitLoad(indexTable.id()));
            made.put(indexTable, List.of(KeyRange.ALL));
        }
        return made;
    }

    /// Replaces the table of the index by a new, empty one.
    Table emptyIndex(Table table, String name) {
        Table old = cluster.table(Index.path(table.path(), name));
        Index index = table.index(name).orElseThrow(() -> Paths.missing(old.path()));
        List<Table> made = new ArrayList<>();
        cluster.changing(
                () -> {
                    Table fresh =
                            TableAlteration.withOptions(
                                    IndexRules.table(
                                            table,
                                            index,
                                            catalog.newId(),
                                            newPaths.env().wallMicros()),
                                    old.options());
                    newTablets.publish(
                            awaited(List.of(fresh)),
                            List.of(new RemoveTablets(old.id()), new PutNode(Node.of(fresh))));
                    return made.add(fresh);
                });
        cluster.forget(Set.of(old.id()));
        return made.getFirst();
    }

    static void refuseIndexTable(Table table) {
        if (table.isIndexTable()) {
            throw Paths.problem(table.path(), "path is not a common path, it belongs to an index");
        }
    }

    private static void refuseRenameToItself(Table table, List<TableChange> changed) {
        if (changed.contains(new TableChange.Rename(table.path()))) {
            throw Paths.problem(table.path(), "path exist, request doesn't accept it");
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
