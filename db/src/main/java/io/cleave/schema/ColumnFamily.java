package io.cleave.schema;

/// Columns that are stored together. `data` is the name of the medium, empty for the default;
/// `compression` is `off` or `lz4`; `cacheMode` is `regular`, `in_memory` (uncompressed) or
/// `in_memory_compressed`, which only YTsaurus' API sets.
public record ColumnFamily(String name, String data, String compression, String cacheMode) {
    public static final String UNCOMPRESSED = "off";
    public static final String LZ4 = "lz4";
    public static final String REGULAR = "regular";
    public static final String IN_MEMORY = "in_memory";
    public static final String IN_MEMORY_COMPRESSED = "in_memory_compressed";

    public static final ColumnFamily DEFAULT =
            new ColumnFamily(Column.DEFAULT_FAMILY, "", UNCOMPRESSED, REGULAR);
}
