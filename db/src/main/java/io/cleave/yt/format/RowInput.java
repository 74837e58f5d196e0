package io.cleave.yt.format;

import io.cleave.base.Bytes;

/// Reads the rows of a body, one after the other. The fields of a row are valid until the next call
/// of [#next].
///
/// Threads: one at a time. Input that is not well-formed causes a `YtException`.
public interface RowInput {
    /// Moves to the next row. Returns false at the end.
    boolean next();

    /// The names of columns, by the numbers that [#column] returns. Before the first row is read,
    /// the caller may number the columns of a table.
    ColumnNames names();

    /// The number of fields of this row.
    int fieldCount();

    /// The number of the column of a field.
    int column(int field);

    WireType type(int field);

    /// The value of a field that is INT64, UINT64, DOUBLE (raw bits) or BOOLEAN (0 or 1).
    long bits(int field);

    /// The bytes of a STRING, or the YSON (in binary form) of an ANY.
    Bytes bytes(int field);
}
