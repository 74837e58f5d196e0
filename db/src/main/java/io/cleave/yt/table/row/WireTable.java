package io.cleave.yt.table.row;

import io.cleave.base.Bytes;
import io.cleave.codec.RowVersion;
import io.cleave.query.KeyedTable;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.txn.ReadColumns;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.command.YtTimestamps;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.RowOutput;

import java.util.ArrayList;
import java.util.List;

/// One version of a table, as rows on the wire see it. Made once for a version and used by many
/// calls.
///
/// Threads: any.
final class WireTable {
    private final KeyedTable keyed;
    private final List<Bytes> names;
    private final WireColumn[] columns;

    /// The position of each column in the key; negative for columns that are not in it.
    private final int[] keyPositions;

    private final Lookup all;

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
        all = new Lookup(columnsInOrder(table));
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

    /// The columns that a lookup answers with. No names mean all columns.
    Lookup lookup(List<String> wanted) {
        if (wanted.isEmpty()) {
            return all;
        }
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
        return new Lookup(indexes);
    }

    /// Writes rows with some columns of the table.
    final class Lookup {
        private final ReadColumns read;
        private final List<Bytes> shown;
        private final WireColumn[] shownColumns;

        private Lookup(List<Integer> indexes) {
            read = ReadColumns.of(table(), indexes);
            shown = indexes.stream().map(names::get).toList();
            shownColumns = indexes.stream().map(index -> columns[index]).toArray(WireColumn[]::new);
        }

        ReadColumns columns() {
            return read;
        }

        List<Bytes> names() {
            return shown;
        }

        /// Writes a row with its versions: when it was written and deleted as attributes, and the
        /// values of columns that are not in the key as lists, the newest first.
        void write(RowOutput out, Value[] key, List<RowVersion> versions) {
            List<YsonNode> written = new ArrayList<>();
            List<YsonNode> deleted = new ArrayList<>();
            for (RowVersion version : versions) {
                (version.erases() ? deleted : written).add(YtTimestamps.node(version.timestamp()));
            }
            out.beginRow(
                    YsonNode.map()
                            .with("write_timestamps", YsonNode.list(written))
                            .with("delete_timestamps", YsonNode.list(deleted))
                            .build());
            for (int place = 0; place < shownColumns.length; place++) {
                int position = keyPositions[read.index(place)];
                if (position >= 0) {
                    shownColumns[place].write(out, place, key[position]);
                } else {
                    YsonNode values = values(shownColumns[place], place, versions);
                    out.anyField(place, YsonWriter.write(values, YsonWriter.Format.BINARY));
                }
            }
            out.endRow();
        }

        private static YsonNode values(WireColumn column, int place, List<RowVersion> versions) {
            List<YsonNode> values = new ArrayList<>();
            for (RowVersion version : versions) {
                if (!version.erases() && version.values().get(place).isPresent()) {
                    Value value = version.values().get(place).get();
                    YsonNode.Members timestamp =
                            YsonNode.map()
                                    .with("timestamp", YtTimestamps.node(version.timestamp()))
                                    .build();
                    values.add(column.node(value).withAttributes(timestamp));
                }
            }
            return YsonNode.list(values);
        }

        void write(RowOutput out, Value[] row) {
            out.beginRow();
            for (int place = 0; place < row.length; place++) {
                shownColumns[place].write(out, place, row[place]);
            }
            out.endRow();
        }
    }
}
