package io.cleave.query;

import io.cleave.function.call.Dialect;
import io.cleave.plan.PlanRules;
import io.cleave.ytql.YtQueryOptions;

import java.util.Optional;

/// The options of a compilation: the database that relative paths begin at, the dialect of the
/// service, and the rules of the planner.
///
/// @param yt present if the text is of YTsaurus' language; the dialect then means nothing
public record CompileOptions(
        String database, Dialect dialect, PlanRules rules, Optional<YtQueryOptions> yt) {
    public CompileOptions(String database, Dialect dialect) {
        this(database, dialect, PlanRules.ALL);
    }

    public CompileOptions(String database, Dialect dialect, PlanRules rules) {
        this(database, dialect, rules, Optional.empty());
    }

    /// Options for a text of YTsaurus' language.
    public static CompileOptions ofYt(String database, YtQueryOptions options, PlanRules rules) {
        return new CompileOptions(database, Dialect.QUERY_SERVICE, rules, Optional.of(options));
    }
}
