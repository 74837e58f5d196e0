package io.cleave.cluster;

import io.cleave.schema.Table;

/// Fills the indexes that are added to tables with rows; what can do it is above.
public interface IndexBuilder {
    /// The table has a new index, which every write keeps up from now on; its rows are in
    /// `indexTable`. Returns when it is complete and READY, as it is, too, when its table is
    /// truncated meanwhile. What goes wrong is a `StatusException`, and the index is gone then.
    void build(Table table, Table indexTable);
}
