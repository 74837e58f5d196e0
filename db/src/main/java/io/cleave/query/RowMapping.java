package io.cleave.query;

import io.cleave.analysis.GeneratedColumnAnalyzer;
import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.RowLimits;
import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.txn.RowWrite;
import io.cleave.txn.Transactions.KeyedWrite;
import io.cleave.typed.GeneratedColumn;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Maps the members of a Struct to the columns of a table with the same names.
final class RowMapping {
    private final Table table;
    private final List<Type> keyTypes;
    private final List<GeneratedColumn> generated;

    /// The member of each key column; -1 if it has none. `otherMembers` has the members of
    /// `otherColumns`.
    private final int[] keyMembers;

    private final int[] otherColumns;
    private final int[] otherMembers;

    /// The column of each member.
    private final int[] columnOfMember;

    RowMapping(Table table, Type.Struct struct) {
        this.table = table;
        this.keyTypes = table.key().stream().map(Column::type).toList();
        this.generated =
                GeneratedColumn.isIn(table)
                        ? GeneratedColumnAnalyzer.ANALYZER.of(table)
                        : List.of();
        this.columnOfMember = new int[struct.members().size()];
        int[] memberOfColumn = new int[table.columns().size()];
        Arrays.fill(memberOfColumn, -1);
        for (int member = 0; member < columnOfMember.length; member++) {
            Type.Member at = struct.members().get(member);
            int column = table.indexOf(at.name());
            if (column < 0) {
                throw schemeError("Unknown column: " + at.name());
            }
            if (GeneratedColumn.isComputed(table, table.columns().get(column))) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        Issue.error(
                                Issue.BAD_REQUEST,
                                "Column '%s' is generated; its value is computed for every row and cannot be set"
                                        .formatted(at.name())));
            }
            columnOfMember[member] = column;
            memberOfColumn[column] = member;
            checkType(table.columns().get(column), at.type());
        }
        this.keyMembers = table.keyColumns().stream().mapToInt(k -> memberOfColumn[k]).toArray();
        checkWholeKey();
        this.otherColumns =
                Arrays.stream(columnOfMember).filter(c -> !table.isKey(c)).sorted().toArray();
        this.otherMembers = Arrays.stream(otherColumns).map(c -> memberOfColumn[c]).toArray();
    }

    /// The columns that are written, without the key.
    IntStream columns() {
        return Arrays.stream(otherColumns);
    }

    boolean isKeyOnly() {
        return otherColumns.length == 0;
    }

    Bytes key(Value row) {
        Value[] key = new Value[keyMembers.length];
        for (int index = 0; index < key.length; index++) {
            key[index] = keyMembers[index] < 0 ? Value.Null.NULL : checked(row, keyMembers[index]);
        }
        for (GeneratedColumn column : generated) {
            key[column.keyColumn()] = column.of(key);
        }
        Bytes encoded = KeyCodec.encode(keyTypes, key);
        RowLimits.checkKey(keyTypes, encoded);
        return encoded;
    }

    KeyedWrite upsert(Value row) {
        Value[] values = new Value[otherMembers.length];
        for (int index = 0; index < values.length; index++) {
            values[index] = checked(row, otherMembers[index]);
            RowLimits.checkField(values[index]);
        }
        return new KeyedWrite(key(row), new RowWrite(RowWrite.Kind.UPSERT, otherColumns, values));
    }

    /// The fields of a new row for columns that were added with a default and have no member: the
    /// current default, or NULL. If they were not written, they would read as the default that the
    /// column was added with.
    Optional<RowWrite> fresh() {
        List<Column> columns = table.columns();
        int[] fresh =
                IntStream.range(0, columns.size())
                        .filter(column -> columns.get(column).missing().isPresent())
                        .filter(column -> !isGiven(column))
                        .toArray();
        Value[] values =
                Arrays.stream(fresh)
                        .mapToObj(column -> preset(columns.get(column)))
                        .toArray(Value[]::new);
        return fresh.length == 0
                ? Optional.empty()
                : Optional.of(new RowWrite(RowWrite.Kind.UPSERT, fresh, values));
    }

    private static Value preset(Column column) {
        return column.preset().orElse(null) instanceof Preset.Literal(Value value)
                ? value
                : Value.Null.NULL;
    }

    /// The NOT NULL columns without a member. A new row must have them.
    List<String> missingNotNull() {
        return IntStream.range(0, table.columns().size())
                .filter(column -> !isGiven(column))
                .mapToObj(table.columns()::get)
                .filter(Column::refusesNull)
                .filter(column -> !GeneratedColumn.isGenerated(column))
                .map(Column::name)
                .toList();
    }

    private boolean isGiven(int column) {
        return Arrays.stream(columnOfMember).anyMatch(given -> given == column);
    }

    private Value checked(Value row, int member) {
        Value value = ((Value.Items) row).items().get(member);
        if (value.isNull()) {
            Column column = table.columns().get(columnOfMember[member]);
            if (column.refusesNull()) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        Issue.error(
                                Issue.CONSTRAINT_VIOLATION,
                                "Received NULL value for not null column: " + column.name()));
            }
        }
        return value;
    }

    /// Types must be exactly those of the columns: as in YDB, nothing is converted here.
    private static void checkType(Column column, Type sent) {
        if (sent != Type.Unit.NULL && !sent.unwrapped().equals(column.type())) {
            throw schemeError(
                    "Type mismatch, got type %s for column %s, but expected %s"
                            .formatted(
                                    sent.unwrapped().text(), column.name(), column.type().text()));
        }
    }

    private void checkWholeKey() {
        List<String> missing = new ArrayList<>();
        for (int index = 0; index < keyMembers.length; index++) {
            if (keyMembers[index] < 0 && !GeneratedColumn.isGenerated(table.key().get(index))) {
                missing.add(table.key().get(index).name());
            }
        }
        if (!missing.isEmpty()) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    Issue.error(
                            Issue.BAD_REQUEST,
                            missing.stream()
                                    .collect(
                                            Collectors.joining(
                                                    ", ", "Missing key columns: ", ""))));
        }
    }

    private static StatusException schemeError(String message) {
        return new StatusException(Status.SCHEME_ERROR, Issue.error(Issue.SCHEME, message));
    }
}
