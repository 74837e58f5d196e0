package io.cleave.analysis;

import io.cleave.schema.Column;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.value.Type;
import io.cleave.yql.Statement;
import io.cleave.yql.Statement.ColumnAt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The columns of CREATE TABLE … AS: the columns of the query, NOT NULL if the query cannot return
/// NULL.
final class TableOfQuery {
    private TableOfQuery() {}

    static List<NewColumn> columns(Statement.CreateTable create, Relation rows) {
        if (!create.columns().isEmpty()) {
            Statement.ColumnDefinition column = create.columns().getFirst();
            throw AnalysisContext.error(
                    column.at(),
                    "Column types are not supported for CREATE TABLE AS: "
                            + column.name()
                            + " has the type that the query gives it");
        }
        List<NewColumn> columns = new ArrayList<>();
        for (Field field : rows.fields()) {
            if (field.type() == Type.Unit.NULL) {
                throw AnalysisContext.error(
                        create.at(),
                        "Column " + field.name() + " is NULL in every row; CAST it to a type");
            }
            ColumnDefinitions.checkStorable(create.at(), field.name(), field.type().unwrapped());
            columns.add(
                    new NewColumn(
                            field.name(),
                            field.type().unwrapped(),
                            !field.type().isOptional(),
                            Column.DEFAULT_FAMILY,
                            Optional.empty()));
        }
        for (ColumnAt bare : create.bareColumns()) {
            if (columns.stream().noneMatch(column -> column.name().equals(bare.name()))) {
                throw AnalysisContext.error(
                        bare.at(), "Column " + bare.name() + " is not in the query");
            }
        }
        return columns;
    }
}
