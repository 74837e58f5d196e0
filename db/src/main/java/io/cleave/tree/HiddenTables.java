package io.cleave.tree;

import io.cleave.catalog.CatalogChange;
import io.cleave.catalog.CatalogChange.RemoveNode;
import io.cleave.catalog.CatalogChange.RemoveTablets;
import io.cleave.catalog.CatalogView;
import io.cleave.schema.Table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tables that are being filled, and temporary tables of sessions. They are in a directory that no
/// listing shows and whose name users cannot use: `/local/.tmp/OWNER-ID`. The owner is the process
/// that made the table. Tables of a process that is gone are removed at the next start.
final class HiddenTables {
    static final String DIRECTORY = "/.tmp/";

    private static final char SEPARATOR = '-';

    private HiddenTables() {}

    static String path(String database, long owner, long id) {
        return database + DIRECTORY + owner + SEPARATOR + id;
    }

    /// The changes that remove the hidden tables of all owners but these; empty if there are none.
    /// Their tablets then belong to no table and are dropped too.
    static Optional<List<CatalogChange>> removal(
            CatalogView view, String database, Set<Long> liveOwners) {
        List<CatalogChange> changes = new ArrayList<>();
        for (Table table : view.tables()) {
            String prefix = database + DIRECTORY;
            if (table.path().startsWith(prefix)
                    && !liveOwners.contains(owner(table.path().substring(prefix.length())))) {
                changes.add(new RemoveNode(table.path()));
                changes.add(new RemoveTablets(table.id()));
            }
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes);
    }

    /// 0 if the name has no owner, as in folders of earlier versions.
    private static long owner(String name) {
        int slash = name.indexOf('/');
        String first = slash < 0 ? name : name.substring(0, slash);
        int end = first.indexOf(SEPARATOR);
        return end < 0 ? 0 : Long.parseLong(first.substring(0, end));
    }
}
