package io.cleave.analysis;

import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Adds the generated columns of a table to the rows of a write.
final class GeneratedValues {
    private final Table table;
    private final List<GeneratedColumn> generated;

    GeneratedValues(Table table) {
        this.table = table;
        generated =
                GeneratedColumn.isIn(table)
                        ? GeneratedColumnAnalyzer.ANALYZER.of(table)
                        : List.of();
    }

    /// `columns` are the table columns of the given rows, in order. The added columns are appended
    /// to it.
    Relation add(Relation rows, List<Integer> columns) {
        if (generated.isEmpty()) {
            return rows;
        }
        List<Integer> given = List.copyOf(columns);
        List<Field> fields = new ArrayList<>(rows.fields());
        for (GeneratedColumn each : generated) {
            int place = table.keyColumns().get(each.keyColumn());
            Column column = table.columns().get(place);
            columns.add(place);
            fields.add(new Field(column.name(), column.valueType()));
        }
        if (rows instanceof Relation.ConstantRows(List<List<Typed>> constants, _)
                && constants.stream().flatMap(List::stream).allMatch(GeneratedValues::isPlain)) {
            return new Relation.ConstantRows(
                    constants.stream().map(row -> withGenerated(row, given)).toList(), fields);
        }
        // Other expressions are evaluated once. Their result is both written and used for the
        // generated columns.
        List<Typed> inputs =
                IntStream.range(0, rows.fields().size())
                        .<Typed>mapToObj(
                                index -> new Typed.Input(rows.fields().get(index).type(), index))
                        .toList();
        return new Relation.Project(rows, withGenerated(inputs, given), fields);
    }

    private static boolean isPlain(Typed value) {
        return value instanceof Typed.Constant
                || value instanceof Typed.Parameter
                || (value instanceof Typed.Convert convert && isPlain(convert.operand()))
                || (value instanceof Typed.ItemOf item && isPlain(item.operand()));
    }

    private List<Typed> withGenerated(List<Typed> row, List<Integer> given) {
        List<Typed> all = new ArrayList<>(row);
        for (GeneratedColumn each : generated) {
            all.add(each.over(keyColumn -> source(keyColumn, row, given)));
        }
        return all;
    }

    private Typed source(int keyColumn, List<Typed> row, List<Integer> given) {
        int place = table.keyColumns().get(keyColumn);
        int index = given.indexOf(place);
        if (index >= 0) {
            return row.get(index);
        }
        // A column that is not given has its default. That it may be omitted has already been
        // checked.
        Column column = table.columns().get(place);
        Value value =
                column.preset().orElse(null) instanceof Preset.Literal(Value literal)
                        ? literal
                        : Value.Null.NULL;
        return new Typed.Constant(column.valueType(), value);
    }
}
