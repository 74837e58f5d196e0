package io.cleave.query;

import io.cleave.plan.PlanText;

/// What a compiled text would do: for programs as JSON, for people as a tree.
public record Explanation(String json, String tree) {
    public static Explanation of(Compiled compiled) {
        return new Explanation(
                PlanText.json(compiled.program()), PlanText.tree(compiled.program()));
    }
}
