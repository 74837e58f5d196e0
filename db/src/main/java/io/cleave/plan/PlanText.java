package io.cleave.plan;

import io.cleave.plan.Program.Step;
import io.cleave.schema.Tables;

import java.util.List;

/// Programs as text, for EXPLAIN.
public final class PlanText {
    private final Tables tables;

    public PlanText(Tables tables) {
        this.tables = tables;
    }

    public String tree(Program program) {
        return tree(program.steps());
    }

    String tree(List<Step> steps) {
        return new PlanTree(tables).text(steps);
    }

    public String json(Program program) {
        return new PlanJson(tables).text(program.steps());
    }
}
