package io.cleave.typed;

import io.cleave.base.Issue;
import io.cleave.value.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A whole query text with its names and types resolved. `slotCount` is the number of slots for
/// subquery results in all its statements. `resultRowsLimit` is the maximum number of rows returned
/// for each result; 0 means no limit. `rangeExpansionLimit` is roughly the maximum number of key
/// ranges of a read whose generated columns are inferred; at least 1.
public record AnalyzedText(
        List<TypedStatement> statements,
        Map<String, Type> parameters,
        Map<Long, Long> tableVersions,
        int slotCount,
        List<Issue> warnings,
        WarningPolicy warningPolicy,
        boolean choosesIndexes,
        Optional<String> asyncIndexTable,
        long resultRowsLimit,
        long rangeExpansionLimit) {
    /// The default of `rangeExpansionLimit`, as in YTsaurus.
    public static final long RANGE_EXPANSION_LIMIT = 200_000;

    public AnalyzedText {
        statements = List.copyOf(statements);
        parameters = Map.copyOf(parameters);
        tableVersions = Map.copyOf(tableVersions);
        warnings = List.copyOf(warnings);
    }

    /// A text with the default limit on key ranges.
    public AnalyzedText(
            List<TypedStatement> statements,
            Map<String, Type> parameters,
            Map<Long, Long> tableVersions,
            int slotCount,
            List<Issue> warnings,
            WarningPolicy warningPolicy,
            boolean choosesIndexes,
            Optional<String> asyncIndexTable,
            long resultRowsLimit) {
        this(
                statements,
                parameters,
                tableVersions,
                slotCount,
                warnings,
                warningPolicy,
                choosesIndexes,
                asyncIndexTable,
                resultRowsLimit,
                RANGE_EXPANSION_LIMIT);
    }
}
