package io.cleave.yql;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression.Literal;
import io.cleave.yql.Expression.SubQuery;
import io.cleave.yql.Expression.TupleOf;
import io.cleave.yql.Query.Source;
import io.cleave.yql.Statement.Assignment;
import io.cleave.yql.Statement.ColumnAt;
import io.cleave.yql.Statement.Returning;
import io.cleave.yql.Statement.WriteKind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Builds statements. [SchemaBuilder] builds those that change the schema.
final class StatementBuilder {
    private final ExpressionBuilder expressions = new ExpressionBuilder();
    private final OperandBuilder operands = expressions.operands();
    private final QueryBuilder queries = operands.queries();
    private final SchemaBuilder schemas;

    StatementBuilder(SourceText text) {
        schemas = new SchemaBuilder(expressions, text);
    }

    List<Statement> statements(Yql.ScriptContext script) {
        return script.statement().stream().map(this::statement).toList();
    }

    private Statement doAction(Position at, Yql.DoStatementContext context) {
        List<Expression> arguments = expressions.expressions(context.expression());
        if (context.NAMED_VALUE() != null) {
            return new Statement.Do(at, Names.value(context.NAMED_VALUE().getSymbol()), arguments);
        }
        String name = context.NAME().getText();
        if (!name.equalsIgnoreCase("EMPTY_ACTION") || !arguments.isEmpty()) {
            throw Places.error(at, "Unknown action: " + name);
        }
        return new Statement.DoBlock(at, List.of());
    }

    private Statement statement(Yql.StatementContext statement) {
        Position at = Places.at(statement);
        return switch (statement) {
            case Yql.ExplainStatementContext c ->
                    new Statement.Explain(at, statement(c.statement()));
            case Yql.DeclareStatementContext c ->
                    new Statement.Declare(
                            at, Names.value(c.NAMED_VALUE().getSymbol()), Types.of(c.type()));
            case Yql.PragmaStatementContext c -> pragma(at, c);
            case Yql.DefineStatementContext c -> operands.definition(c.definition());
            case Yql.QueryStatementContext c ->
                    new Statement.Run(at, queries.query(c.query()), c.DISCARD() != null);
            case Yql.CommitStatementContext _ -> new Statement.Commit(at);
            case Yql.WriteStatementContext c ->
                    new Statement.Write(
                            at,
                            writeKind(c.writeKind()),
                            Hints.written(c.writeKind(), c.hintedTable()),
                            columns(c.columnNames()),
                            queries.query(c.query()),
                            returning(c.returning()));
            case Yql.UpdateStatementContext c ->
                    new Statement.Update(
                            at,
                            Hints.changed(c.hintedTable()),
                            assignments(c.assignments()),
                            queries.where(c.where()),
                            returning(c.returning()));
            case Yql.UpdateOnStatementContext c ->
                    new Statement.UpdateOn(
                            at,
                            Hints.changed(c.hintedTable()),
                            columns(c.columnNames()),
                            queries.query(c.query()),
                            returning(c.returning()));
            case Yql.DeleteStatementContext c ->
                    new Statement.Delete(
                            at,
                            Hints.changed(c.hintedTable()),
                            queries.where(c.where()),
                            returning(c.returning()));
            case Yql.DeleteOnStatementContext c ->
                    new Statement.DeleteOn(
                            at,
                            Hints.changed(c.hintedTable()),
                            columns(c.columnNames()),
                            queries.query(c.query()),
                            returning(c.returning()));
            case Yql.CreateTableStatementContext c -> schemas.createTable(at, c);
            case Yql.AlterTableStatementContext c -> schemas.alterTable(at, c);
            case Yql.DropTableStatementContext c ->
                    new Statement.DropTable(at, Names.table(c.tableName()), c.EXISTS() != null);
            case Yql.RoutineStatementContext c -> routine(at, c);
            case Yql.DoStatementContext c -> doAction(at, c);
            case Yql.DoBlockStatementContext c -> new Statement.DoBlock(at, body(c.routineBody()));
            case Yql.TruncateStatementContext c ->
                    new Statement.TruncateTable(at, Names.table(c.tableName()));
            case Yql.BatchUpdateStatementContext c ->
                    new Statement.Batch(
                            at,
                            new Statement.Update(
                                    at,
                                    Hints.changed(c.hintedTable()),
                                    assignments(c.assignments()),
                                    queries.where(c.where()),
                                    returning(c.returning())));
            case Yql.BatchDeleteStatementContext c ->
                    new Statement.Batch(
                            at,
                            new Statement.Delete(
                                    at,
                                    Hints.changed(c.hintedTable()),
                                    queries.where(c.where()),
                                    returning(c.returning())));
            case Yql.CreateViewStatementContext c ->
                    schemas.createView(
                            at, c, c.routineBody() == null ? List.of() : body(c.routineBody()));
            case Yql.DropViewStatementContext c ->
                    new Statement.DropView(at, Names.table(c.tableName()), c.EXISTS() != null);
            case Yql.ShowCreateStatementContext c ->
                    new Statement.ShowCreate(at, Names.table(c.tableName()), c.VIEW() != null);
            case Yql.AlterSequenceStatementContext c -> SequenceBuilder.alterSequence(at, c);
            case Yql.AccessStatementContext c ->
                    new Statement.Access(at, AccessBuilder.command(c.access()));
            case Yql.OtherStatementContext c -> OtherStatements.refused(at, c);
            default -> throw new IllegalStateException("not a statement: " + statement.getClass());
        };
    }

