package io.cleave.plan;

import io.cleave.plan.Program.Step;
import io.cleave.schema.Tables;

import java.util.List;
import java.util.stream.Collectors;

/// Prints programs as text, for EXPLAIN.
public final class PlanText {
    private final Tables tables;

    public PlanText(Tables tables) {
        this.tables = tables;
    }

    public String tree(Program program) {
        return treeOf(program.steps());
    }

    String treeOf(List<Step> steps) {
        return new PlanTree(tables).text(steps);
    }

    /// The plans of programs that run one after the other.
    public String tree(List<Program> programs) {
        return programs.stream().map(this::tree).collect(Collectors.joining());
    }

    public String json(Program program) {
        return json(List.of(program));
    }

    public String json(List<Program> programs) {
        return new PlanJson(tables).text(programs.stream().map(Program::steps).toList());
    }
}
