package io.cleave.analysis;

import io.cleave.analysis.Bindings.Binding;
import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Tables;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The statements of a text in their order: those that only say something for the ones below, and
/// those that do something.
public final class StatementAnalyzer {
    private final AnalysisContext context;
    private final List<TypedStatement> statements = new ArrayList<>();
    private @Nullable Bindings bindings;

    private StatementAnalyzer(AnalysisContext context) {
        this.context = context;
    }

    public static AnalyzedText analyze(
            List<Statement> statements, AnalysisOptions options, Tables tables) {
        var context = new AnalysisContext(options, tables);
        var analyzer = new StatementAnalyzer(context);
        statements.forEach(analyzer::add);
        analyzer.refuseMixture();
        return new AnalyzedText(
                analyzer.statements,
                context.parameters(),
                context.tableVersions(),
                context.slotCount(),
                context.warnings(),
                context.choosesIndexes(),
                context.asyncIndexTable());
    }

    private void add(Statement statement) {
        analyze(statement).ifPresent(statements::add);
    }

    private Optional<TypedStatement> analyze(Statement statement) {
        return switch (statement) {
            case Statement.Declare declare -> {
                context.declare(declare.name(), declare.type());
                yield Optional.empty();
            }
            case Statement.Define define -> {
                define(define);
                yield Optional.empty();
            }
            case Statement.Pragma pragma -> {
                Pragmas.apply(pragma, context);
                yield Optional.empty();
            }
            case Statement.Run(_, Query query, boolean discard) -> {
                Relation rows = new QueryAnalyzer(context, bindings).analyze(query);
                yield Optional.of(
                        new TypedStatement.Select(rows, discard, context.takeSubQueries()));
            }
            case Statement.Write write ->
                    Optional.of(new WriteAnalyzer(context, bindings).write(write));
            case Statement.UpdateOn update ->
                    Optional.of(new WriteAnalyzer(context, bindings).updateOn(update));
            case Statement.DeleteOn delete ->
                    Optional.of(new WriteAnalyzer(context, bindings).deleteOn(delete));
            case Statement.Update update ->
                    Optional.of(new UpdateAnalyzer(context, bindings).update(update));
            case Statement.Delete delete ->
                    Optional.of(new UpdateAnalyzer(context, bindings).delete(delete));
            case Statement.CreateTable create ->
                    Optional.of(new CreateTableAnalyzer(context, bindings).analyze(create));
            case Statement.AlterTable alter ->
                    Optional.of(new AlterTableAnalyzer(context, bindings).analyze(alter));
            case Statement.DropTable drop -> Optional.of(drop(drop));
            case Statement.Explain(var at, Statement explained) ->
                    Optional.of(
                            new TypedStatement.Explain(
                                    analyze(explained)
                                            .orElseThrow(
                                                    () ->
                                                            AnalysisContext.error(
                                                                    at, "Nothing to explain"))));
            case Statement.Commit(var at) ->
                    throw AnalysisContext.error(at, "COMMIT not supported inside YDB query");
            case Statement.Unsupported(var at, String name) ->
                    throw AnalysisContext.unsupported(at, name);
        };
    }

    private void define(Statement.Define define) {
        Bindings seen = bindings;
        for (int index = 0; index < define.names().size(); index++) {
            int item = define.names().size() == 1 ? -1 : index;
            bindings =
                    new Bindings(
                            bindings,
                            define.names().get(index),
                            new Binding(define.value(), item, seen));
        }
    }

    private TypedStatement drop(Statement.DropTable drop) {
        String path = new SourceAnalyzer(context, bindings).path(drop.table());
        return new TypedStatement.DropTable(path, drop.ifExists());
    }

    /// A SELECT that reads no table goes with everything.
    private void refuseMixture() {
        boolean scheme = statements.stream().anyMatch(StatementAnalyzer::changesScheme);
        boolean data = statements.stream().anyMatch(StatementAnalyzer::touchesRows);
        if (scheme && data) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    Issue.error(
                            Issue.MIXED_SCHEME_AND_DATA,
                            "Queries with mixed data and scheme operations are not supported"));
        }
    }

    private static boolean changesScheme(TypedStatement statement) {
        return switch (statement) {
            case TypedStatement.CreateTable _,
                    TypedStatement.AlterTable _,
                    TypedStatement.DropTable _ ->
                    true;
            case TypedStatement.Select _, TypedStatement.Write _, TypedStatement.Explain _ -> false;
        };
    }

    private static boolean touchesRows(TypedStatement statement) {
        return switch (statement) {
            case TypedStatement.Write _ -> true;
            case TypedStatement.Select select ->
                    Relations.readsTables(select.rows())
                            || select.subQueries().stream()
                                    .anyMatch(query -> Relations.readsTables(query.rows()));
            case TypedStatement.Explain _,
                    TypedStatement.CreateTable _,
                    TypedStatement.AlterTable _,
                    TypedStatement.DropTable _ ->
                    false;
        };
    }
}
