package io.cleave.query;

import io.cleave.function.call.Dialect;
import io.cleave.plan.PlanRules;

/// The options of a compilation: the database that relative paths begin at, the dialect of the
/// service, and the rules of the planner.
public record CompileOptions(String database, Dialect dialect, PlanRules rules) {
    public CompileOptions(String database, Dialect dialect) {
        this(database, dialect, PlanRules.ALL);
    }
}
