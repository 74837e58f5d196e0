package io.cleave.schema;

import java.util.List;

/// A secondary index of a table. Its rows are in a separate table, the *index table*, at
/// `<table>/<name>/indexImplTable`. The key of the index table is `columns`, followed by the
/// primary key columns that are not in `columns`; `cover` are its other columns.
public record Index(String name, Kind kind, List<String> columns, List<String> cover, State state) {
    /// The last element of the index table's path.
    public static final String TABLE_NAME = "indexImplTable";

    public enum Kind {
        /// Written in the same transaction as the table.
        SYNC,
        /// Written after the commit.
        ASYNC,
        /// As SYNC. In addition, no two rows have the same values in its columns, unless one of the
        /// values is NULL.
        UNIQUE
    }

    public enum State {
        READY,
        /// Updated by every write, but not complete yet.
        BUILDING
    }

    public Index {
        columns = List.copyOf(columns);
        cover = List.copyOf(cover);
    }

    public boolean isReady() {
        return state == State.READY;
    }

    public Index with(State changed) {
        return new Index(name, kind, columns, cover, changed);
    }

    public Index named(String other) {
        return new Index(other, kind, columns, cover, state);
    }

    /// Whether the index or its covered columns include this column.
    public boolean has(String column) {
        return columns.contains(column) || cover.contains(column);
    }

    /// The path of the index table.
    public static String path(String tablePath, String indexName) {
        return tablePath + "/" + indexName + "/" + TABLE_NAME;
    }
}
