package io.cleave.schema;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A table to be created, from CREATE TABLE or the CreateTable call. Nothing is checked yet.
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

    /// The initial tablets of a table.
    public sealed interface Layout {
        /// The number of initial tablets. By default, merges do not reduce a table below this
        /// number.
        long tabletCount();

        record Single() implements Layout {
            @Override
            public long tabletCount() {
                return 1;
            }
        }

        /// `count` tablets that divide the range of the first key column evenly.
        record Uniform(long count) implements Layout {
            @Override
            public long tabletCount() {
                return count;
            }
        }

        /// One boundary at each key; a key may have only the first key columns.
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

    /// This definition at another path.
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

    /// A definition without indexes.
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
