package io.cleave.yql;

import io.cleave.base.Issue.Position;

import java.util.List;
import java.util.Optional;

/// What yields rows: a SELECT, VALUES, or a combination of them.
public sealed interface Query {
    Position at();

    record Order(Expression key, boolean descending) {}

    record Limit(Optional<Expression> count, Optional<Expression> offset) {
        public static final Limit NONE = new Limit(Optional.empty(), Optional.empty());
    }

    record GroupKey(Expression key, Optional<String> alias) {}

    record Select(
            Position at,
            boolean distinct,
            List<Item> items,
            List<String> without,
            Optional<Source> from,
            Optional<Expression> where,
            List<GroupKey> groupBy,
            Optional<Expression> having,
            List<Order> orderBy,
            Limit limit)
            implements Query {
        public Select {
            items = List.copyOf(items);
            without = List.copyOf(without);
            groupBy = List.copyOf(groupBy);
            orderBy = List.copyOf(orderBy);
        }
    }

    /// `VALUES (…), (…)`.
    record Values(Position at, List<List<Expression>> rows) implements Query {
        public Values {
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    enum SetOperator {
        UNION,
        UNION_ALL,
        INTERSECT,
        EXCEPT
    }

    /// ORDER BY and LIMIT behind the last branch belong to the whole.
    record Combined(
            Position at,
            SetOperator operator,
            Query left,
            Query right,
            List<Order> orderBy,
            Limit limit)
            implements Query {
        public Combined {
            orderBy = List.copyOf(orderBy);
        }
    }

    /// One item of a SELECT list.
    sealed interface Item {
        record Column(Expression value, Optional<String> alias) implements Item {}

        /// `*` or `source.*`.
        record Star(Position at, Optional<String> source) implements Item {}
    }

    /// What stands behind FROM.
    sealed interface Source {
        Position at();

        /// `table [VIEW index] [AS alias]`.
        record Named(Position at, TableName table, Optional<String> view, Optional<String> alias)
                implements Source {}

        /// `AS_TABLE($rows)`.
        record FromList(Position at, Expression rows, Optional<String> alias) implements Source {}

        /// `(SELECT …)`, `(VALUES …)` or `$subquery`, which arrives as a [NamedQuery].
        record FromQuery(Position at, Query query, Optional<String> alias) implements Source {}

        record NamedQuery(Position at, String name, Optional<String> alias) implements Source {}

        record Joined(
                Position at, JoinKind kind, Source left, Source right, JoinCondition condition)
                implements Source {}
    }

    enum JoinKind {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        CROSS,
        LEFT_SEMI,
        RIGHT_SEMI,
        LEFT_ONLY,
        RIGHT_ONLY,
        EXCLUSION
    }

    sealed interface JoinCondition {
        record None() implements JoinCondition {}

        record On(Expression predicate) implements JoinCondition {}

        record Using(List<String> columns) implements JoinCondition {
            public Using {
                columns = List.copyOf(columns);
            }
        }
    }
}
