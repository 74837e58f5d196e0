package io.cleave.plan;

import io.cleave.plan.range.RangeInference;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumns;

/// How the values of generated columns are inferred.
///
/// @param columns the generated columns of tables
/// @param limit the maximum number of ranges of a read, roughly
record KeyInference(GeneratedColumns columns, long limit) {
    KeyPredicate inferring(Table table, KeyPredicate said) {
        var inference =
                new RangeInference(
                        table.key().stream().map(Column::type).toList(), columns.of(table));
        return new KeyPredicate.Inferring(inference, limit, said);
    }
}
