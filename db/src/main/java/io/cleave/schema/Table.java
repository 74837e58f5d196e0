package io.cleave.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The definition of a table. Each change creates a new `Table` with a greater `version`.
///
/// Invariants: `keyColumns` are indexes into `columns`, in key order; column ids are less than
/// `nextColumnId`; the path is absolute. For an index table, `ownerId` is the id of the indexed
/// table; otherwise it is 0. See [Index].
///
/// @param wholeFrom the first timestamp at which the table has all its rows: an index that was
///   built lacks the rows of earlier snapshots; 0 if it has them at every timestamp
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
        long createdMicros,
        List<Index> indexes,
        long ownerId,
        long wholeFrom) {
    /// A table that has all its rows at every timestamp.
    public Table(
            long id,
            long version,
            String path,
            List<Column> columns,
            List<Integer> keyColumns,
            int nextColumnId,
            List<ColumnFamily> families,
            TableOptions options,
            Map<String, String> attributes,
            long createdMicros,
            List<Index> indexes,
            long ownerId) {
        this(
                id,
                version,
                path,
                columns,
                keyColumns,
                nextColumnId,
                families,
                options,
                attributes,
                createdMicros,
                indexes,
                ownerId,
                0);
    }

    public Table {
        columns = List.copyOf(columns);
        keyColumns = List.copyOf(keyColumns);
        families = List.copyOf(families);
        attributes = Map.copyOf(attributes);
        indexes = List.copyOf(indexes);
    }

    /// Whether this is the index table of another table.
    public boolean isIndexTable() {
        return ownerId != 0;
    }

    public Optional<Index> index(String indexName) {
        return indexes.stream().filter(index -> index.name().equals(indexName)).findFirst();
    }

    /// Whether all keys can be read and written.
    public boolean isMounted() {
        return options.yt().isEmpty() || options.yt().get().states().all(MountState::isWritable);
    }

    /// The balancer that was set or, if none was, that of the API which has made the table. An
    /// index table has none of its own: it has that of its table.
    public Balancer balancer() {
        boolean isMadeByYt = options.yt().isPresent() && options.yt().get().made();
        return options.balancer().orElse(isMadeByYt ? Balancer.YT : Balancer.YDB);
    }

    /// The index of the column; -1 if there is none.
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

    /// A new table with the same definition.
    public Table copy(long otherId, String otherPath, List<Index> otherIndexes, long nowMicros) {
        return new Table(
                otherId,
                1,
                otherPath,
                columns,
                keyColumns,
                nextColumnId,
                families,
                options,
                attributes,
                nowMicros,
                otherIndexes,
                ownerId,
                wholeFrom);
    }

    /// This copy of a table with states of its own: all its tablets are unmounted or mounted.
    public Table copiedStates(boolean unmounted) {
        if (!unmounted && options.yt().isEmpty()) {
            return this;
        }
        MountState state = unmounted ? MountState.UNMOUNTED : MountState.MOUNTED;
        YtTable copied = options.yt().orElse(YtTable.OTHER).with(MountStates.of(state));
        return TableAlteration.withOptions(this, options.with(copied));
    }

    /// This table at another path, with the next version.
    public Table movedTo(String otherPath) {
        return next(otherPath, indexes);
    }

    /// This table with other indexes, and the next version.
    public Table with(List<Index> changed) {
        return next(path, changed);
    }

    private Table next(String nextPath, List<Index> nextIndexes) {
        return with(version + 1, nextPath, nextIndexes, wholeFrom);
    }

    /// A copy in the same version that has all its rows only for snapshots from this timestamp on.
    public Table wholeFrom(long timestamp) {
        return with(version, path, indexes, timestamp);
    }

    /// This table with another version.
    public Table atVersion(long otherVersion) {
        return with(otherVersion, path, indexes, wholeFrom);
    }

    private Table with(
            long otherVersion, String otherPath, List<Index> otherIndexes, long otherWholeFrom) {
        return new Table(
                id,
                otherVersion,
                otherPath,
                columns,
                keyColumns,
                nextColumnId,
                families,
                options,
                attributes,
                createdMicros,
                otherIndexes,
                ownerId,
                otherWholeFrom);
    }

    /// The last element of the path.
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
