package io.cleave.schema;

import java.util.List;

/// A secondary index of a table. Its rows are a table of their own, the *index table*, at
/// `<table>/<name>/indexImplTable`: its key is `columns` followed by those columns of the primary
/// key that are not among them, and `cover` are its other columns.
public record Index(String name, Kind kind, List<String> columns, List<String> cover, State state) {
    /// The last element of the index table's path.
    public static final String TABLE_NAME = "indexImplTable";

    public enum Kind {
        /// Written in the same transaction as the table.
        SYNC,
        /// Follows after the commit.
        ASYNC,
        /// As SYNC, and no two rows have the same values, none of them NULL, in its columns.
        UNIQUE
    }

    public enum State {
        READY,
        /// Kept up by every write, and not yet complete.
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

    /// Whether one of its columns is this one.
    public boolean has(String column) {
        return columns.contains(column) || cover.contains(column);
    }

    /// Where the rows of a table's index are.
    public static String path(String tablePath, String indexName) {
        return tablePath + "/" + indexName + "/" + TABLE_NAME;
    }
}