    private Statement routine(Position at, Yql.RoutineStatementContext context) {
        List<Statement.RoutineParameter> parameters = new ArrayList<>();
        for (Yql.RoutineParameterContext parameter : context.routineParameter()) {
            parameters.add(
                    new Statement.RoutineParameter(
                            Names.value(parameter.NAMED_VALUE().getSymbol()),
                            parameter.QUESTION() != null));
        }
        return new Statement.DefineRoutine(
                at,
                context.SUBQUERY() != null,
                Names.value(context.NAMED_VALUE().getSymbol()),
                parameters,
                body(context.routineBody()));
    }

    private List<Statement> body(Yql.RoutineBodyContext context) {
        expressions.enter(1, context);
        List<Statement> body = context.statement().stream().map(this::statement).toList();
        expressions.leave(1);
        return body;
    }

    private Statement pragma(Position at, Yql.PragmaStatementContext context) {
        List<Yql.IdentifierContext> names = context.pragmaName().identifier();
        switch (Expression.Call.plain(context.pragmaName().getText())) {
            case "unicodeliterals" -> operands.setUnicodeLiterals(true);
            case "disableunicodeliterals" -> operands.setUnicodeLiterals(false);
            default -> {}
        }
        return new Statement.Pragma(
                at,
                names.size() == 1 ? Optional.empty() : Optional.of(Names.of(names.getFirst())),
                Names.of(names.getLast()),
                context.pragmaValue().stream().map(StatementBuilder::pragmaValue).toList());
    }

    /// A bare word is a string with its own text.
    private static Literal pragmaValue(Yql.PragmaValueContext value) {
        return value.constant() != null
                ? Literals.of(value.constant())
                : new Literal(
                        Places.at(value),
                        Primitive.STRING,
                        Value.binary(Bytes.utf8(Names.of(value.identifier()))));
    }

    private static WriteKind writeKind(Yql.WriteKindContext kind) {
        return switch (kind.stop.getType()) {
            case Yql.REPLACE -> WriteKind.REPLACE;
            case Yql.UPSERT -> WriteKind.UPSERT;
            case Yql.ABORT -> WriteKind.INSERT_OR_ABORT;
            case Yql.REVERT -> WriteKind.INSERT_OR_REVERT;
            case Yql.IGNORE -> WriteKind.INSERT_OR_IGNORE;
            default -> WriteKind.INSERT;
        };
    }

    private static Optional<List<ColumnAt>> columns(Yql.@Nullable ColumnNamesContext names) {
        return names == null ? Optional.empty() : Optional.of(Names.columns(names));
    }

    private static Optional<Returning> returning(Yql.@Nullable ReturningContext context) {
        return context == null
                ? Optional.empty()
                : Optional.of(
                        new Returning(
                                Places.at(context),
                                context.anyName().stream().map(Names::column).toList()));
    }

    private List<Assignment> assignments(Yql.AssignmentsContext context) {
        List<Assignment> result = new ArrayList<>();
        if (context.columnNames() == null) {
            for (Yql.AssignmentContext assignment : context.assignment()) {
                result.add(
                        new Assignment(
                                Names.column(assignment.anyName()),
                                expressions.expression(assignment.expression())));
            }
            return result;
        }
        List<ColumnAt> columns = Names.columns(context.columnNames());
        List<Expression> values = values(columns, context.parenthesized());
        for (int index = 0; index < values.size(); index++) {
            result.add(new Assignment(columns.get(index), values.get(index)));
        }
        return result;
    }

    /// The values of `SET (a, b) = (1, 2)`, or the columns of a query's row by position.
    private List<Expression> values(List<ColumnAt> columns, Yql.ParenthesizedContext context) {
        Position at = Places.at(context);
        return switch (operands.parenthesized(context, true)) {
            case SubQuery(_, Query query) -> columnsOf(at, query, columns.size());
            case TupleOf(_, List<Expression> values) -> {
                if (columns.size() != values.size()) {
                    throw Places.error(
                            at,
                            "%d columns but %d values".formatted(columns.size(), values.size()));
                }
                yield values;
            }
            default -> throw Places.error(at, "Expected values or a query behind SET (columns) =");
        };
    }

    /// One subquery for each column. All read the same rows, with columns renamed by position.
    private static List<Expression> columnsOf(Position at, Query query, int count) {
        List<String> names = IntStream.range(0, count).mapToObj(i -> "column" + i).toList();
        Source rows =
                new Source.Renamed(at, new Source.FromQuery(at, query, Optional.of("rows")), names);
        List<Expression> values = new ArrayList<>();
        for (String name : names) {
            var column =
                    new Query.Item.Column(
                            new Expression.ColumnName(at, Optional.empty(), name),
                            Optional.empty());
            values.add(new SubQuery(at, Query.Select.of(at, column, rows)));
        }
        return values;
    }
}
