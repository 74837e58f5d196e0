package io.cleave.plan;

import io.cleave.analysis.Dialect;

/// What a text is compiled for: the database that relative paths begin at, the service whose
/// reading of the language holds, and the rules that plans are made by.
public record CompileOptions(String database, Dialect dialect, PlanRules rules) {
    public CompileOptions(String database, Dialect dialect) {
        this(database, dialect, PlanRules.ALL);
    }
}
