package io.cleave.ytql;

import java.util.Map;

/// The options of a query that its plan depends on. Two queries with equal texts and options have
/// the same plan.
///
/// @param syntaxVersion 1 or 2; in version 2 brackets are an index and not a quoted name
/// @param canonicalNulls whether a comparison with NULL is NULL, as in SQL
/// @param rangeExpansionLimit the number of key ranges that may be inferred
/// @param placeholders values of placeholders as texts of the language
public record YtQueryOptions(
        int syntaxVersion,
        boolean canonicalNulls,
        boolean allowFullScan,
        boolean allowJoinWithoutIndex,
        long rangeExpansionLimit,
        Map<String, String> placeholders) {
    public static final long DEFAULT_RANGE_EXPANSION_LIMIT = 200_000;

    public static final YtQueryOptions DEFAULT =
            new YtQueryOptions(1, false, true, false, DEFAULT_RANGE_EXPANSION_LIMIT, Map.of());

    public YtQueryOptions {
        placeholders = Map.copyOf(placeholders);
    }

    /// These options, with joins that scan allowed or not.
    public YtQueryOptions withJoinsWithoutIndex(boolean allowed) {
        return new YtQueryOptions(
                syntaxVersion,
                canonicalNulls,
                allowFullScan,
                allowed,
                rangeExpansionLimit,
                placeholders);
    }
}
