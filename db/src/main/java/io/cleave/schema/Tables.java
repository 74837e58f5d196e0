package io.cleave.schema;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Answers which table stands at a path. What compiles a query sees the catalog only through this.
public interface Tables {
    /// The table at an absolute path, as it is now.
    Optional<Table> find(String path);

    /// The view at an absolute path.
    default Optional<View> view(String path) {
        return Optional.empty();
    }

    /// How many tablets of the table hold keys of the range; for EXPLAIN.
    int tabletCount(Table table, KeyRange range);

    /// About how many rows of the table lie in the range; nothing where nobody knows.
    default OptionalLong estimatedRows(Table table, KeyRange range) {
        return OptionalLong.empty();
    }

    /// The ids of the cells that those are in; for EXPLAIN.
    Set<Long> cells(Table table, KeyRange range);
}
