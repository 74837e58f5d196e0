package io.cleave.schema;

import io.cleave.base.Bytes;
import io.cleave.value.Value;

import java.util.List;
import java.util.Optional;

/// One stored version of a row.
///
/// @param erases whether the version removed the row; then it has no values
/// @param values by place in the columns that were asked for; empty for columns that the version
///   did not set
public record RowVersion(long timestamp, boolean erases, List<Optional<Value>> values) {
    private static final long VERSION_BYTES = 48;
    private static final long VALUE_BYTES = 48;

    public RowVersion {
        values = List.copyOf(values);
    }

    /// The memory that the version takes, about.
    public long bytes() {
        long bytes = VERSION_BYTES;
        for (Optional<Value> value : values) {
            bytes += VALUE_BYTES + value.map(RowVersion::dataBytes).orElse(0L);
        }
        return bytes;
    }

    private static long dataBytes(Value value) {
        return switch (value) {
            case Value.Binary(Bytes bytes) -> bytes.length();
            case Value.Text(String text) -> 2L * text.length();
            default -> Long.BYTES;
        };
    }
}
