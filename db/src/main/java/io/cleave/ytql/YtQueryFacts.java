package io.cleave.ytql;

import java.util.List;
import java.util.Optional;

/// What `explain_query` says about a query.
///
/// @param where the condition as YTsaurus prints it
/// @param isOrderedScan whether rows are read in key order, because of a LIMIT without ORDER BY
/// @param commonPrefix the number of key columns, if GROUP BY has all of them
/// @param joins the joins of tables, in groups that YTsaurus runs one after the other
/// @param subquery the query in FROM
public record YtQueryFacts(
        Optional<String> where,
        boolean isOrderedScan,
        Optional<Integer> commonPrefix,
        List<List<Join>> joins,
        Optional<YtQueryFacts> subquery) {
    public YtQueryFacts {
        joins = joins.stream().map(List::copyOf).toList();
    }

    /// How the rows of a joined table are found by its key.
    ///
    /// @param commonKeyPrefix how many of the first key columns of both tables are equal
    /// @param foreignKeyPrefix how many of the first key columns of the joined table have values
    public record Join(int commonKeyPrefix, int foreignKeyPrefix) {}
}
