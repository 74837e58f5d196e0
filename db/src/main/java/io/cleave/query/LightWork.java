package io.cleave.query;

import io.cleave.plan.DataSteps;
import io.cleave.plan.PlanNode;
import io.cleave.plan.Program;
import io.cleave.schema.Preset;
import io.cleave.typed.Typed;

import java.util.List;
import java.util.Set;

/// Recognizes programs that end at once: programs without tables, which clients send to check
/// whether a server is alive, and programs that write a few rows without reading any. Their rows
/// consist of literals, parameters and operators.
final class LightWork {
    /// A program with more expression nodes than this is not light.
    private static final int MOST_NODES = 256;

    private static final Set<String> OPERATORS = Set.of("+", "-", "*", "/", "%", "XOR");

    private int nodesLeft = MOST_NODES;

    private LightWork() {}

    static boolean is(Program program) {
        var walk = new LightWork();
        return program.steps().stream().allMatch(walk::isLight);
    }

    /// Whether the program only writes such rows.
    static boolean isWrite(Program program) {
        if (program.kind() != Program.Kind.WRITE) {
            return false;
        }
        var walk = new LightWork();
        for (Program.Step step : program.steps()) {
            if (!(step instanceof DataSteps.Write write && walk.isLightWrite(write))) {
                return false;
            }
        }
        return true;
    }

    private boolean isLightWrite(DataSteps.Write write) {
        boolean blind =
                switch (write.mode()) {
                    case UPSERT, REPLACE, ERASE -> true;
                    case INSERT, INSERT_OR_REVERT, INSERT_OR_IGNORE, UPDATE, CHANGE -> false;
                };
        return blind
                && write.priors().isEmpty()
                && write.indexes().isEmpty()
                && write.freshColumns().isEmpty()
                && write.returning().isEmpty()
                && !takesNumbers(write)
                && isLight(write.source());
    }

    /// Whether a column that is not given may take its values from a sequence.
    private static boolean takesNumbers(DataSteps.Write write) {
        return (write.keys().contains(-1) || write.values().contains(-1))
                && write.table().columns().stream()
                        .anyMatch(
                                column ->
                                        column.preset().orElse(null)
                                                instanceof Preset.FromSequence);
    }

    private boolean isLight(Program.Step step) {
        return switch (step) {
            case DataSteps.Select select -> select.priors().isEmpty() && isLight(select.rows());
            case DataSteps.Explained _ -> true;
            case Program.Step _ -> false;
        };
    }

    private boolean isLight(PlanNode node) {
        return switch (node) {
            case PlanNode.Once _ -> true;
            case PlanNode.Project(PlanNode input, List<Typed> values) ->
                    isLight(input) && areLight(values);
            case PlanNode.ConstantRows rows -> rows.rows().stream().allMatch(this::areLight);
            case PlanNode _ -> false;
        };
    }

    private boolean areLight(List<Typed> values) {
        return values.stream().allMatch(this::isLight);
    }

    private boolean isLight(Typed value) {
        if (--nodesLeft < 0) {
            return false;
        }
        return switch (value) {
            case Typed.Constant _, Typed.Input _, Typed.Parameter _ -> true;
            case Typed.Apply apply ->
                    OPERATORS.contains(apply.function().name()) && areLight(apply.arguments());
            case Typed.Compare compare -> isLight(compare.left()) && isLight(compare.right());
            case Typed.And and -> areLight(and.terms());
            case Typed.Or or -> areLight(or.terms());
            case Typed.Not not -> isLight(not.operand());
            case Typed.IsNull isNull -> isLight(isNull.operand());
            case Typed.Convert convert -> isLight(convert.operand());
            case Typed.Coalesce coalesce -> areLight(coalesce.arguments());
            case Typed.ItemsOf items -> areLight(items.items());
            case Typed.LambdaArgument _,
                    Typed.SubQueryResult _,
                    Typed.ApplyLambdas _,
                    Typed.In _,
                    Typed.Choose _,
                    Typed.ItemOf _ ->
                    false;
        };
    }
}
