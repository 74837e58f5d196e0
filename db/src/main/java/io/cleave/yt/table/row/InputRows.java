package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.query.ValueSize;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.value.Value;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.ColumnNames;
import io.cleave.yt.format.RowInput;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads the rows of a call for one table. A row is a key, or a whole row to write.
///
/// The fields of a row are put into an array, by column. The array is reused for every row.
///
/// Threads: one at a time.
final class InputRows {
    /// The maximum number of values in a row.
    static final int MAX_VALUES = 1024;

    /// The maximum number of rows that a call may look up.
    static final int MAX_LOOKUP_ROWS = 5 << 20;

    /// The maximum number of rows that a transaction may write.
    static final int MAX_WRITTEN_ROWS = 100_000;

    /// The maximum size of the values of one row.
    static final long MAX_ROW_BYTES = 128L << 20;

    /// The approximate heap of the objects of a row, without its values.
    private static final int ROW_BYTES = 120;

    private static final int UNKNOWN = -1;

    private final WireTable table;
    private final RowInput in;
    private final boolean allowsMissingKeys;
    private final RowMemory memory;

    /// The column of each name that the input has used so far.
    private int[] columnOfName;

    /// The values of the current row by column; null for columns that the row does not give.
    private final @Nullable Value[] row;

    private final Value[] key;

    /// The keys and writes that this object returns are counted in `memory`.
    InputRows(WireTable table, RowInput in, boolean allowsMissingKeys, RowMemory memory) {
        this.table = table;
        this.in = in;
        this.memory = memory;
        this.allowsMissingKeys = allowsMissingKeys;
        ColumnNames names = in.names();
        int[] ids = new int[table.columnCount()];
        for (int column = 0; column < ids.length; column++) {
            ids[column] = names.idOf(table.names().get(column));
        }
        columnOfName = new int[names.count()];
        Arrays.fill(columnOfName, UNKNOWN);
        for (int column = 0; column < ids.length; column++) {
            if (!table.keyed().isGenerated(column)) {
                columnOfName[ids[column]] = column;
            }
        }
        row = new @Nullable Value[table.columnCount()];
        key = new Value[table.keyCount()];
    }

    boolean next() {
        return in.next();
    }

    /// The key of the current row. The row must consist of key columns.
    Bytes key() {
        readRow();
        for (int column = 0; column < row.length; column++) {
            if (row[column] != null && table.keyPosition(column) < 0) {
                throw violation("Unexpected non-key column \"%s\"", table.column(column).name());
            }
        }
        return encodedKey();
    }

    /// A write that removes the current row. The row must consist of key columns.
    KeyedWrite erase() {
        return new KeyedWrite(key(), RowWrite.ERASE);
    }

    /// The current row as a write of this kind.
    KeyedWrite write(RowWrite.Kind kind) {
        readRow();
        int count = 0;
        for (int column = 0; column < row.length; column++) {
            if (row[column] != null && table.keyPosition(column) < 0) {
                count++;
            }
        }
        int[] columns = new int[count];
        Value[] values = new Value[count];
        int at = 0;
        for (int column = 0; column < row.length; column++) {
            Value value = row[column];
            if (value != null && table.keyPosition(column) < 0) {
                columns[at] = column;
                values[at] = value;
                memory.keep(RowMemory.bytes(value));
                at++;
            }
        }
        var write = new RowWrite(kind, columns, values);
        Bytes encoded = encodedKey();
        if (kind == RowWrite.Kind.REPLACE) {
            int missing = table.keyed().missingRequired(write);
            if (missing >= 0) {
                var _ = table.column(missing).absent();
            }
        }
        return new KeyedWrite(encoded, write);
    }

    private void readRow() {
        Arrays.fill(row, null);
        int fields = in.fieldCount();
        if (fields > MAX_VALUES) {
            throw new YtException(
                    YtCodes.TOO_MANY_VALUES_IN_ROW,
                    "Too many values in row: actual %d, limit %d".formatted(fields, MAX_VALUES));
        }
        long bytes = 0;
        for (int field = 0; field < fields; field++) {
            int column = columnOf(in.column(field));
            if (row[column] != null) {
                throw violation("Duplicate column \"%s\"", table.column(column).name());
            }
            Value value = table.column(column).read(in, field);
            row[column] = value;
            bytes += ValueSize.of(value);
        }
        if (bytes > MAX_ROW_BYTES) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Row weight is too large: actual %d, limit %d".formatted(bytes, MAX_ROW_BYTES));
        }
    }

    private int columnOf(int name) {
        if (name >= columnOfName.length) {
            int known = columnOfName.length;
            columnOfName = Arrays.copyOf(columnOfName, Math.max(2 * known, name + 1));
            Arrays.fill(columnOfName, known, columnOfName.length, UNKNOWN);
        }
        int column = columnOfName[name];
        if (column == UNKNOWN) {
            throw violation("Unexpected column \"%s\"", in.names().name(name).utf8());
        }
        return column;
    }

    private Bytes encodedKey() {
        for (int position = 0; position < key.length; position++) {
            int column = table.keyColumn(position);
            Value value = row[column];
            if (value == null) {
                value = Value.Null.NULL;
                if (!table.keyed().isGenerated(column)) {
                    if (!allowsMissingKeys) {
                        throw violation("Missing key column \"%s\"", table.column(column).name());
                    }
                    value = table.column(column).absent();
                }
            }
            key[position] = value;
        }
        Bytes encoded;
        try {
            encoded = table.keyed().key(key);
        } catch (StatusException e) {
            // The expression of a computed column fails for this key, or the key is too long.
            throw RowAnswers.of(e);
        }
        memory.keep(ROW_BYTES + encoded.length());
        return encoded;
    }

    private static YtException violation(String text, String column) {
        return new YtException(YtCodes.SCHEMA_VIOLATION, text.formatted(column));
    }

    /// The keys of all rows, in their order.
    List<Bytes> keys() {
        List<Bytes> keys = new ArrayList<>();
        while (next()) {
            if (keys.size() == MAX_LOOKUP_ROWS) {
                throw new YtException(
                        YtCodes.TOO_MANY_ROWS_IN_ROWSET,
                        "Too many rows in rowset: actual at least %d, limit %d"
                                .formatted(MAX_LOOKUP_ROWS + 1, MAX_LOOKUP_ROWS));
            }
            keys.add(key());
        }
        return keys;
    }
}
