package io.cleave.schema;

/// What is counted about a tablet. The names are those of YTsaurus' performance counters. There,
/// `dynamic` means rows in memory, `static_chunk` rows in files, `lookup` a read by key, and `read`
/// a scan. CPU time is in microseconds, and a data weight in bytes.
///
/// No value is stored apart from its row, so counters of hunk chunks stay 0.
public enum TabletCounter {
    DYNAMIC_ROW_READ("dynamic_row_read"),
    DYNAMIC_ROW_READ_DATA_WEIGHT("dynamic_row_read_data_weight"),
    DYNAMIC_ROW_LOOKUP("dynamic_row_lookup"),
    DYNAMIC_ROW_LOOKUP_DATA_WEIGHT("dynamic_row_lookup_data_weight"),
    DYNAMIC_ROW_WRITE("dynamic_row_write"),
    DYNAMIC_ROW_WRITE_DATA_WEIGHT("dynamic_row_write_data_weight"),
    DYNAMIC_ROW_DELETE("dynamic_row_delete"),
    STATIC_CHUNK_ROW_READ("static_chunk_row_read"),
    STATIC_CHUNK_ROW_READ_DATA_WEIGHT("static_chunk_row_read_data_weight"),
    STATIC_HUNK_CHUNK_ROW_READ_DATA_WEIGHT("static_hunk_chunk_row_read_data_weight"),
    STATIC_CHUNK_ROW_LOOKUP("static_chunk_row_lookup"),
    STATIC_CHUNK_ROW_LOOKUP_DATA_WEIGHT("static_chunk_row_lookup_data_weight"),
    STATIC_HUNK_CHUNK_ROW_LOOKUP_DATA_WEIGHT("static_hunk_chunk_row_lookup_data_weight"),
    /// Commits that were refused because of the tablet.
    WRITE_ERROR("write_error"),
    LOOKUP_CPU_TIME("lookup_cpu_time"),
    SELECT_CPU_TIME("select_cpu_time");

    private final String text;

    TabletCounter(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
