package io.cleave.schema;

import java.util.List;
import java.util.Map;

/// A table as the catalog describes it. A change makes a new `Table` with a greater `version`.
///
/// Invariants: `keyColumns` are indexes into `columns`, in key order; column ids are below
/// `nextColumnId`; the path is absolute.
public record Table(
        long id,
        long version,
        String path,
        List<Column> columns,
        List<Integer> keyColumns,
        int nextColumnId,
        List<ColumnFamily> families,
        TableOptions options,
        Map<String, String> attributes,
        long createdMicros) {
    public Table {
        columns = List.copyOf(columns);
        keyColumns = List.copyOf(keyColumns);
        families = List.copyOf(families);
        attributes = Map.copyOf(attributes);
    }

    /// Where the column stands, or -1.
    public int indexOf(String columnName) {
        for (int index = 0; index < columns.size(); index++) {
            if (columns.get(index).name().equals(columnName)) {
                return index;
            }
        }
        return -1;
    }

    public boolean isKey(int columnIndex) {
        return keyColumns.contains(columnIndex);
    }

    public List<Column> key() {
        return keyColumns.stream().map(columns::get).toList();
    }

    /// The last element of the path.
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
