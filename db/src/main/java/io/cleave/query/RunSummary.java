package io.cleave.query;

import io.cleave.base.Issue;

import java.util.List;

/// What is to be said of a run that succeeded, besides its rows.
public record RunSummary(
        Compiled compiled, List<Issue> issues, List<TableAccess> accesses, long micros) {
    public RunSummary {
        issues = List.copyOf(issues);
        accesses = List.copyOf(accesses);
    }
}
