package io.cleave.schema;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.KeyCodec;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks index definitions, and creates the definition of index tables. The limits and messages
/// are those of YDB.
public final class IndexRules {
    static final int MAX_INDEXES = 20;
    private static final int MAX_NAME = 255;

    private IndexRules() {}

    /// Refuses indexes that a table with these columns and this key cannot have.
    static void check(List<Index> indexes, List<Column> columns, List<Column> key) {
        if (indexes.size() > MAX_INDEXES) {
            throw TableRules.refuse(
                    "indexes count has reached maximum value in the table: " + MAX_INDEXES);
        }
        Set<String> names = new HashSet<>();
        for (Index index : indexes) {
            checkName(index.name());
            if (!names.add(index.name())) {
                throw TableRules.refuse("Index '" + index.name() + "' specified more than once");
            }
            checkColumns(index, columns, key);
        }
    }

    private static void checkName(String name) {
        boolean plain = name.chars().allMatch(TableRules::isNameCharacter);
        if (name.isEmpty() || !plain || name.length() > MAX_NAME) {
            throw TableRules.refuse("Invalid name for index '" + name + "'");
        }
    }

    private static void checkColumns(Index index, List<Column> columns, List<Column> key) {
        if (index.columns().isEmpty()) {
            throw refuse(index, "should be at least single index key column");
        }
        checkDistinct(index, index.columns(), "index key");
        checkDistinct(index, index.cover(), "index data");
        List<String> keyNames = key.stream().map(Column::name).toList();
        if (index.columns().equals(keyNames)) {
            throw refuse(index, "index keys shouldn't be table keys");
        }
        for (String name : index.columns()) {
            Column column = find(index, columns, name);
            if (!KeyCodec.isKeyType(column.type())) {
                throw refuse(
                        index,
                        "column '%s' has wrong key type %s for being key"
                                .formatted(name, column.type().text()));
            }
        }
        for (String name : index.cover()) {
            find(index, columns, name);
            if (index.columns().contains(name) || keyNames.contains(name)) {
                throw refuse(
                        index,
                        "the same column can't be used as key and data column for one index, for"
                                + " example "
                                + name);
            }
        }
        long keyCount =
                index.columns().size()
                        + keyNames.stream().filter(name -> !index.columns().contains(name)).count();
        if (keyCount > TableRules.MAX_KEY_COLUMNS) {
            throw refuse(
                    index,
                    "Too many key columns. Max key column count: " + TableRules.MAX_KEY_COLUMNS);
        }
    }

    private static void checkDistinct(Index index, List<String> names, String what) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw refuse(
                        index, "all " + what + " columns should be unique, for example " + name);
            }
        }
    }

    private static Column find(Index index, List<Column> columns, String name) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                refuse(
                                        index,
                                        "all index columns should be in table columns, for example "
                                                + name));
    }

    private static StatusException refuse(Index index, String why) {
        return TableRules.refuse("Index '" + index.name() + "': " + why);
    }

    /// The definition of a new index table.
    public static Table table(Table of, Index index, long id, long createdMicros) {
        List<String> names = new ArrayList<>(index.columns());
        for (Column column : of.key()) {
            if (!names.contains(column.name())) {
                names.add(column.name());
            }
        }
        int keyCount = names.size();
        names.addAll(index.cover());
        List<Column> columns = new ArrayList<>();
        List<Integer> key = new ArrayList<>();
        for (String name : names) {
            Column column = of.columns().get(of.indexOf(name));
            if (columns.size() < keyCount) {
                key.add(columns.size());
            }
            columns.add(
                    new Column(
                            columns.size() + 1,
                            name,
                            column.type(),
                            column.notNull(),
                            Column.DEFAULT_FAMILY,
                            Optional.empty()));
        }
        return new Table(
                id,
                1,
                Index.path(of.path(), index.name()),
                columns,
                key,
                columns.size() + 1,
                List.of(ColumnFamily.DEFAULT),
                TableOptions.DEFAULT,
                // The attributes determine the cells of the table.
                of.attributes(),
                createdMicros,
                List.of(),
                of.id());
    }

    /// The error for a direct write to an index table, which only writes to its table may change.
    public static StatusException notWritable(Table indexTable) {
        return new StatusException(
                Status.BAD_REQUEST,
                Issue.error(
                        Issue.BAD_REQUEST,
                        "Writing to index implementation tables is not allowed. Table: `"
                                + indexTable.path()
                                + "`."));
    }
}
