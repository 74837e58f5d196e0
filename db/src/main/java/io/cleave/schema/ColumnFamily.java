package io.cleave.schema;

/// Columns stored together. `data` is the medium's name, empty for the default; `compression` is
/// `off` or `lz4`; `cacheMode` is `regular` or `in_memory`.
public record ColumnFamily(String name, String data, String compression, String cacheMode) {
    public static final ColumnFamily DEFAULT =
            new ColumnFamily(Column.DEFAULT_FAMILY, "", "off", "regular");
}
