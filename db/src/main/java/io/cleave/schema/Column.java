package io.cleave.schema;

import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.Optional;

/// A column of a table. `id` names it in stored rows and is never used again in its table, so a
/// dropped column's cells stay unread even when a new one takes its name.
///
/// `type` is the bare type; whether NULL may stand in the column is `notNull`.
public record Column(
        int id, String name, Type type, boolean notNull, String family, Optional<Value> preset) {
    public static final String DEFAULT_FAMILY = "default";

    /// What an expression that names the column has: Optional unless the column is NOT NULL.
    public Type valueType() {
        return notNull ? type : type.optional();
    }
}
