package io.cleave.schema;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Type.Decimal;
import io.cleave.value.Type.Primitive;
import io.cleave.value.TzText;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks table definitions. The limits and messages are those of YDB.
public final class TableRules {
    static final int MAX_COLUMNS = 200;
    static final int MAX_KEY_COLUMNS = 20;
    static final int MAX_COLUMN_NAME_BYTES = 255;

    // The limits of tables that were created through YTsaurus' API.
    static final int MAX_YT_COLUMNS = 1024;
    static final int MAX_YT_KEY_COLUMNS = 32;
    static final int MAX_YT_COLUMN_NAME_BYTES = 256;

    /// The maximum TTL is the end of the range of dates: P49672DT23H59M59S.
    private static final long MAX_TTL_SECONDS = 49_673L * 86_400 - 1;

    private static final long MIN_TTL_RUN_SECONDS = 900;

    /// The same limit as for any path element.
    private static final int MAX_SEQUENCE_NAME = 255;

    /// The maximum number of read replicas of a table, in each availability zone or in all of them.
    public static final int MAX_READ_REPLICAS = 3;

    private static final int MAX_ATTRIBUTE_BYTES = 10_240;
    private static final int MAX_ATTRIBUTE_NAME = 100;
    private static final int MAX_ATTRIBUTE_VALUE = 4096;

    private TableRules() {}

    /// Creates the table of a definition; throws a StatusException if the definition is not valid.
    public static Table create(TableDefinition definition, long id, long createdMicros) {
        List<ColumnFamily> families = families(definition.families());
        List<Column> columns = new ArrayList<>();
        for (NewColumn column : definition.columns()) {
            columns.add(
                    column(column, columns.size() + 1, columns, families, definition.options()));
        }
        checkColumnCount(definition.options(), columns.size());
        List<Integer> key = key(definition, columns);
        checkTtl(definition.options(), columns);
        checkTtlAge(definition.options(), createdMicros);
        checkAttributes(definition.attributes());
        checkPartitioning(definition.options().partitioning());
        checkReadReplicas(definition.options());
        IndexRules.check(definition.indexes(), columns, key.stream().map(columns::get).toList());
        checkSequences(columns, definition.indexes());
        return new Table(
                id,
                1,
                definition.path(),
                columns,
                key,
                columns.size() + 1,
                families,
                definition.options(),
                definition.attributes(),
                createdMicros,
                definition.indexes(),
                0);
    }

    /// Creates a column of a table that has the columns `others` already.
    static Column column(
            NewColumn column,
            int columnId,
            List<Column> others,
            List<ColumnFamily> families,
            TableOptions options) {
        String name = column.name();
        checkColumnName(name, isYt(options));
        if (others.stream().anyMatch(other -> other.name().equals(name))) {
            throw refuseName("Column '" + name + "' specified more than once");
        }
        checkStorable(name, column.type());
        String family = column.family().isEmpty() ? Column.DEFAULT_FAMILY : column.family();
        if (families.stream().noneMatch(known -> known.name().equals(family))) {
            throw refuseName("Unknown column family '" + family + "' for column '" + name + "'");
        }
        return new Column(columnId, name, column.type(), column.notNull(), family, column.preset());
    }

    private static void checkColumnName(String name, boolean isYt) {
        boolean tooLong =
                isYt
                        ? utf8Bytes(name) > MAX_YT_COLUMN_NAME_BYTES
                        : name.length() > MAX_COLUMN_NAME_BYTES;
        if (tooLong) {
            throw refuse("Column name too long: '" + name + "'");
        }
        boolean plain = isYt || name.chars().allMatch(TableRules::isNameCharacter);
        if (name.isEmpty() || !plain || name.startsWith("__ydb_")) {
            throw refuse("Invalid name for column '" + name + "'");
        }
    }

    /// Whether YTsaurus' limits apply.
    static boolean isYt(TableOptions options) {
        return options.yt().isPresent() && options.yt().get().made();
    }

    static void checkColumnCount(TableOptions options, int count) {
        int most = isYt(options) ? MAX_YT_COLUMNS : MAX_COLUMNS;
        if (count > most) {
            throw refuse("Too many columns. Max column count: " + most);
        }
    }

