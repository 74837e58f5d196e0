package io.cleave.tree;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.PutNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView.Node;
import io.cleave.cluster.HeldTables;
import io.cleave.cluster.TableLocks.Purpose;
import io.cleave.cluster.Tablets;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableRules;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Replaces a table without rows by one with other columns, which may have another key. The table
/// gets a new id, as with TRUNCATE.
record EmptyTableReplacement(Tablets tablets) {
    void run(String path, TableDefinition definition) {
        HeldTables held = tablets.held();
        boolean _ =
                held.with(
                        path,
                        Purpose.DROP,
                        (table, _) -> {
                            if (!table.indexes().isEmpty()) {
                                throw new StatusException(
                                        Status.UNSUPPORTED,
                                        "The columns of '%s' cannot be replaced: it has indexes"
                                                .formatted(path));
                            }
                            Table made =
                                    held.changing(
                                            () -> {
                                                Table fresh =
                                                        TableRules.create(
                                                                definition.at(path),
                                                                held.catalog().newId(),
                                                                table.createdMicros());
                                                publish(table, fresh, definition);
                                                return fresh;
                                            });
                            settle(made);
                            tablets.forget(Set.of(table.id()));
                            return true;
                        });
    }

    private void publish(Table old, Table fresh, TableDefinition definition) {
        tablets.media().check(fresh);
        List<CatalogChange> changes =
                List.of(new RemoveTablets(old.id()), new PutNode(Node.of(fresh)));
        tablets.newTablets()
                .publishUnsettled(
                        Map.of(fresh, InitialLayout.ranges(fresh, definition.layout())), changes);
    }

    /// Sets the timestamp from which the table is valid: earlier snapshots belong to the old one.
    private void settle(Table made) {
        long now = tablets.timeline().visible();
        try {
            now = tablets.fence();
        } finally {
            tablets.settle(Set.of(made.id()), now);
        }
    }
}
