package io.cleave.lsm.row;

import org.jspecify.annotations.Nullable;

/// Receives the rows of a scan column by column. A *place* is the index of a column in the list of
/// columns that the scan reads. Keys and the arrays `starts`, `from` and `to` are reused after the
/// call, so they must be read at once. The bytes of cells never change.
public interface CellSink {
    /// The key of the next row. Called only if the scan asked for keys.
    void key(byte[] key, int keyBytes);

    /// As `from`: the row does not set the column.
    int NONE = -1;

    /// As `from`: the cell is NULL.
    int NULL = -2;

    /// The cell of the next row at this place. Without data, `from` is [#NULL] or [#NONE].
    void cell(int place, byte @Nullable [] data, int from, int to);

    /// The cells of the next `count` rows at this place. They are in one array and have one width.
    /// Each cell is `offset` bytes after the start of its row.
    void evenCells(int place, byte[] data, int[] starts, int offset, int width, int count);

    /// The cells of the next `count` rows at this place. They are in one array. `from` may be
    /// [#NULL] or [#NONE].
    void cells(int place, byte[] data, int[] from, int[] to, int count);
}
