package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.function.call.Suggestion;
import io.cleave.schema.Column;
import io.cleave.schema.IndexRules;
import io.cleave.schema.Table;
import io.cleave.typed.Errors;
import io.cleave.typed.GeneratedColumn;
import io.cleave.typed.Relation;
import io.cleave.typed.Relation.Field;
import io.cleave.typed.Relations;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement;
import io.cleave.typed.TypedStatement.WriteMode;
import io.cleave.value.Type;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;
import io.cleave.yql.Statement.ColumnAt;
import io.cleave.yql.Statement.Returning;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// UPSERT, REPLACE, INSERT, UPDATE ON and DELETE ON: writes the rows of a query to a table. The
/// fields of the source are assigned to the column list by position; see `order` for `*`. Without a
/// column list they are assigned by name.
final class WriteAnalyzer {
    private final AnalysisContext context;
    private final @Nullable Bindings bindings;

    WriteAnalyzer(AnalysisContext context, @Nullable Bindings bindings) {
        this.context = context;
        this.bindings = bindings;
    }

    TypedStatement write(Statement.Write write) {
        WriteMode mode =
                switch (write.kind()) {
                    case UPSERT -> WriteMode.UPSERT;
                    case REPLACE -> WriteMode.REPLACE;
                    case INSERT, INSERT_OR_ABORT -> WriteMode.INSERT;
                    case INSERT_OR_REVERT -> WriteMode.INSERT_OR_REVERT;
                    case INSERT_OR_IGNORE -> WriteMode.INSERT_OR_IGNORE;
                };
        Table table = new SourceAnalyzer(context, bindings).table(write.table());
        return analyze(write.at(), mode, table, write.columns(), write.source(), write.returning());
    }

    TypedStatement updateOn(Statement.UpdateOn update) {
        Table table = new SourceAnalyzer(context, bindings).table(update.table());
        return analyze(
                update.at(),
                WriteMode.UPDATE,
                table,
                update.columns(),
                update.source(),
                update.returning());
    }

    TypedStatement deleteOn(Statement.DeleteOn delete) {
        Table table = new SourceAnalyzer(context, bindings).table(delete.table());
        return analyze(
                delete.at(),
                WriteMode.ERASE,
                table,
                delete.columns(),
                delete.source(),
                delete.returning());
    }

