package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.query.KeyedTable;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One version of a table, prepared to convert rows from and to the wire. It is made once for each
/// version, and is used by many calls.
///
/// Threads: any.
final class WireTable {
    private final KeyedTable keyed;
    private final List<Bytes> names;
    private final WireColumn[] columns;

    /// The position of each column in the key; negative for columns that are not in it.
    private final int[] keyPositions;

    private final RowLookup all;

    WireTable(KeyedTable keyed) {
        this.keyed = keyed;
        Table table = keyed.table();
        int count = table.columns().size();
        columns = new WireColumn[count];
        keyPositions = new int[count];
        List<Bytes> found = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            Column column = table.columns().get(index);
            keyPositions[index] = table.keyColumns().indexOf(index);
            columns[index] = new WireColumn(column, keyPositions[index] >= 0);
            found.add(Bytes.utf8(column.name()));
        }
        names = List.copyOf(found);
        all = new RowLookup(this, columnsInOrder(table));
    }

    /// The columns of the key in its order, and then the others.
    private static List<Integer> columnsInOrder(Table table) {
        List<Integer> order = new ArrayList<>(table.keyColumns());
        for (int index = 0; index < table.columns().size(); index++) {
            if (!table.isKey(index)) {
                order.add(index);
            }
        }
        return order;
    }

    KeyedTable keyed() {
        return keyed;
    }

    Table table() {
        return keyed.table();
    }

    /// The names of the columns, by index.
    List<Bytes> names() {
        return names;
    }

    WireColumn column(int index) {
        return columns[index];
    }

    int columnCount() {
        return columns.length;
    }

    int keyPosition(int column) {
        return keyPositions[column];
    }

    int keyCount() {
        return table().keyColumns().size();
    }

    /// The index of the column in the table at a position of the key.
    int keyColumn(int position) {
        return table().keyColumns().get(position);
    }

    /// The key as it is shown in messages.
    YsonNode shownKey(Bytes key) {
        Value[] values = keyed.decodeKey(key);
        List<YsonNode> shown = new ArrayList<>();
        for (int position = 0; position < values.length; position++) {
            shown.add(columns[keyColumn(position)].node(values[position]));
        }
        return new YsonNode.Items(shown);
    }

    /// The columns that a lookup answers with. Without names, all columns.
    RowLookup lookup(Optional<List<String>> wanted) {
        return wanted.map(names -> new RowLookup(this, indexes(names))).orElse(all);
    }

    /// The columns that a versioned lookup answers with. Without names, all stored columns.
    VersionLookup versions(Optional<List<String>> wanted) {
        List<Integer> stored = new ArrayList<>();
        for (int index : wanted.map(this::indexes).orElseGet(() -> columnsInOrder(table()))) {
            if (!keyed.isComputedOnRead(index)) {
                stored.add(index);
            } else if (wanted.isPresent()) {
                throw new YtException(
                        YtCodes.GENERIC,
                        "Column \"%s\" has no versions, because it is computed when it is read"
                                .formatted(columns[index].name()));
            }
        }
        return new VersionLookup(this, stored);
    }

    private List<Integer> indexes(List<String> wanted) {
        List<Integer> indexes = new ArrayList<>();
        for (String name : wanted) {
            int index = table().indexOf(name);
            if (index < 0) {
                throw new YtException(
                        YtCodes.COLUMN_NOT_FOUND, "No such column \"%s\"".formatted(name));
            }
            if (!indexes.contains(index)) {
                indexes.add(index);
            }
        }
        return indexes;
    }
}
