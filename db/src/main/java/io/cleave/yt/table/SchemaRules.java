package io.cleave.yt.table;

import io.cleave.base.Bytes;
import io.cleave.value.KeyCodec;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.WireType;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks that a schema can describe a sorted dynamic table. Also checks that one schema can
/// replace another in a table with rows. Pure.
final class SchemaRules {
    static final int MAX_KEY_COLUMNS = 32;
    static final int MAX_COLUMNS = 1024;

    /// The maximum number of locks. Columns without a lock share one more lock, which counts, too.
    static final int MAX_LOCKS = 32;

    static final int MAX_NAME_BYTES = 256;

    private SchemaRules() {}

    /// Reads and checks the schema of a new table, or of an existing table that had the schema
    /// `before`. A sorted table has unique keys, whatever the client sent. Every problem is an
    /// inner error of the error 314.
    static YtSchema read(YsonNode given, Optional<YtSchema> before, ComputedColumns computed) {
        try {
            YtSchema read = SchemaReader.read(given);
            YtSchema schema = read.isSorted() ? read.withUniqueKeys() : read;
            check(schema);
            computed.check(schema);
            return schema;
        } catch (YtException e) {
            YtError outer =
                    YtError.of(YtCodes.INVALID_SCHEMA_VALUE, "New table schema is not valid")
                            .with("new_schema", given);
            if (before.isPresent()) {
                outer = outer.with("old_schema", before.get().node());
            }
            throw outer.with(e.error()).exception();
        }
    }

    private static void check(YtSchema schema) {
        for (SchemaColumn column : schema.columns()) {
            try {
                check(column);
            } catch (YtException e) {
                throw SchemaReader.inColumn(column.name(), e);
            }
        }
        checkNames(schema.columns());
        checkLocks(schema.columns());
        checkOrder(schema.columns());
        if (schema.hasUniqueKeys() && !schema.isSorted()) {
            throw problem("\"unique_keys\" can only be true if key columns are present");
        }
        checkDynamic(schema);
        schema.columns().forEach(SchemaRules::checkComputed);
    }

    private static void check(SchemaColumn column) {
        checkName(column.name());
        if (column.type().inner() instanceof DeclaredType.Simple(SimpleType type)
                && type == SimpleType.ANY
                && column.isRequired()) {
            throw problem("Column of type \"any\" cannot be required");
        }
        if (column.isKey() && !KeyCodec.isKeyType(column.type().stored())) {
            throw problem("Key column cannot be of \"%s\" type".formatted(column.type().text()));
        }
        checkText(column.lock(), "lock");
        if (column.lock().isPresent() && column.isKey()) {
            throw problem("Column lock cannot be set on a key column");
        }
        checkText(column.group(), "group");
        if (column.isComputed() && column.isRequired()) {
            throw problem("Computed column cannot be required");
        }
        checkHunks(column);
    }

    private static void checkName(String name) {
        int bytes = Bytes.utf8(name).length();
        if (bytes == 0) {
            throw problem("Column name cannot be empty");
        }
        if (bytes > MAX_NAME_BYTES) {
            throw problem(
                    "Column name is longer than maximum allowed: %d > %d"
                            .formatted(bytes, MAX_NAME_BYTES));
        }
        if (name.startsWith("@")) {
            throw problem("Column name cannot start with prefix \"@\"");
        }
        if (name.startsWith("$")) {
            throw problem(
                    name.equals("$ttl") || name.equals("$empty")
                            ? "System column \"%s\" is not supported".formatted(name)
                            : "System column name \"%s\" is not allowed here".formatted(name));
        }
        if (name.startsWith("__ydb_")) {
            throw problem("Column name cannot start with prefix \"__ydb_\"");
        }
    }

    private static void checkText(Optional<String> text, String what) {
        int bytes = text.map(given -> Bytes.utf8(given).length()).orElse(1);
        if (bytes == 0) {
            throw problem(
                    what.equals("lock")
                            ? "Column lock name cannot be empty"
                            : "Column group should either be unset or be non-empty");
        }
        if (bytes > MAX_NAME_BYTES) {
            throw problem(
                    "Column %s name is longer than maximum allowed: %d > %d"
                            .formatted(what, bytes, MAX_NAME_BYTES));
        }
    }

    private static void checkHunks(SchemaColumn column) {
        if (column.maxInlineHunkSize().isEmpty()) {
            return;
        }
        if (column.maxInlineHunkSize().getAsLong() <= 0) {
            throw problem("Max inline hunk size must be positive");
        }
        if (column.wire() != WireType.STRING && column.wire() != WireType.ANY) {
            throw problem(
                    "Max inline hunk size can only be set for string-like columns, not \"%s\""
                            .formatted(PivotKeys.name(column.wire())));
        }
        if (column.isKey()) {
            throw problem("Max inline hunk size cannot be set for key column");
        }
    }

    private static void checkNames(List<SchemaColumn> columns) {
        Set<String> names = new HashSet<>();
        for (SchemaColumn column : columns) {
            if (!names.add(column.name())) {
                throw problem(
                        "Duplicate column name \"%s\" in table schema".formatted(column.name()));
            }
        }
    }

