package io.cleave.typed;

import io.cleave.schema.Column;
import io.cleave.schema.Table;

import java.util.List;

/// Gives the generated columns of tables. A table stores their expressions only as text; the query
/// language implements this interface to parse them.
public interface GeneratedColumns {
    /// The generated columns of a table, in the order of its primary key.
    List<GeneratedColumn> of(Table table);

    /// Whether a generated column may be NULL even if none of its source columns is NULL.
    boolean mayBeNull(Table table, Column column);
}
