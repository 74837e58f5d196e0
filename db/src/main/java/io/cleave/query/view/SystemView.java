package io.cleave.query.view;

import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.tree.PathEntry;
import io.cleave.tree.Scheme;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A table that is not stored. Its first columns are its key.
public interface SystemView {
    Table table();

    /// The rows with keys in the range, with all columns, in the order of the keys. They may be
    /// made when they are needed.
    Iterator<Value[]> rows(KeyRange range, Direction direction);

    /// Every stored table of a tree with its tablets. Tables that are dropped meanwhile are left
    /// out.
    static Map<Table, List<TabletInfo>> tabletsOf(Scheme scheme) {
        Map<Table, List<TabletInfo>> tablets = new LinkedHashMap<>();
        for (PathEntry entry : entriesOf(scheme)) {
            if (entry.kind() == PathEntry.Kind.TABLE) {
                scheme.find(entry.path()).ifPresent(table -> add(scheme, table, tablets));
            }
        }
        return tablets;
    }

    /// Adds the table and the tables of its indexes.
    private static void add(Scheme scheme, Table table, Map<Table, List<TabletInfo>> tablets) {
        ifThere(() -> scheme.tablets(table)).ifPresent(its -> tablets.put(table, its));
        for (Index index : table.indexes()) {
            scheme.find(Index.path(table.path(), index.name()))
                    .ifPresent(indexTable -> add(scheme, indexTable, tablets));
        }
    }

    /// All entries of a tree except the tables of indexes. Entries that are dropped meanwhile may
    /// be left out.
    static List<PathEntry> entriesOf(Scheme scheme) {
        List<PathEntry> entries = new ArrayList<>();
        addBelow(scheme, scheme.database(), entries);
        return entries;
    }

    private static void addBelow(Scheme scheme, String directory, List<PathEntry> entries) {
        for (PathEntry entry : ifThere(() -> scheme.list(directory)).orElse(List.of())) {
            entries.add(entry);
            switch (entry.kind()) {
                case DATABASE, DIRECTORY -> addBelow(scheme, entry.path(), entries);
                case TABLE, VIEW, SYSTEM_VIEW -> {}
            }
        }
    }

    /// Empty if the object was dropped or replaced since it was seen.
    private static <T> Optional<T> ifThere(Supplier<T> answer) {
        try {
            return Optional.of(answer.get());
        } catch (StatusException e) {
            if (e.status() != Status.SCHEME_ERROR && e.status() != Status.ABORTED) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
