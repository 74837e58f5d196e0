package io.cleave.tree;

/// Works through the rows of a table for a column that is to become NOT NULL. Implemented in a
/// package above. Tables and columns are identified by id, because both may be renamed meanwhile.
public interface ColumnWork {
    /// Gives a number from the column's sequence to every row that has NULL in the column.
    void fill(long tableId, int columnId);

    /// Returns a timestamp at which no row has NULL in the column; throws PRECONDITION_FAILED if a
    /// row has NULL.
    long check(long tableId, int columnId);
}
