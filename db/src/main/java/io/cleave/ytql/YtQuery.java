package io.cleave.ytql;

import io.cleave.ytql.YtExpression.Place;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A query as it was written.
///
/// @param items the values of the SELECT list; empty for `*`
/// @param aliases the expressions of all names after AS, in the whole query
record YtQuery(
        Optional<List<YtExpression>> items,
        Source source,
        Optional<TableName> index,
        List<Join> joins,
        Optional<List<YtExpression>> where,
        Optional<List<YtExpression>> groupBy,
        Totals totals,
        Optional<List<YtExpression>> having,
        List<Order> orderBy,
        Optional<Long> offset,
        Optional<Long> limit,
        Map<String, YtExpression> aliases) {
    YtQuery {
        items = items.map(List::copyOf);
        joins = List.copyOf(joins);
        where = where.map(List::copyOf);
        groupBy = groupBy.map(List::copyOf);
        having = having.map(List::copyOf);
        orderBy = List.copyOf(orderBy);
        aliases = new LinkedHashMap<>(aliases);
    }

    /// The source of the rows.
    sealed interface Source {
        Optional<String> alias();
    }

    record TableName(Place at, String path, Optional<String> alias) implements Source {}

    record Nested(Place at, YtQuery query, Optional<String> alias) implements Source {}

    sealed interface Join {}

    /// Either `using` has the columns of USING, or `left` and `right` have the two sides of ON.
    record TableJoin(
            boolean isLeft,
            TableName table,
            List<YtExpression.Reference> using,
            List<YtExpression> left,
            List<YtExpression> right,
            Optional<List<YtExpression>> predicate)
            implements Join {
        TableJoin {
            using = List.copyOf(using);
            left = List.copyOf(left);
            right = List.copyOf(right);
            predicate = predicate.map(List::copyOf);
        }
    }

    record ArrayJoin(
            boolean isLeft, List<YtExpression.Alias> arrays, Optional<List<YtExpression>> predicate)
            implements Join {
        ArrayJoin {
            arrays = List.copyOf(arrays);
            predicate = predicate.map(List::copyOf);
        }
    }

    record Order(List<YtExpression> keys, boolean descending) {
        Order {
            keys = List.copyOf(keys);
        }
    }

    /// Whether a row with totals is added, and whether it includes groups that HAVING drops.
    enum Totals {
        NONE,
        BEFORE_HAVING,
        AFTER_HAVING
    }
}
