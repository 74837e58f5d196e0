package io.cleave.lsm;

import org.jspecify.annotations.Nullable;

/// Takes the rows of a scan column by column. A *place* is where a column stands among those that
/// the scan wants. What it is given is to be read at once: arrays of places are used again.
public interface CellSink {
    /// The key of the next row; only where keys are wanted.
    void key(byte[] key, int keyBytes);

    /// In the place of where a cell begins: the row says nothing of the column.
    int NONE = -1;

    /// In the place of where a cell begins.
    int NULL = -2;

    /// The cell that the next row of this place has; without data `from` is [#NULL] or [#NONE].
    void cell(int place, byte @Nullable [] data, int from, int to);

    /// The cells that the next `count` rows of this place have, all in one array and of one width:
    /// `offset` bytes behind where each row starts.
    void evenCells(int place, byte[] data, int[] starts, int offset, int width, int count);

    /// The cells that the next `count` rows of this place have, all in one array; `from` may be
    /// [#NULL] or [#NONE].
    void cells(int place, byte[] data, int[] from, int[] to, int count);
}
