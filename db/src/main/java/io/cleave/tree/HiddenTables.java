package io.cleave.tree;

import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tables that are being filled, and temporary tables of sessions. They are in a directory that no
/// listing shows and whose name users cannot use. Tables left there by a crash are removed at the
/// next start.
final class HiddenTables {
    static final String DIRECTORY = "/.tmp/";

    private HiddenTables() {}

    static String path(String database, long id) {
        return database + DIRECTORY + id;
    }

    /// The changes that remove all hidden tables; empty if there are none. Their tablets then
    /// belong to no table and are dropped too.
    static Optional<List<CatalogChange>> removal(CatalogView view, String database) {
        List<CatalogChange> changes = new ArrayList<>();
        for (Table table : view.tables()) {
            if (table.path().startsWith(database + DIRECTORY)) {
                changes.add(new RemoveNode(table.path()));
                changes.add(new RemoveTablets(table.id()));
            }
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes);
    }
}
