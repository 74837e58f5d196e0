package io.cleave.txn;

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
final class RowCodec {
    private static final int NOT_KEY = -1;

    private final Table table;
    private final Type[] keyTypes;

    /// By column index.
    private final Type[] types;

    private final int[] columnIds;
    private final Value[] absent;

    /// The position of each column in the key, or [#NOT_KEY].
    private final int[] keyPositions;

    RowCodec(Table table) {
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

    Table table() {
        return table;
    }

    Type[] keyTypes() {
        return keyTypes;
    }

    /// The position of a column in the key; negative if it is not a key column.
    int keyPosition(int column) {
        return keyPositions[column];
    }

    Type type(int column) {
        return types[column];
    }

    /// The value of a column that a stored row does not have.
    Value absent(int column) {
        return absent[column];
    }

    boolean isFor(Table other) {
        return table.id() == other.id() && table.version() == other.version();
    }

    /// The requested columns of a stored row. The key is decoded only if one of them is a key
    /// column.
    Value[] read(Row row, ReadColumns columns) {
        Value[] values = new Value[columns.count()];
        Value @Nullable [] keyValues = null;
        for (int index = 0; index < values.length; index++) {
            int column = columns.index(index);
            int keyPosition = keyPositions[column];
            if (keyPosition == NOT_KEY) {
                values[index] = stored(row, column);
                continue;
            }
            if (keyValues == null) {
                keyValues = KeyCodec.decode(keyTypes, row.key());
            }
            values[index] = keyValues[keyPosition];
        }
        return values;
    }

    /// The requested columns of a row: from `effect` where it sets them, else from the stored row.
    /// Null if there is no such row.
    Value @Nullable [] read(
            Bytes key, @Nullable Row row, @Nullable Effect effect, ReadColumns columns) {
        if (effect == null) {
            return row == null ? null : read(row, columns);
        }
        if (effect.erases()) {
            return null;
        }
        Value[] values = new Value[columns.count()];
        Value @Nullable [] keyValues = null;
        for (int index = 0; index < values.length; index++) {
            int column = columns.index(index);
            int keyPosition = keyPositions[column];
            if (keyPosition != NOT_KEY) {
                if (keyValues == null) {
                    keyValues = KeyCodec.decode(keyTypes, key);
                }
                values[index] = keyValues[keyPosition];
                continue;
            }
            Value own = effect.value(column);
            boolean fromStored = effect.keepsStored();
            values[index] = own != null ? own : fromStored ? stored(row, column) : Null.NULL;
        }
        return values;
    }

    Bytes encode(Effect effect) {
        if (effect.erases()) {
            return RowChange.ERASE;
        }
        int count = 0;
        for (int column = 0; column < types.length; column++) {
            if (written(effect, column) != null) {
                count++;
            }
        }
        int[] ids = new int[count];
        byte[] @Nullable [] cells = new byte[count] @Nullable [];
        int at = 0;
        for (int column = 0; column < types.length; column++) {
            Value value = written(effect, column);
            if (value != null) {
                ids[at] = columnIds[column];
                cells[at] = value.isNull() ? null : FieldCodec.encode(types[column], value);
                at++;
            }
        }
        // An UPSERT that sets every column keeps nothing. As a REPLACE it lets reads stop searching
        // older versions.
        boolean keeps = effect.keepsStored() && count < types.length - keyTypes.length;
        return RowChange.encode(keeps ? RowChange.Kind.UPSERT : RowChange.Kind.REPLACE, ids, cells);
    }

    /// The value to write for a column, or null. A new row must store NULL explicitly if a missing
    /// field means another value.
    private @Nullable Value written(Effect effect, int column) {
        Value value = effect.value(column);
        boolean saysNull = value == null && !effect.keepsStored() && !absent[column].isNull();
        return saysNull ? Null.NULL : value;
    }

    private Value stored(@Nullable Row row, int column) {
        if (row == null) {
            return Null.NULL;
        }
        int cell = row.fieldIndex(columnIds[column]);
        if (cell < 0) {
            Value none = absent[column];
            return none.isNull() || row.isNull(columnIds[column]) ? Null.NULL : none;
        }
        return FieldCodec.decode(types[column], row.data(cell), row.from(cell), row.to(cell));
    }
}
