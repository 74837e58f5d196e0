package io.cleave.yt.table;

import io.cleave.value.YsonNode;

import java.util.List;
import java.util.Optional;

/// The schema of a table, as YTsaurus' API has it. [SchemaReader] reads one, [SchemaRules] checks
/// one, and [TableSchemas] translates between schemas and tables.
public record YtSchema(List<SchemaColumn> columns, boolean isStrict, boolean hasUniqueKeys) {
    public YtSchema {
        columns = List.copyOf(columns);
    }

    public List<SchemaColumn> keyColumns() {
        return columns.stream().filter(SchemaColumn::isKey).toList();
    }

    public boolean isSorted() {
        return columns.stream().anyMatch(SchemaColumn::isKey);
    }

    public Optional<SchemaColumn> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }

    public int indexOf(String name) {
        for (int index = 0; index < columns.size(); index++) {
            if (columns.get(index).name().equals(name)) {
                return index;
            }
        }
        return -1;
    }

    /// This schema with unique keys, as every sorted dynamic table has it.
    YtSchema withUniqueKeys() {
        return new YtSchema(columns, isStrict, true);
    }

    /// The value of `@schema`.
    public YsonNode node() {
        return YsonNode.list(columns.stream().map(SchemaColumn::node).toList())
                .withAttributes(
                        YsonNode.map()
                                .with("strict", isStrict)
                                .with("unique_keys", hasUniqueKeys)
                                .build());
    }
}
