package io.cleave.analysis;

import io.cleave.base.Issue;
import io.cleave.value.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A whole text with its names and types resolved. `slotCount` is how many subquery results its
/// statements have places for; `resultRowsLimit` how many rows of each result are wanted, 0 for
/// all.
public record AnalyzedText(
        List<TypedStatement> statements,
        Map<String, Type> parameters,
        Map<Long, Long> tableVersions,
        int slotCount,
        List<Issue> warnings,
        WarningPolicy warningPolicy,
        boolean choosesIndexes,
        Optional<String> asyncIndexTable,
        long resultRowsLimit) {
    public AnalyzedText {
        statements = List.copyOf(statements);
        parameters = Map.copyOf(parameters);
        tableVersions = Map.copyOf(tableVersions);
        warnings = List.copyOf(warnings);
    }
}
