package io.cleave.query;

import io.cleave.cluster.PathEntry;
import io.cleave.cluster.Scheme;
import io.cleave.schema.Table;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;

/// A table that nobody stores. Its key columns are its first ones.
interface SystemView {
    Table table();

    /// All rows as they are now, whole and in no order.
    List<Value[]> rows();

    /// Every stored table of a tree.
    static List<Table> tablesOf(Scheme scheme) {
        List<Table> tables = new ArrayList<>();
        addBelow(scheme, scheme.database(), tables);
        return tables;
    }

    private static void addBelow(Scheme scheme, String directory, List<Table> tables) {
        for (PathEntry entry : scheme.list(directory)) {
            switch (entry.kind()) {
                case DATABASE, DIRECTORY -> addBelow(scheme, entry.path(), tables);
                case TABLE -> scheme.find(entry.path()).ifPresent(tables::add);
                case VIEW, SYSTEM_VIEW -> {}
            }
        }
    }
}
