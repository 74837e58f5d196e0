package io.cleave.clients;

import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.values.OptionalValue;
import tech.ydb.table.values.Value;

import java.util.ArrayList;
import java.util.List;

/// A result set as the SDK shows its values, one text for a row: `1, "Netflix", NULL`.
final class Rows {
    private Rows() {}

    static List<String> of(ResultSetReader reader) {
        List<String> rows = new ArrayList<>();
        while (reader.next()) {
            List<String> cells = new ArrayList<>();
            for (int index = 0; index < reader.getColumnCount(); index++) {
                cells.add(text(reader.getColumn(index).getValue()));
            }
            rows.add(String.join(", ", cells));
        }
        return rows;
    }

    /// All values of the only column.
    static List<Value<?>> values(ResultSetReader reader) {
        List<Value<?>> values = new ArrayList<>();
        while (reader.next()) {
            values.add(reader.getColumn(0).getValue());
        }
        return values;
    }

    private static String text(Value<?> value) {
        if (value instanceof OptionalValue optional) {
            return optional.isPresent() ? text(optional.get()) : "NULL";
        }
        return value.toString();
    }
}
