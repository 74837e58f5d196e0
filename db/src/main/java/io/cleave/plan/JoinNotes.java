package io.cleave.plan;

import io.cleave.schema.Column;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// How the joins of a query find their rows, in sentences. The innermost join comes first.
public final class JoinNotes {
    private JoinNotes() {}

    public static List<String> of(Program program) {
        List<String> notes = new ArrayList<>();
        for (Program.Step step : program.steps()) {
            if (step instanceof DataSteps.Select select) {
                add(select.rows(), notes);
            }
        }
        return notes;
    }

    private static void add(PlanNode node, List<String> notes) {
        Nodes.inputs(node).forEach(input -> add(input, notes));
        switch (node) {
            case PlanNode.LookupJoin join ->
                    notes.add(
                            "rows of %s are looked up by %s"
                                    .formatted(join.table().path(), keys(join)));
            case PlanNode.HashJoin _ -> notes.add("both sides of a join are read, and hashed");
            case PlanNode.MergeJoin _ -> notes.add("both sides of a join are read, and merged");
            default -> {}
        }
    }

    private static String keys(PlanNode.LookupJoin join) {
        return join.table().key().stream()
                .limit(join.keys().size())
                .map(Column::name)
                .collect(Collectors.joining(", "));
    }
}
