package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.Table;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement;
import io.cleave.typed.TypedStatement.WriteMode;
import io.cleave.value.Type;
import io.cleave.yql.Expression;
import io.cleave.yql.Statement;
import io.cleave.yql.TableName;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// UPDATE … SET … WHERE and DELETE … WHERE. The rows to write are read from the same table.
final class UpdateAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    UpdateAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    TypedStatement update(Statement.Update update) {
        Table table = new SourceAnalyzer(context, bindings).table(update.table());
        WriteAnalyzer.refuseSystemTable(update.at(), table);
        RowScope scope = scope(update.table(), table);
        List<Integer> columns = new ArrayList<>(table.keyColumns());
        List<Typed> values = keys(scope, table);
        List<Type> types = new ArrayList<>();
        for (Statement.Assignment assignment : update.assignments()) {
            String name = assignment.column().name();
            int index = table.indexOf(name);
            if (index < 0) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        Issue.error(
                                        Issue.BAD_REQUEST,
                                        "Column '%s' does not exist in table '%s'."
                                                .formatted(name, table.path()))
                                .at(assignment.column().at()));
            }
            if (table.isKey(index)) {
                throw AnalysisContext.error(
                        assignment.column().at(), "Cannot update primary key column: " + name);
            }
            if (GeneratedColumn.isComputed(table, table.columns().get(index))) {
                throw WriteAnalyzer.generated(assignment.column().at(), table.columns().get(index));
            }
            if (columns.contains(index)) {
                throw AnalysisContext.error(assignment.column().at(), "Duplicated member: " + name);
            }
            Typed value = scope.analyze(assignment.value());
            columns.add(index);
            types.add(value.type());
            values.add(
                    WriteAnalyzer.toColumn(
                            context, assignment.value().at(), value, table.columns().get(index)));
        }
        List<Field> fields = fields(table, columns);
        context.typeWarnings()
                .updated(
                        update.at(),
                        types,
                        fields.subList(fields.size() - types.size(), fields.size()));
        Relation rows = filtered(scope, update.where());
        return new TypedStatement.Write(
                WriteMode.CHANGE,
                table,
                new Relation.Project(rows, values, fields),
                columns,
                WriteAnalyzer.returning(table, update.returning()),
                true,
                context.takeSubQueries());
    }

    TypedStatement delete(Statement.Delete delete) {
        Table table = new SourceAnalyzer(context, bindings).table(delete.table());
        WriteAnalyzer.refuseSystemTable(delete.at(), table);
        RowScope scope = scope(delete.table(), table);
        List<Integer> columns = table.keyColumns();
        Relation rows = filtered(scope, delete.where());
        return new TypedStatement.Write(
                WriteMode.ERASE,
                table,
                new Relation.Project(rows, keys(scope, table), fields(table, columns)),
                columns,
                WriteAnalyzer.returning(table, delete.returning()),
                true,
                context.takeSubQueries());
    }

    private RowScope scope(TableName name, Table table) {
        RowSource source =
                RowSource.of(new Relation.TableRows(table), List.of(name.text(), table.name()));
        return new RowScope(context, bindings, source);
    }

    private static Relation filtered(RowScope scope, Optional<Expression> where) {
        Relation rows = scope.source.relation();
        if (where.isEmpty()) {
            return rows;
        }
        Typed predicate = scope.analyze(where.get());
        return new Relation.Filter(rows, RowSource.predicate(where.get().at(), "WHERE", predicate));
    }

    private static List<Typed> keys(RowScope scope, Table table) {
        List<Typed> keys = new ArrayList<>();
        table.keyColumns().forEach(index -> keys.add(scope.source.input(index)));
        return keys;
    }

    private static List<Field> fields(Table table, List<Integer> columns) {
        List<Field> fields = new ArrayList<>();
        for (int index : columns) {
            Column column = table.columns().get(index);
            fields.add(new Field(column.name(), column.valueType()));
        }
        return fields;
    }
}
