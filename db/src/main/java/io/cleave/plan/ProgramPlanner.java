package io.cleave.plan;

import io.cleave.base.Issue;
import io.cleave.plan.Program.Kind;
import io.cleave.plan.Program.ResultColumn;
import io.cleave.plan.Program.ResultShape;
import io.cleave.plan.Program.Step;
import io.cleave.schema.Table;
import io.cleave.schema.Tables;
import io.cleave.typed.AnalyzedText;
import io.cleave.typed.GeneratedColumns;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedStatement;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Turns typed statements into the steps of a program. Pure. Threads: one, for one text.
public final class ProgramPlanner {
    private final Planner planner;

    /// Chooses no index. A piece of a BATCH reads a range of the table's keys; an index would also
    /// return rows of other pieces.
    private final Planner batchPlanner;

    private final Tables tables;
    private final List<Step> steps = new ArrayList<>();
    private final List<ResultShape> results = new ArrayList<>();
    private final AnalyzedText analyzed;
    private boolean batch;
    private boolean cutsResults;

    private ProgramPlanner(
            Tables tables, AnalyzedText analyzed, GeneratedColumns generated, PlanRules rules) {
        this.tables = tables;
        this.analyzed = analyzed;
        cutsResults = analyzed.resultRowsLimit() > 0;
        var inference = new KeyInference(generated, analyzed.rangeExpansionLimit());
        var estimates = new RowEstimates(tables, inference);
        var indexes = new IndexChoice(tables, inference, analyzed.choosesIndexes());
        planner = new Planner(rules, indexes, estimates);
        batchPlanner = new Planner(rules, new IndexChoice(tables, inference, false), estimates);
    }

    /// Plans the program of a text. `readWarnings` are the warnings that were found before the
    /// analysis.
    public static Program plan(
            AnalyzedText analyzed,
            List<Issue> readWarnings,
            GeneratedColumns generated,
            PlanRules rules,
            Tables tables) {
        var steps = new ProgramPlanner(tables, analyzed, generated, rules);
        analyzed.statements().forEach(steps::add);
        List<Issue> warnings = new ArrayList<>(readWarnings);
        warnings.addAll(analyzed.warnings());
        warnings.addAll(steps.planner.warnings());
        return new Program(
                steps.kind(),
                analyzed.parameters(),
                steps.results,
                steps.steps,
                analyzed.tableVersions(),
                analyzed.warningPolicy().applied(warnings),
                analyzed.asyncIndexTable(),
                analyzed.resultRowsLimit());
    }

    private void add(TypedStatement statement) {
        steps.add(
                switch (statement) {
                    case TypedStatement.Select select -> select(select);
                    case TypedStatement.Write write -> write(write, planner);
                    case TypedStatement.SchemeStatement scheme ->
                            new Program.SchemeStep.Change(scheme);
                    case TypedStatement.CreateTableAs(
                                    var table,
                                    boolean ifNotExists,
                                    boolean temporary,
                                    TypedStatement.Select query) ->
                            new Program.SchemeStep.CreateTableAs(
                                    table, ifNotExists, temporary, program(query));
                    case TypedStatement.Batch(TypedStatement.Write write) -> {
                        batch = true;
                        yield write(write, batchPlanner);
                    }
                    case TypedStatement.Explain(TypedStatement explained) -> explain(explained);
                });
    }

    /// The program of one query of this text.
    private Program program(TypedStatement.Select query) {
        var inner =
                new ProgramPlanner(
                        tables, analyzed, planner.estimates().generated(), planner.rules());
        // Rows that fill a table are not a result, so they are not limited.
        inner.cutsResults = false;
        inner.add(query);
        return new Program(
                inner.kind(),
                analyzed.parameters(),
                inner.results,
                inner.steps,
                analyzed.tableVersions(),
                List.of());
    }

    private DataSteps.Select select(TypedStatement.Select select) {
        List<ResultColumn> columns =
                select.rows().fields().stream()
                        .map(field -> new ResultColumn(field.name(), field.type()))
                        .toList();
        PlanNode rows = planner.plan(select.rows());
        return new DataSteps.Select(
                priors(select.subQueries()),
                cutsResults ? cut(rows) : rows,
                select.discard() ? OptionalInt.empty() : OptionalInt.of(result(columns)),
                new Memo());
    }

    /// Limits the rows to one more than the text asks for, so that the truncation can be detected.
    private PlanNode cut(PlanNode rows) {
        Typed count =
                new Typed.Constant(Primitive.UINT64, Value.of(analyzed.resultRowsLimit() + 1));
        return new PlanNode.Limit(rows, Optional.of(count), Optional.empty());
    }

    private DataSteps.Write write(TypedStatement.Write write, Planner planning) {
        Table table = write.table();
        Optional<List<ResultColumn>> columns =
                write.returning()
                        .map(
                                returned ->
                                        returned.stream()
                                                .map(table.columns()::get)
                                                .map(
                                                        column ->
                                                                new ResultColumn(
                                                                        column.name(),
                                                                        column.valueType()))
                                                .toList());
        OptionalInt result =
                columns.isPresent() ? OptionalInt.of(result(columns.get())) : OptionalInt.empty();
        return WritePlanner.plan(
                write, priors(write.subQueries()), planning.plan(write.source()), result, tables);
    }

    private Step explain(TypedStatement explained) {
        var inner =
                new ProgramPlanner(
                        tables, analyzed, planner.estimates().generated(), planner.rules());
        inner.add(explained);
        String text = new PlanText(tables).treeOf(inner.steps);
        return new DataSteps.Explained(
                text, result(List.of(new ResultColumn("plan", Primitive.UTF8))));
    }

    private int result(List<ResultColumn> columns) {
        results.add(new ResultShape(columns));
        return results.size() - 1;
    }

    private List<DataSteps.Prior> priors(List<TypedStatement.SubQuery> subQueries) {
        return subQueries.stream()
                .map(
                        query ->
                                new DataSteps.Prior(
                                        query.slot(), query.shape(), planner.plan(query.rows())))
                .toList();
    }

    private Kind kind() {
        boolean reads = false;
        boolean writes = false;
        for (Step step : steps) {
            switch (step) {
                case Program.SchemeStep _ -> {
                    return Kind.SCHEME;
                }
                case DataSteps.Write _ -> writes = true;
                case DataSteps.Select select ->
                        reads |=
                                Nodes.readsTables(select.rows())
                                        || select.priors().stream()
                                                .anyMatch(prior -> Nodes.readsTables(prior.rows()));
                case Program.DataStep _ -> {}
            }
        }
        if (writes) {
            return batch ? Kind.BATCH : Kind.WRITE;
        }
        if (!reads) {
            return Kind.CONSTANT;
        }
        boolean point =
                steps.size() == 1
                        && steps.getFirst() instanceof DataSteps.Select select
                        && select.priors().isEmpty()
                        && Nodes.isPointRead(select.rows());
        return point ? Kind.POINT_READ : Kind.READ;
    }
}