    /// Sequences have paths below the table, as indexes do, so their names must differ.
    private static void checkSequences(List<Column> columns, List<Index> indexes) {
        Set<String> names = new HashSet<>();
        indexes.forEach(index -> names.add(index.name()));
        for (Column column : columns) {
            String name = column.sequenceName();
            if (column.sequence().isEmpty()) {
                continue;
            }
            if (!name.chars().allMatch(TableRules::isNameCharacter)
                    || name.length() > MAX_SEQUENCE_NAME) {
                throw refuse("Invalid name for sequence '" + name + "'");
            }
            if (!names.add(name)) {
                throw refuse("Sequence '" + name + "' specified more than once");
            }
        }
    }

    static void checkTtl(TableOptions options, List<Column> columns) {
        if (options.ttl().isEmpty()) {
            return;
        }
        TableOptions.Ttl ttl = options.ttl().get();
        Column column =
                columns.stream()
                        .filter(known -> known.name().equals(ttl.column()))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        refuse(
                                                "Cannot enable TTL on unknown column: '"
                                                        + ttl.column()
                                                        + "'"));
        if (ttl.expireAfterSeconds() > MAX_TTL_SECONDS) {
            throw refuse(
                    "Interval value is too large: %d seconds, at most %d"
                            .formatted(ttl.expireAfterSeconds(), MAX_TTL_SECONDS));
        }
        if (ttl.runIntervalSeconds() != 0 && ttl.runIntervalSeconds() < MIN_TTL_RUN_SECONDS) {
            throw refuse("TTL run interval cannot be less than limit: " + MIN_TTL_RUN_SECONDS);
        }
        boolean unit = ttl.unit() != TableOptions.TtlUnit.DATE;
        switch (column.type()) {
            case Primitive.DATE,
                    Primitive.DATETIME,
                    Primitive.TIMESTAMP,
                    Primitive.DATE32,
                    Primitive.DATETIME64,
                    Primitive.TIMESTAMP64 -> {
                if (unit) {
                    throw refuse(
                            "To enable TTL on date type column 'DateTypeColumnModeSettings'"
                                    + " should be specified");
                }
            }
            case Primitive.UINT32, Primitive.UINT64, Primitive.DY_NUMBER -> {
                if (!unit) {
                    throw refuse(
                            "To enable TTL on integral type column"
                                    + " 'ValueSinceUnixEpochModeSettings' should be specified");
                }
            }
            default ->
                    throw refuse(
                            "Unsupported column type for TTL: '"
                                    + column.name()
                                    + "' is "
                                    + column.type().text());
        }
    }

    /// Refuses a TTL that reaches back before 1970 for a column that counts from 1970.
    public static void checkTtlAge(TableOptions options, long nowMicros) {
        long now = nowMicros / 1_000_000;
        boolean tooOld =
                options.ttl()
                        .filter(ttl -> ttl.unit() != TableOptions.TtlUnit.DATE)
                        .filter(ttl -> ttl.expireAfterSeconds() > now)
                        .isPresent();
        if (tooOld) {
            throw refuse(
                    "TTL should be less than %d seconds (%d days). The ttl behaviour is undefined before 1970."
                            .formatted(now, now / 86_400));
        }
    }

    static void checkPartitioning(Partitioning partitioning) {
        if (partitioning.maxCount() != 0 && partitioning.maxCount() < partitioning.minCount()) {
            throw refuse(
                    "Partition count bounds are inconsistent: max "
                            + partitioning.maxCount()
                            + " is less than min "
                            + partitioning.minCount());
        }
    }

    static void checkReadReplicas(TableOptions options) {
        options.readReplicas()
                .filter(replicas -> replicas.count() > MAX_READ_REPLICAS)
                .ifPresent(
                        replicas -> {
                            throw new StatusException(
                                    Status.BAD_REQUEST,
                                    "Read replicas count %d is too large: at most %d"
                                            .formatted(replicas.count(), MAX_READ_REPLICAS));
                        });
    }

    static void checkAttributes(Map<String, String> attributes) {
        int total = 0;
        for (var attribute : attributes.entrySet()) {
            String name = attribute.getKey();
            String value = attribute.getValue();
            int nameBytes = utf8Bytes(name);
            int valueBytes = utf8Bytes(value);
            if (nameBytes == 0 || nameBytes > MAX_ATTRIBUTE_NAME || name.startsWith("__")) {
                throw new StatusException(
                        Status.BAD_REQUEST, "Invalid attribute name: '" + name + "'");
            }
            if (valueBytes == 0) {
                throw new StatusException(
                        Status.BAD_REQUEST, "The value of attribute '" + name + "' is empty");
            }
            if (valueBytes > MAX_ATTRIBUTE_VALUE) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        "The value of attribute '"
                                + name
                                + "' is longer than "
                                + MAX_ATTRIBUTE_VALUE
                                + " bytes");
            }
            total += nameBytes + valueBytes;
        }
        if (total > MAX_ATTRIBUTE_BYTES) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Attributes take " + total + " bytes; at most " + MAX_ATTRIBUTE_BYTES);
        }
    }

    private static int utf8Bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    static StatusException refuse(String message) {
        return new StatusException(Status.SCHEME_ERROR, Issue.error(Issue.SCHEME, message));
    }

    /// As [#refuse], for an error that YDB finds when it resolves the names of the statement.
    static StatusException refuseName(String message) {
        return new StatusException(
                Status.GENERIC_ERROR, Issue.error(Issue.TYPE_ANNOTATION, message));
    }

    /// As [#refuse], for a change that is invalid whatever rows and indexes exist.
    static StatusException refuseChange(String message) {
        return new StatusException(Status.BAD_REQUEST, Issue.error(Issue.BAD_REQUEST, message));
    }

    /// As [#refuse], for a change that is only invalid because of an index.
    static StatusException refuseForIndex(String message) {
        return new StatusException(
                Status.PRECONDITION_FAILED, Issue.error(Issue.PRECONDITION, message));
    }

    static boolean isNameCharacter(int character) {
        return character == '_'
                || character == '-'
                || (character >= '0' && character <= '9')
                || (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z');
    }

    private static void checkStorable(String name, Type type) {
        switch (type) {
            case Primitive primitive when TzText.isTz(primitive) ->
                    throw refuse(
                            "Type '"
                                    + type.text()
                                    + "' specified for column '"
                                    + name
                                    + "' is not supported by storage");
            case Primitive _, Decimal _ -> {}
            default -> throw refuse("Invalid type for column: " + name + ".");
        }
    }

    /// The families with the default family first, even if it was not given.
    private static List<ColumnFamily> families(List<ColumnFamily> given) {
        List<ColumnFamily> families = new ArrayList<>(given);
        ColumnFamily first =
                given.stream()
                        .filter(family -> family.name().equals(Column.DEFAULT_FAMILY))
                        .findFirst()
                        .orElse(ColumnFamily.DEFAULT);
        families.remove(first);
        families.addFirst(first);
        checkFamilies(families);
        return families;
    }

    static void checkFamilies(List<ColumnFamily> families) {
        Set<String> names = new HashSet<>();
        for (ColumnFamily family : families) {
            String name = family.name();
            if (name.isEmpty() || utf8Bytes(name) > MAX_COLUMN_NAME_BYTES) {
                throw refuse("Invalid name for column family '" + name + "'");
            }
            if (!names.add(name)) {
                throw refuse("Column family '" + name + "' specified more than once");
            }
        }
    }

    private static List<Integer> key(TableDefinition definition, List<Column> columns) {
        List<String> names = definition.primaryKey();
        if (names.isEmpty()) {
            throw refuse("No key columns specified");
        }
        int most = isYt(definition.options()) ? MAX_YT_KEY_COLUMNS : MAX_KEY_COLUMNS;
        if (names.size() > most) {
            throw refuse("Too many key columns. Max key column count: " + most);
        }
        List<Integer> key = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            int index = indexOf(columns, name);
            if (index < 0) {
                throw refuse("Unknown column '" + name + "' specified in key column list");
            }
            if (!seen.add(name)) {
                throw refuse("Column '" + name + "' specified more than once in key column list");
            }
            Column column = columns.get(index);
            if (!KeyCodec.isKeyType(column.type())) {
                throw refuse("Column " + name + " has wrong key type " + column.type().text());
            }
            if (!column.family().equals(Column.DEFAULT_FAMILY)) {
                throw refuse("Key column '" + name + "' must belong to the default family");
            }
            key.add(index);
        }
        return key;
    }

    private static int indexOf(List<Column> columns, String name) {
        for (int index = 0; index < columns.size(); index++) {
            if (columns.get(index).name().equals(name)) {
                return index;
            }
        }
        return -1;
    }
}
