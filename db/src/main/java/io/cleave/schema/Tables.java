package io.cleave.schema;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Finds tables by path. The compiler of queries sees the catalog only through this interface.
public interface Tables {
    /// The current table at an absolute path.
    Optional<Table> find(String path);

    /// The view at an absolute path.
    default Optional<View> view(String path) {
        return Optional.empty();
    }

    /// The number of tablets of the table that have keys in the range; for EXPLAIN.
    int tabletCount(Table table, KeyRange range);

    /// The estimated number of rows of the table in the range; empty if it is unknown.
    default OptionalLong estimatedRows(Table table, KeyRange range) {
        return OptionalLong.empty();
    }

    /// The ids of the cells of these tablets; for EXPLAIN.
    Set<Long> cells(Table table, KeyRange range);
}
