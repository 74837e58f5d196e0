package io.cleave.ytql;

import io.cleave.ytql.YtExpression.Place;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A query as it was written.
///
/// @param items the values of the list; empty for `*`
/// @param aliases what the names after AS in the whole query mean
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

    /// Where rows come from.
    sealed interface Source {
        Optional<String> alias();
    }

    record TableName(Place at, String path, Optional<String> alias) implements Source {}

    record Nested(Place at, YtQuery query, Optional<String> alias) implements Source {}

    sealed interface Join {}

    /// `using` has columns, or `left` and `right` have the two sides of ON.
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
            boolean isLeft,
            List<YtExpression.Alias> arrays,
            Optional<List<YtExpression>> predicate)
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

    /// Whether a row with totals is added, and whether it counts groups that HAVING drops.
    enum Totals {
        NONE,
        BEFORE_HAVING,
        AFTER_HAVING
    }
}
