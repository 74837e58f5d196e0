package io.cleave.cluster;

/// Goes over the rows of a table for a column that is to become NOT NULL; what can do it is above.
/// Tables and columns are named by their ids: both may be renamed meanwhile.
public interface ColumnWork {
    /// Gives every row that has NULL in the column, which has a sequence, a number of its own.
    void fill(long tableId, int columnId);

    /// Returns a moment at which no row has NULL in the column; PRECONDITION_FAILED when one has.
    long check(long tableId, int columnId);
}
