package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Tables;
import io.cleave.typed.AnalyzedText;
import io.cleave.typed.Relation;
import io.cleave.typed.Relations;
import io.cleave.typed.TypedStatement;
import io.cleave.yql.Query;
import io.cleave.yql.Statement;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// Analyzes the statements of a text in order. Some, such as definitions and pragmas, only affect
/// the statements below them; the others become typed statements.
public final class StatementAnalyzer {
    private final AnalysisContext context;
    private final List<TypedStatement> statements;
    private final Mistakes mistakes;
    private @Nullable Bindings bindings;

    private StatementAnalyzer(AnalysisContext context) {
        this.context = context;
        this.statements = context.statements();
        this.mistakes = new Mistakes(context);
    }

    public static AnalyzedText analyze(
            List<Statement> statements, AnalysisOptions options, Tables tables) {
        var context = new AnalysisContext(options, tables);
        var analyzer = new StatementAnalyzer(context);
        statements.forEach(analyzer::add);
        analyzer.mistakes.report();
        analyzer.refuseMixture();
        analyzer.refuseCompany();
        return new AnalyzedText(
                analyzer.statements,
                context.parameters(),
                context.tableVersions(),
                context.slotCount(),
                context.warnings(),
                context.warningPolicy(),
                context.choosesIndexes(),
                context.asyncIndexTable(),
                context.resultRowsLimit(),
                context.rangeExpansionLimit());
    }

    private void add(Statement statement) {
        mistakes.lookAt(() -> analyze(statement).ifPresent(statements::add));
    }

    private Optional<TypedStatement> analyze(Statement statement) {
        return switch (statement) {
            case Statement.Declare declare -> {
                context.declare(declare);
                yield Optional.empty();
            }
            case Statement.Define define -> {
                bindings = Routines.defined(bindings, define);
                yield Optional.empty();
            }
            case Statement.DefineRoutine routine -> {
                bindings =
                        new Bindings(
                                bindings, routine.name(), new Bindings.Routine(routine, bindings));
                yield Optional.empty();
            }
            case Statement.Do action -> {
                carryOut(action);
                yield Optional.empty();
            }
            case Statement.DoBlock(_, List<Statement> body) -> {
                inside(bindings, body);
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
            case Statement.TruncateTable truncate ->
                    Optional.of(new SchemeAnalyzer(context, bindings).truncate(truncate));
            case Statement.CreateView create ->
                    Optional.of(new SchemeAnalyzer(context, bindings).createView(create));
            case Statement.DropView drop ->
                    Optional.of(new SchemeAnalyzer(context, bindings).dropView(drop));
            case Statement.AlterSequence alter ->
                    Optional.of(new SchemeAnalyzer(context, bindings).alterSequence(alter));
            case Statement.Access(_, var command) ->
                    Optional.of(new AccessAnalyzer(context, bindings).analyze(command));
            case Statement.ShowCreate show ->
                    Optional.of(new ShowCreateAnalyzer(context, bindings).analyze(show));
            case Statement.Batch(var at, Statement batched) -> Optional.of(batch(at, batched));
            case Statement.Explain(var at, Statement explained) ->
                    Optional.of(
                            new TypedStatement.Explain(
                                    analyze(explained)
                                            .orElseThrow(
                                                    () ->
                                                            AnalysisContext.error(
                                                                    at, "Nothing to explain"))));
            case Statement.Commit(var at) -> throw notInside(at, "COMMIT");
            case Statement.Unsupported(var at, String name) when name.equals("ROLLBACK") ->
                    throw notInside(at, name);
            case Statement.Unsupported(var at, String name) ->
                    throw AnalysisContext.unsupported(at, name);
        };
    }

    /// The error for statements that end a transaction. Clients end transactions by a separate
    /// call.
    private static StatusException notInside(Position at, String what) {
        return new StatusException(
                Status.GENERIC_ERROR,
                Issue.error(Issue.BAD_OPERATION, what + " not supported inside YDB query").at(at));
    }

    private void carryOut(Statement.Do action) {
        Bindings.Routine routine =
                Bindings.findRoutine(bindings, action.name())
                        .filter(found -> !found.definition().subQuery())
                        .orElseThrow(
                                () ->
                                        AnalysisContext.error(
                                                action.at(), "Unknown action: " + action.name()));
        context.enter(action.at());
        inside(
                Routines.inside(action.at(), routine, action.arguments(), bindings),
                routine.definition().body());
        context.leave();
    }

    /// Analyzes the statements with the given names instead of the current ones.
    private void inside(@Nullable Bindings names, List<Statement> body) {
        Bindings outside = bindings;
        bindings = names;
        body.forEach(this::add);
        bindings = outside;
    }

    private TypedStatement drop(Statement.DropTable drop) {
        String path = new SourceAnalyzer(context, bindings).path(drop.table());
        return new TypedStatement.DropTable(path, drop.ifExists());
    }

    private TypedStatement batch(Position at, Statement batched) {
        var write = (TypedStatement.Write) analyze(batched).orElseThrow();
        if (write.returning().isPresent()) {
            throw AnalysisContext.error(
                    at, "BATCH %s is unsupported with RETURNING".formatted(write.mode().words()));
        }
        if (!write.subQueries().isEmpty()) {
            throw AnalysisContext.error(at, "BATCH can't be used with multiple writes or reads.");
        }
        return new TypedStatement.Batch(write);
    }

    /// A BATCH statement must be the only statement.
    private void refuseCompany() {
        boolean batches = statements.stream().anyMatch(TypedStatement.Batch.class::isInstance);
        if (batches && statements.size() > 1) {
            throw new StatusException(
                    Status.GENERIC_ERROR,
                    Issue.error("BATCH can't be used with multiple writes or reads."));
        }
    }

    /// Schema changes and data access cannot be mixed. A SELECT that reads no table is allowed with
    /// both.
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
            case TypedStatement.SchemeStatement _, TypedStatement.CreateTableAs _ -> true;
            case TypedStatement.Select _,
                    TypedStatement.Write _,
                    TypedStatement.Batch _,
                    TypedStatement.Explain _ ->
                    false;
        };
    }

    private static boolean touchesRows(TypedStatement statement) {
        return switch (statement) {
            case TypedStatement.Write _, TypedStatement.Batch _ -> true;
            case TypedStatement.Select select ->
                    Relations.readsTables(select.rows())
                            || select.subQueries().stream()
                                    .anyMatch(query -> Relations.readsTables(query.rows()));
            case TypedStatement.Explain _,
                    TypedStatement.SchemeStatement _,
                    TypedStatement.CreateTableAs _ ->
                    false;
        };
    }
}
