package io.cleave.tree;

import io.cleave.schema.Table;

/// Fills an index that is added to a table with rows. Implemented in a package above.
public interface IndexBuilder {
    /// Builds a new index of `table` whose rows are in `indexTable`; every write already maintains
    /// it. Returns when the index is READY, either because it is complete or because the table was
    /// truncated meanwhile. On failure throws a `StatusException` and the index is dropped.
    void build(Table table, Table indexTable);
}
