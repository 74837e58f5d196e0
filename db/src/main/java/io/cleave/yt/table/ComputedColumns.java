package io.cleave.yt.table;

import io.cleave.schema.Preset;

import java.util.Map;

/// Checks and translates the expressions of computed columns.
public interface ComputedColumns {
    /// Throws a `YtException` if an expression does not compile, has another type than its column,
    /// or uses columns that it may not use.
    void check(YtSchema schema);

    /// The presets of the stored columns, by the name of the column. They compute the columns in
    /// YQL and in every other write. The schema must have been checked.
    Map<String, Preset> presets(YtSchema schema);

    /// Keeps the texts of expressions and computes nothing.
    ComputedColumns NONE =
            new ComputedColumns() {
                @Override
                public void check(YtSchema schema) {}

                @Override
                public Map<String, Preset> presets(YtSchema schema) {
                    return Map.of();
                }
            };
}
