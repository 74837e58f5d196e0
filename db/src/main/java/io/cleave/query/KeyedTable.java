package io.cleave.query;

import io.cleave.analysis.GeneratedColumnAnalyzer;
import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.exec.RowLimits;
import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.schema.YtColumn;
import io.cleave.txn.ReadColumns;
import io.cleave.txn.RowWrite;
import io.cleave.txn.RowWrite.Kind;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.ytql.YtExpressionTyping;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.IntStream;

/// One version of a table whose rows are read and written by key, without a query text. Made once
/// for a version and used by many calls.
///
/// Threads: any.
public final class KeyedTable {
    private final Table table;
    private final List<Type> keyTypes;
    private final List<GeneratedColumn> generated;
    private final boolean[] isGenerated;

    /// The expressions of columns that are computed when a row is read, by column; null for stored
    /// ones. Their inputs are the columns of the table.
    private final @Nullable Typed[] computed;

    private final ReadColumns allColumns;

    /// Columns that are not in the key and refuse NULL; ascending.
    private final int[] required;

    /// Columns that old rows have a value of without storing it; ascending.
    private final int[] added;

    KeyedTable(Table table) {
        this.table = table;
        List<Column> columns = table.columns();
        keyTypes = table.key().stream().map(Column::type).toList();
        generated =
                GeneratedColumn.isIn(table)
                        ? GeneratedColumnAnalyzer.ANALYZER.of(table)
                        : List.of();
        isGenerated = new boolean[columns.size()];
        computed = new @Nullable Typed[columns.size()];
        for (int column = 0; column < isGenerated.length; column++) {
            computed[column] = computed(table, columns.get(column));
            isGenerated[column] =
                    computed[column] != null || GeneratedColumn.isGenerated(columns.get(column));
        }
        allColumns = ReadColumns.of(table, IntStream.range(0, columns.size()).toArray());
        required =
                IntStream.range(0, columns.size())
                        .filter(column -> !table.isKey(column) && columns.get(column).refusesNull())
                        .toArray();
        added =
                IntStream.range(0, columns.size())
                        .filter(column -> columns.get(column).missing().isPresent())
                        .toArray();
    }

    private static @Nullable Typed computed(Table table, Column column) {
        Optional<String> expression =
                table.options()
                        .yt()
                        .map(yt -> yt.columns().get(column.id()))
                        .filter(kept -> !kept.materialized())
                        .flatMap(YtColumn::expression);
        if (expression.isEmpty()) {
            return null;
        }
        List<Field> fields =
                table.columns().stream()
                        .map(each -> new Field(each.name(), each.valueType()))
                        .toList();
        return YtExpressionTyping.of(expression.get(), fields);
    }

    /// Throws if a column is computed on read from a column that is to be dropped.
    static void checkDrops(Table table, Set<String> dropped) {
        for (Column column : table.columns()) {
            Typed expression = dropped.contains(column.name()) ? null : computed(table, column);
            if (expression == null) {
                continue;
            }
            for (int source : TypedTree.inputs(expression)) {
                String name = table.columns().get(source).name();
                if (dropped.contains(name)) {
                    throw new StatusException(
                            Status.BAD_REQUEST,
                            "Cannot drop column '%s': column '%s' is computed from it; drop '%s' first"
                                    .formatted(name, column.name(), column.name()));
                }
            }
        }
    }

    public Table table() {
        return table;
    }

    boolean isOf(Table other) {
        return table.id() == other.id() && table.version() == other.version();
    }

    /// Whether the column is computed from others, so that a caller must not give it.
    public boolean isGenerated(int column) {
        return isGenerated[column];
    }

    /// Whether the column is not stored, but computed when a row is read.
    public boolean isComputedOnRead(int column) {
        return computed[column] != null;
    }

    /// The columns that such a column is computed from.
    public SortedSet<Integer> sources(int column) {
        return TypedTree.inputs(expression(column));
    }

    /// The value of such a column in a row. `row` has the values of its sources, by column.
    public Value computed(int column, Value[] row) {
        return GeneratedColumn.value(expression(column), row);
    }

    private Typed expression(int column) {
        return Objects.requireNonNull(computed[column]);
    }

    public ReadColumns allColumns() {
        return allColumns;
    }

    /// The encoded key of the values, which are by position in the key. Generated columns are
    /// filled in. Throws BAD_REQUEST if the key is too long.
    public Bytes key(Value[] values) {
        for (GeneratedColumn column : generated) {
            values[column.keyColumn()] = column.of(values);
        }
        Bytes key = KeyCodec.encode(keyTypes, values);
        RowLimits.checkKey(keyTypes, key);
        return key;
    }

    public Value[] decodeKey(Bytes key) {
        return KeyCodec.decode(keyTypes, key);
    }

    /// The first column that refuses NULL, has no default, and is not written; -1 if there is none.
    public int missingRequired(RowWrite write) {
        for (int column : required) {
            if (Arrays.binarySearch(write.columns(), column) < 0 && preset(column).isNull()) {
                return column;
            }
        }
        return -1;
    }

    /// Whether the write must know whether the row exists: an UPSERT that does not give all columns
    /// that a new row must have.
    boolean needsExistence(RowWrite write) {
        return write.kind() == Kind.UPSERT && (lacks(write, required) || lacks(write, added));
    }

    private static boolean lacks(RowWrite write, int[] columns) {
        for (int column : columns) {
            if (Arrays.binarySearch(write.columns(), column) < 0) {
                return true;
            }
        }
        return false;
    }

    /// The write with the defaults of columns that it does not give, for a row that does not exist.
    RowWrite withDefaults(RowWrite write) {
        List<Integer> columns = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        for (int column = 0; column < table.columns().size(); column++) {
            int given = Arrays.binarySearch(write.columns(), column);
            if (given >= 0) {
                columns.add(column);
                values.add(write.values()[given]);
            } else if (!table.isKey(column) && !preset(column).isNull()) {
                columns.add(column);
                values.add(preset(column));
            }
        }
        return new RowWrite(
                Kind.REPLACE,
                columns.stream().mapToInt(Integer::intValue).toArray(),
                values.toArray(Value[]::new));
    }

    /// Whether an overwritten row gets values that the caller has not given.
    boolean hasDefaults() {
        return required.length > 0 || added.length > 0;
    }

    private Value preset(int column) {
        return table.columns().get(column).preset().orElse(null)
                        instanceof Preset.Literal(Value value)
                ? value
                : Value.Null.NULL;
    }
}
