package io.cleave.schema;

import java.util.Optional;

/// Answers which table stands at a path. What compiles a query sees the catalog only through this.
public interface Tables {
    /// The table at an absolute path, as it is now.
    Optional<Table> find(String path);

    /// How many tablets of the table hold keys of the range; for EXPLAIN.
    int tabletCount(Table table, KeyRange range);
}
