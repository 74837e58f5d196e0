package io.cleave.tree;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.catalog.TabletPlace;
import io.cleave.cluster.HeldTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Index;
import io.cleave.schema.IndexRules;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// TRUNCATE TABLE: replaces the table's tablets, and those of its index tables, by empty ones.
///
/// The tables get new ids, so that the old tablets can no longer be found.
final class Truncation {
    private final Tablets tablets;
    private final HeldTables held;
    private final Indexes indexes;

    Truncation(Tablets tablets, Indexes indexes) {
        this.tablets = tablets;
        held = tablets.held();
        this.indexes = indexes;
    }

    boolean run(String path) {
        return held.with(
                path,
                Purpose.DROP,
                (table, _) -> {
                    Alterations.refuseIndexTable(table);
                    TableAlteration.refuseSettingNotNull(table);
                    refuseUnmounted(table);
                    Set<Long> ended = held.view().idsWithIndexes(table);
                    Set<Long> begun = new HashSet<>();
                    indexes.truncating(
                            unready(table), () -> held.changing(() -> beginAnew(table, begun)));
                    settle(begun);
                    tablets.forget(ended);
                    return true;
                });
    }

    private static void refuseUnmounted(Table table) {
        if (!table.isMounted()) {
            throw new StatusException(
                    Status.UNAVAILABLE,
                    "Table '%s' cannot be truncated: not all of its tablets are mounted"
                            .formatted(table.path()));
        }
    }

    /// The ids of the index tables of indexes that are being built.
    private List<Long> unready(Table table) {
        Map<String, Table> indexTables = held.view().indexTables(table);
        return table.indexes().stream()
                .filter(index -> !index.isReady())
                .flatMap(index -> Optional.ofNullable(indexTables.get(index.name())).stream())
                .map(Table::id)
                .toList();
    }

    /// Sets the timestamp from which the empty tables are valid. A transaction that started earlier
    /// must be retried when it reads them.
    private void settle(Set<Long> tableIds) {
        long now = tablets.timeline().visible();
        try {
            now = tablets.fence();
        } finally {
            tablets.settle(tableIds, now);
        }
    }

    /// An index that was being built is READY, because the table has no rows.
    private boolean beginAnew(Table table, Set<Long> begun) {
        Table again = TableAlteration.again(table, held.catalog().newId());
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
        Map<String, Table> indexTables = held.view().indexTables(table);
        for (Index index : empty.indexes()) {
            Table old = indexTables.get(index.name());
            if (old != null) {
                Table fresh =
                        IndexRules.table(empty, index, held.catalog().newId(), old.createdMicros());
                made.put(TableAlteration.withOptions(fresh, old.options()), ranges(old));
                changes.add(new RemoveTablets(old.id()));
            }
        }
        made.keySet().forEach(each -> changes.add(new PutNode(Node.of(each))));
        made.keySet().forEach(each -> begun.add(each.id()));
        tablets.newTablets().publishUnsettled(made, changes);
        return true;
    }

    private List<KeyRange> ranges(Table table) {
        return held.view().tablets(table.id()).stream().map(TabletPlace::range).toList();
    }
}
