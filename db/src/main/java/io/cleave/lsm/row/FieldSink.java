package io.cleave.lsm.row;

import org.jspecify.annotations.Nullable;

/// Receives the rows of a scan column by column. A *place* is the index of a column in the list of
/// columns that the scan reads. Keys and the arrays `starts`, `from` and `to` are reused after the
/// call, so they must be read at once. The bytes of fields never change.
public interface FieldSink {
    /// The key of the next row. Called only if the scan asked for keys.
    void key(byte[] key, int keyBytes);

    /// As `from`: the row does not set the column.
    int NONE = -1;

    /// As `from`: the field is NULL.
    int NULL = -2;

    /// The field of the next row at this place. Without data, `from` is [#NULL] or [#NONE].
    void field(int place, byte @Nullable [] data, int from, int to);

    /// The fields of the next `count` rows at this place. They are in one array and have one width.
    /// Each field is `offset` bytes after the start of its row.
    void evenFields(int place, byte[] data, int[] starts, int offset, int width, int count);

    /// The fields of the next `count` rows at this place. They are in one array. `from` may be
    /// [#NULL] or [#NONE].
    void fields(int place, byte[] data, int[] from, int[] to, int count);
}
