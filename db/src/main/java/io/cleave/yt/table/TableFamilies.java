package io.cleave.yt.table;

import io.cleave.schema.Column;
import io.cleave.schema.ColumnFamily;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The column families of a table: one for each column group, and the default one. Pure.
final class TableFamilies {
    private TableFamilies() {}

    static List<ColumnFamily> of(YtSchema schema, TableSettings settings) {
        Set<String> names = new LinkedHashSet<>();
        names.add(Column.DEFAULT_FAMILY);
        schema.columns().forEach(column -> names.add(TableSchemas.family(column)));
        return names.stream().map(name -> family(name, settings)).toList();
    }

    static ColumnFamily family(String name, TableSettings settings) {
        return new ColumnFamily(
                name,
                settings.medium(),
                settings.isCompressed() ? ColumnFamily.LZ4 : ColumnFamily.UNCOMPRESSED,
                settings.isInMemory() ? ColumnFamily.IN_MEMORY : ColumnFamily.REGULAR);
    }
}
