package io.cleave.ytql;

import java.util.HashMap;
import java.util.Map;

/// The options of a query that its plan depends on. Two queries with equal texts and options have
/// the same plan.
///
/// @param syntaxVersion 1 or 2; in version 2 brackets are an index and not a quoted name
/// @param canonicalNulls whether a comparison with NULL is NULL, as in SQL
/// @param rangeExpansionLimit the number of key ranges that may be inferred
/// @param placeholders what placeholders stand for
/// @param paths absolute paths of tables, by their paths in the text; needed only for links and
///   ids, because other paths are below the root
public record YtQueryOptions(
        int syntaxVersion,
        boolean canonicalNulls,
        boolean allowFullScan,
        boolean allowJoinWithoutIndex,
        long rangeExpansionLimit,
        Map<String, YtPlaceholder> placeholders,
        Map<String, String> paths) {
    public static final long DEFAULT_RANGE_EXPANSION_LIMIT = 200_000;

    public static final YtQueryOptions DEFAULT =
            new YtQueryOptions(
                    1, false, true, false, DEFAULT_RANGE_EXPANSION_LIMIT, Map.of(), Map.of());

    public YtQueryOptions {
        placeholders = Map.copyOf(placeholders);
        paths = Map.copyOf(paths);
    }

    /// These options, with one more path.
    public YtQueryOptions withPath(String written, String absolute) {
        Map<String, String> more = new HashMap<>(paths);
        more.put(written, absolute);
        return new YtQueryOptions(
                syntaxVersion,
                canonicalNulls,
                allowFullScan,
                allowJoinWithoutIndex,
                rangeExpansionLimit,
                placeholders,
                more);
    }
}
