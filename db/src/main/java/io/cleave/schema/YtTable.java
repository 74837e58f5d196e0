package io.cleave.schema;

import io.cleave.base.Bytes;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What YTsaurus' API knows of a table beyond what YQL knows.
///
/// @param made whether the table was created through this API
/// @param columns by column id. A column that YQL has added is not among them
/// @param settings attributes such as `min_data_ttl`, by name, as YSON in binary form; a setting
///   that has its default value is not among them
public record YtTable(
        boolean made,
        Map<Integer, YtColumn> columns,
        SortedMap<String, Bytes> settings,
        MountStates states) {
    /// A table that was created in another way, and on which nothing was set yet.
    public static final YtTable OTHER =
            new YtTable(false, Map.of(), Collections.emptySortedMap(), MountStates.MOUNTED);

    public YtTable {
        columns = Map.copyOf(columns);
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    public YtTable with(MountStates changed) {
        return new YtTable(made, columns, settings, changed);
    }

    public YtTable withColumns(Map<Integer, YtColumn> changed) {
        return new YtTable(made, changed, settings, states);
    }

    public YtTable withSettings(SortedMap<String, Bytes> changed) {
        return new YtTable(made, columns, changed, states);
    }
}
