package io.cleave.tree;

import io.cleave.catalog.Catalog;

import java.util.Set;

/// Undoes what the end of the process has interrupted: hidden tables that were never shown, and
/// columns that were becoming NOT NULL. Only the catalog is changed. Tablets of removed tables then
/// belong to no table, and [io.cleave.cluster.Tablets] removes them.
public final class InterruptedChanges {
    private InterruptedChanges() {}

    /// Must be called at start, before anyone else uses the catalog: no owner of a hidden table is
    /// alive then.
    public static void undo(Catalog catalog, String database) {
        HiddenTables.removal(catalog.view(), database, Set.of()).ifPresent(catalog::change);
        NotNullColumns.undoing(catalog.view()).ifPresent(catalog::change);
    }
}