    private TypedStatement analyze(
            Position at,
            WriteMode mode,
            Table table,
            Optional<List<ColumnAt>> columns,
            Query source,
            Optional<Returning> returning) {
        refuseSystemTable(at, table);
        Relation rows = rows(source);
        List<ColumnAt> targets = targets(at, columns, source, rows, mode);
        List<Integer> indexes = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ColumnAt target : targets) {
            if (table.indexOf(target.name()) < 0) {
                throw Errors.type(target.at(), "No such column: " + target.name());
            }
            Column written = table.columns().get(table.indexOf(target.name()));
            if (GeneratedColumn.isComputed(table, written)) {
                throw generated(target.at(), written);
            }
            if (!seen.add(target.name())) {
                throw Errors.type(target.at(), "Duplicated member: " + target.name());
            }
            indexes.add(table.indexOf(target.name()));
        }
        checkColumns(at, mode, table, indexes);
        List<Integer> order = order(columns, source, rows, targets);
        Relation plain = convert(rows, order, table, targets, indexes);
        List<Type> types = order.stream().map(field -> rows.fields().get(field).type()).toList();
        context.typeWarnings().written(at, types, plain.fields());
        Relation converted = new GeneratedValues(table).add(plain, indexes);
        return new TypedStatement.Write(
                mode,
                table,
                converted,
                indexes,
                returning(table, returning),
                Relations.reads(converted, table),
                context.takeSubQueries());
    }

    /// Literals in VALUES are not converted to a common type first.
    private Relation rows(Query source) {
        var queries = new QueryAnalyzer(context, bindings);
        if (!(source instanceof Query.Values values)) {
            return queries.analyze(source);
        }
        List<List<Typed>> rows = queries.rows(values);
        List<Field> fields = new ArrayList<>();
        for (Typed cell : rows.getFirst()) {
            fields.add(new Field("column" + fields.size(), cell.type()));
        }
        return new Relation.ConstantRows(rows, fields);
    }

    static StatusException generated(Position at, Column column) {
        return new StatusException(
                Status.BAD_REQUEST,
                Issue.error(
                                Issue.BAD_REQUEST,
                                "Column '%s' is generated; its value is computed for every row and cannot be written"
                                        .formatted(column.name()))
                        .at(at));
    }

    static void refuseSystemTable(Position at, Table table) {
        if (table.isIndexTable()) {
            StatusException refused = IndexRules.notWritable(table);
            throw new StatusException(
                    refused.status(),
                    refused.issues().stream().map(issue -> issue.at(at)).toList());
        }
        if (table.path().contains("/.sys/")) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    Issue.error(
                                    Issue.BAD_REQUEST,
                                    "Table '" + table.path() + "' is a system view: read only")
                            .at(at));
        }
    }

    private static String into(WriteMode mode) {
        return switch (mode) {
            case UPSERT, REPLACE, INSERT, INSERT_OR_REVERT, INSERT_OR_IGNORE ->
                    mode.words() + " INTO";
            case UPDATE, CHANGE, ERASE -> mode.words();
        };
    }

    /// The columns to write, in the order of the column list, or of the source if there is no list.
    private static List<ColumnAt> targets(
            Position at,
            Optional<List<ColumnAt>> columns,
            Query source,
            Relation rows,
            WriteMode mode) {
        if (columns.isEmpty()) {
            if (source instanceof Query.Values) {
                throw AnalysisContext.error(
                        at, into(mode) + " ... VALUES requires specification of table columns");
            }
            return rows.fields().stream().map(field -> new ColumnAt(at, field.name())).toList();
        }
        int expected = columns.get().size();
        if (rows.fields().size() != expected) {
            throw AnalysisContext.error(
                    columns.get().getLast().at(),
                    (source instanceof Query.Values ? "VALUES" : "SELECT")
                            + " have "
                            + rows.fields().size()
                            + " columns, "
                            + into(mode)
                            + " expects: "
                            + expected);
        }
        return columns.get();
    }

    /// For each target column, the index of its source field. As in YDB, fields are assigned by
    /// position. Only a query with `*`, which has no written order, is assigned by name if it has
    /// all the names.
    private List<Integer> order(
            Optional<List<ColumnAt>> columns, Query source, Relation rows, List<ColumnAt> targets) {
        List<String> names = rows.fields().stream().map(Field::name).toList();
        List<String> wanted = targets.stream().map(ColumnAt::name).toList();
        if (columns.isPresent() && hasStar(source) && names.containsAll(wanted)) {
            return wanted.stream().map(names::indexOf).toList();
        }
        if (columns.isPresent() && !(source instanceof Query.Values)) {
            warnOfOtherNames(source.at(), wanted, names);
        }
        return IntStream.range(0, targets.size()).boxed().toList();
    }

    private static boolean hasStar(Query source) {
        return switch (source) {
            case Query.Select select ->
                    select.items().stream().anyMatch(Query.Item.Star.class::isInstance);
            case Query.Combined combined -> hasStar(combined.left()) || hasStar(combined.right());
            case Query.With with -> hasStar(with.query());
            case Query.Values _ -> false;
        };
    }

    private void warnOfOtherNames(Position at, List<String> wanted, List<String> names) {
        var mismatches = new StringBuilder();
        for (int index = 0; index < wanted.size(); index++) {
            String name = names.get(index);
            if (!name.equals(wanted.get(index)) && !name.matches("column\\d+")) {
                mismatches
                        .append(". \"")
                        .append(wanted.get(index))
                        .append("\" doesn't match \"")
                        .append(name)
                        .append('"');
            }
        }
        if (!mismatches.isEmpty()) {
            String text = "Column names in SELECT don't match column specification in parenthesis";
            context.warn(Issue.warning(Issue.SELECT_COLUMN_MISMATCH, text + mismatches).at(at));
        }
    }

    private static void checkColumns(
            Position at, WriteMode mode, Table table, List<Integer> columns) {
        for (int key : table.keyColumns()) {
            Column column = table.columns().get(key);
            boolean isComputed = GeneratedColumn.isGenerated(column);
            boolean isFilled = isComputed || (column.preset().isPresent() && fillsPresets(mode));
            if (!columns.contains(key) && !isFilled) {
                throw new StatusException(
                        Status.PRECONDITION_FAILED,
                        Issue.error(
                                        Issue.PRECONDITION,
                                        "Missing key column in input: "
                                                + column.name()
                                                + " for table: "
                                                + table.path())
                                .at(at));
            }
        }
        if (!fillsPresets(mode)) {
            return;
        }
        for (int index = 0; index < table.columns().size(); index++) {
            Column column = table.columns().get(index);
            if (column.refusesNull() && column.preset().isEmpty() && !columns.contains(index)) {
                throw new StatusException(
                        Status.BAD_REQUEST,
                        Issue.error(
                                        Issue.NO_COLUMN_DEFAULT,
                                        "Missing not null column in input: "
                                                + column.name()
                                                + ". All not null columns should be initialized")
                                .at(at));
            }
        }
    }

    /// Whether the statement can create rows, so that omitted columns get their defaults.
    private static boolean fillsPresets(WriteMode mode) {
        return mode != WriteMode.UPDATE && mode != WriteMode.ERASE;
    }

    /// Converts the source to the columns and types of the targets.
    private Relation convert(
            Relation rows,
            List<Integer> order,
            Table table,
            List<ColumnAt> targets,
            List<Integer> columns) {
        List<Field> fields = new ArrayList<>();
        for (int column : columns) {
            Column target = table.columns().get(column);
            fields.add(new Field(target.name(), target.valueType()));
        }
        if (rows instanceof Relation.ConstantRows constants) {
            List<List<Typed>> converted = new ArrayList<>();
            for (List<Typed> row : constants.rows()) {
                converted.add(convertRow(row, order, table, targets, columns));
            }
            return new Relation.ConstantRows(converted, fields);
        }
        // Literals in a SELECT list convert to more types than other values, so they are converted
        // directly.
        if (rows instanceof Relation.Project(Relation input, List<Typed> values, _)) {
            return new Relation.Project(
                    input, convertRow(values, order, table, targets, columns), fields);
        }
        List<Typed> inputs = new ArrayList<>();
        for (int index = 0; index < rows.fields().size(); index++) {
            inputs.add(new Typed.Input(rows.fields().get(index).type(), index));
        }
        return new Relation.Project(
                rows, convertRow(inputs, order, table, targets, columns), fields);
    }

    private List<Typed> convertRow(
            List<Typed> row,
            List<Integer> order,
            Table table,
            List<ColumnAt> targets,
            List<Integer> columns) {
        List<Typed> converted = new ArrayList<>();
        for (int index = 0; index < columns.size(); index++) {
            Column column = table.columns().get(columns.get(index));
            converted.add(
                    toColumn(context, targets.get(index).at(), row.get(order.get(index)), column));
        }
        return converted;
    }

    /// Converts the value to the type of the column.
    static Typed toColumn(AnalysisContext context, Position at, Typed value, Column column) {
        boolean mayBeNull = value.type().isOptional() || value.type() == Type.Unit.NULL;
        if (column.refusesNull() && mayBeNull) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    Issue.error(
                                    Issue.BAD_COLUMN_TYPE,
                                    "Can't set NULL or optional value to not null column: "
                                            + column.name()
                                            + ". All not null columns should be initialized")
                            .at(at));
        }
        return context.convert(at, value, column.valueType(), column.name());
    }

    static Optional<List<Integer>> returning(Table table, Optional<Returning> returning) {
        if (returning.isEmpty()) {
            return Optional.empty();
        }
        List<Integer> columns = new ArrayList<>();
        if (returning.get().columns().isEmpty()) {
            for (int index = 0; index < table.columns().size(); index++) {
                columns.add(index);
            }
        }
        for (ColumnAt column : returning.get().columns()) {
            int index = table.indexOf(column.name());
            if (index < 0) {
                List<String> names = table.columns().stream().map(Column::name).toList();
                throw AnalysisContext.error(
                        column.at(),
                        "Member not found: "
                                + column.name()
                                + "."
                                + Suggestion.of(column.name(), names));
            }
            columns.add(index);
        }
        return Optional.of(columns);
    }
}