    private static void checkLocks(List<SchemaColumn> columns) {
        Set<String> locks = new HashSet<>();
        columns.forEach(column -> column.lock().ifPresent(locks::add));
        int count = locks.size() + 1;
        if (count > MAX_LOCKS) {
            throw problem(
                    "Too many column locks in table schema: actual %d, limit %d"
                            .formatted(count, MAX_LOCKS));
        }
    }

    private static void checkOrder(List<SchemaColumn> columns) {
        for (int index = 1; index < columns.size(); index++) {
            if (columns.get(index).isKey() && !columns.get(index - 1).isKey()) {
                throw problem("Key columns must form a prefix of schema");
            }
        }
    }

    private static void checkDynamic(YtSchema schema) {
        if (!schema.isStrict()) {
            throw problem("\"strict\" cannot be \"false\" for a dynamic table");
        }
        if (schema.isSorted() && !schema.hasUniqueKeys()) {
            throw problem("\"unique_keys\" cannot be \"false\" for a sorted dynamic table");
        }
        int keys = schema.keyColumns().size();
        if (keys == schema.columns().size()) {
            throw problem("There must be at least one non-key column");
        }
        if (keys == 0) {
            throw problem("Ordered tables are not supported: the schema must have a key column");
        }
        if (keys > MAX_KEY_COLUMNS) {
            throw problem(
                    "Too many key columns: expected <= %d, got %d"
                            .formatted(MAX_KEY_COLUMNS, keys));
        }
        if (schema.columns().size() > MAX_COLUMNS) {
            throw problem(
                    "Too many columns: expected <= %d, got %d"
                            .formatted(MAX_COLUMNS, schema.columns().size()));
        }
    }

    private static void checkComputed(SchemaColumn column) {
        if (!column.isComputed()) {
            return;
        }
        if (column.materialized() && !column.isKey()) {
            throw problem(
                    "Non-key column \"%s\" cannot be computed in materializable way"
                            .formatted(column.name()));
        }
        if (!column.materialized() && column.isKey()) {
            throw problem(
                    "Key column \"%s\" cannot be computed in non-materializable way"
                            .formatted(column.name()));
        }
    }

    /// Checks that the schema of a table with rows can be replaced.
    static void checkChange(YtSchema before, YtSchema after) {
        try {
            for (SchemaColumn column : before.columns()) {
                if (after.column(column.name()).isEmpty()) {
                    throw problem(
                            "Cannot remove column \"%s\" from a strict schema"
                                    .formatted(column.name()));
                }
            }
            for (int index = 0; index < before.columns().size(); index++) {
                checkSame(before.columns().get(index), index, after);
            }
            for (SchemaColumn column : after.columns()) {
                if (before.column(column.name()).isEmpty()) {
                    checkNew(column);
                }
            }
        } catch (YtException e) {
            throw YtError.of(YtCodes.INCOMPATIBLE_SCHEMAS, "Table schemas are incompatible")
                    .with("old_schema", before.node())
                    .with("new_schema", after.node())
                    .with(e.error())
                    .exception();
        }
    }

    private static void checkSame(SchemaColumn was, int index, YtSchema after) {
        SchemaColumn is = after.column(was.name()).orElseThrow();
        boolean sameType = is.type().nullable(true).equals(was.type().nullable(true));
        if (!sameType || (was.type().isNullable() && !is.type().isNullable())) {
            throw incompatible(
                    "Type mismatch for column \"%s\": old \"%s\", new \"%s\""
                            .formatted(was.name(), was.type().text(), is.type().text()));
        }
        if (was.isKey() && is.isKey() && index != after.indexOf(was.name())) {
            throw problem(
                    "Cannot change position of a key column \"%s\": old %d, new %d"
                            .formatted(was.name(), index, after.indexOf(was.name())));
        }
        if (is.isKey() && !was.isKey()) {
            throw incompatible(
                    "Sort order mismatch for column \"%s\": old \"none\", new \"ascending\""
                            .formatted(was.name()));
        }
        if (was.isKey() && !is.isKey()) {
            throw problem(
                    "Table cannot have unique keys since some of its key columns were removed");
        }
        if (!is.expression().equals(was.expression()) || is.materialized() != was.materialized()) {
            throw incompatible(
                    "Expression mismatch for column \"%s\": old %s, new %s"
                            .formatted(
                                    was.name(), quoted(was.expression()), quoted(is.expression())));
        }
        if (was.maxInlineHunkSize().isPresent() && is.maxInlineHunkSize().isEmpty()) {
            throw incompatible(
                    "Cannot reset max inline hunk size for column \"%s\"".formatted(was.name()));
        }
    }

    private static void checkNew(SchemaColumn column) {
        if (column.isComputed() && column.materialized()) {
            throw problem(
                    "Cannot introduce a new computed column \"%s\" after creation"
                            .formatted(column.name()));
        }
        if (column.isRequired()) {
            throw problem(
                    "Cannot insert a new required column \"%s\" into a non-empty table"
                            .formatted(column.name()));
        }
        if (column.isKey()) {
            throw problem(
                    "Adding key column \"%s\" to a non-empty table is not supported"
                            .formatted(column.name()));
        }
    }

    private static String quoted(Optional<String> text) {
        return text.map(given -> "\"" + given + "\"").orElse("<null>");
    }

    private static YtException problem(String message) {
        return new YtException(YtCodes.GENERIC, message);
    }

    private static YtException incompatible(String message) {
        return new YtException(YtCodes.INCOMPATIBLE_SCHEMAS, message);
    }
}
