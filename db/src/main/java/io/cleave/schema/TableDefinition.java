package io.cleave.schema;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A table to be made, as CREATE TABLE or the CreateTable call says it; nothing is checked yet.
public record TableDefinition(
        String path,
        List<NewColumn> columns,
        List<String> primaryKey,
        List<ColumnFamily> families,
        TableOptions options,
        Layout layout,
        Map<String, String> attributes,
        List<Index> indexes) {
    public record NewColumn(
            String name, Type type, boolean notNull, String family, Optional<Preset> preset) {}

    /// The tablets a table begins with.
    public sealed interface Layout {
        /// How many these are. A table does not shrink below that by itself, unless it says so.
        long tabletCount();

        record Single() implements Layout {
            @Override
            public long tabletCount() {
                return 1;
            }
        }

        /// So many tablets over the range of the first key column.
        record Uniform(long count) implements Layout {
            @Override
            public long tabletCount() {
                return count;
            }
        }

        /// One cut at each key; a key may be a prefix of the key columns.
        record AtKeys(List<List<TypedValue>> keys) implements Layout {
            public AtKeys {
                keys = keys.stream().map(List::copyOf).toList();
            }

            @Override
            public long tabletCount() {
                return keys.size() + 1L;
            }
        }
    }

    public record TypedValue(Type type, Value value) {}

    /// The same at another path.
    public TableDefinition at(String other) {
        return new TableDefinition(
                other, columns, primaryKey, families, options, layout, attributes, indexes);
    }

    public TableDefinition {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        families = List.copyOf(families);
        attributes = Map.copyOf(attributes);
        indexes = List.copyOf(indexes);
    }

    /// Without indexes.
    public TableDefinition(
            String path,
            List<NewColumn> columns,
            List<String> primaryKey,
            List<ColumnFamily> families,
            TableOptions options,
            Layout layout,
            Map<String, String> attributes) {
        this(path, columns, primaryKey, families, options, layout, attributes, List.of());
    }
}
