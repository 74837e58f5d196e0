package io.cleave.codec;

import io.cleave.base.Bytes;
import io.cleave.lsm.row.Row;
import io.cleave.lsm.row.RowChange;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.value.FieldCodec;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.value.Value.Null;

import org.jspecify.annotations.Nullable;

/// Converts rows of one version of a table between their stored form and values. Threads: any.
public final class RowCodec {
    /// The change that removes a row.
    public static final Bytes ERASE = RowChange.ERASE;

    private static final int NOT_KEY = -1;

    private final Table table;
    private final Type[] keyTypes;

    /// By column index.
    private final Type[] types;

    private final int[] columnIds;
    private final Value[] absent;

    /// The position of each column in the key, or [#NOT_KEY].
    private final int[] keyPositions;

    public RowCodec(Table table) {
        this.table = table;
        int columnCount = table.columns().size();
        keyTypes = table.key().stream().map(Column::type).toArray(Type[]::new);
        types = new Type[columnCount];
        columnIds = new int[columnCount];
        absent = new Value[columnCount];
        keyPositions = new int[columnCount];
        for (int index = 0; index < columnCount; index++) {
            Column column = table.columns().get(index);
            types[index] = column.type();
            columnIds[index] = column.id();
            keyPositions[index] = table.keyColumns().indexOf(index);
            absent[index] = column.missing().orElse(Null.NULL);
        }
    }

    public Table table() {
        return table;
    }

    public Type[] keyTypes() {
        return keyTypes;
    }

    public Value[] decodeKey(Bytes key) {
        return KeyCodec.decode(keyTypes, key);
    }

    /// The position of a column in the key; negative if it is not a key column.
    public int keyPosition(int column) {
        return keyPositions[column];
    }

    public Type type(int column) {
        return types[column];
    }

    /// The value of a column that a stored row does not have.
    public Value absent(int column) {
        return absent[column];
    }

    public boolean isFor(Table other) {
        return table.id() == other.id() && table.version() == other.version();
    }

    /// The columns of a stored row. The key is decoded only if one of them is a key column.
    Value[] read(Row row, int[] columns) {
        Value[] values = new Value[columns.length];
        Value @Nullable [] keyValues = null;
        for (int index = 0; index < values.length; index++) {
            int column = columns[index];
            int keyPosition = keyPositions[column];
            if (keyPosition == NOT_KEY) {
                values[index] = stored(row, column);
                continue;
            }
            if (keyValues == null) {
                keyValues = decodeKey(row.key());
            }
            values[index] = keyValues[keyPosition];
        }
        return values;
    }

    /// Encodes a write of a row. `values` are by column index; null for columns that the write does
    /// not set. These keep their stored values if `keepsStored`, and become NULL otherwise.
    public Bytes encode(boolean keepsStored, @Nullable Value[] values) {
        int count = 0;
        for (int column = 0; column < types.length; column++) {
            if (written(keepsStored, values, column) != null) {
                count++;
            }
        }
        int[] ids = new int[count];
        byte[] @Nullable [] fields = new byte[count] @Nullable [];
        int at = 0;
        for (int column = 0; column < types.length; column++) {
            Value value = written(keepsStored, values, column);
            if (value != null) {
                ids[at] = columnIds[column];
                fields[at] = value.isNull() ? null : FieldCodec.encode(types[column], value);
                at++;
            }
        }
        // An UPSERT that sets every column keeps nothing. As a REPLACE it lets reads stop searching
        // older versions.
        boolean keeps = keepsStored && count < types.length - keyTypes.length;
        RowChange.Kind kind = keeps ? RowChange.Kind.UPSERT : RowChange.Kind.REPLACE;
        return RowChange.encode(kind, ids, fields);
    }

    /// The value to write for a column, or null. A new row must store NULL explicitly if a missing
    /// field means another value.
    private @Nullable Value written(boolean keepsStored, @Nullable Value[] values, int column) {
        Value value = values[column];
        boolean saysNull = value == null && !keepsStored && !absent[column].isNull();
        return saysNull ? Null.NULL : value;
    }

    private Value stored(Row row, int column) {
        int field = row.fieldIndex(columnIds[column]);
        if (field < 0) {
            Value none = absent[column];
            return none.isNull() || row.isNull(columnIds[column]) ? Null.NULL : none;
        }
        return FieldCodec.decode(types[column], row.data(field), row.from(field), row.to(field));
    }
}
