package io.cleave.codec;

import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;

/// One stored version of a row.
///
/// @param erases whether the version removed the row; then it has no values
/// @param values by place in the columns that were asked for; empty for columns that the version
///   did not set
public record RowVersion(long timestamp, boolean erases, List<Optional<Value>> values) {
    public RowVersion {
        values = List.copyOf(values);
    }
}
