package io.cleave.yql;

import io.cleave.base.Issue.Position;

import java.util.List;
import java.util.Optional;

/// An expression that returns rows: a SELECT, VALUES, or a combination of them.
public sealed interface Query {
    Position at();

    record Order(Expression key, boolean descending) {}

    record Limit(Optional<Expression> count, Optional<Expression> offset) {
        public static final Limit NONE = new Limit(Optional.empty(), Optional.empty());
    }

    record GroupKey(Expression key, Optional<String> alias) implements Grouping {}

    /// One element of GROUP BY. Each element stands for one or more sets of keys. Several elements
    /// are combined: each set of one with each set of the others.
    sealed interface Grouping {
        /// The sets of all keys, of all but the last, and so on down to the empty set.
        record Rollup(List<GroupKey> keys) implements Grouping {
            public Rollup {
                keys = List.copyOf(keys);
            }
        }

        /// The set of every subset of the keys.
        record Cube(Position at, List<GroupKey> keys) implements Grouping {
            public Cube {
                keys = List.copyOf(keys);
            }
        }

        /// One set with these keys: a list in parentheses within [Sets].
        record Keys(List<GroupKey> keys) implements Grouping {
            public Keys {
                keys = List.copyOf(keys);
            }
        }

        /// The sets of all elements, one after the other.
        record Sets(List<Grouping> elements) implements Grouping {
            public Sets {
                elements = List.copyOf(elements);
            }
        }
    }

    /// `WINDOW name AS (…)`.
    record NamedWindow(Position at, String name, Expression.Window window) {}

    record Select(
            Position at,
            boolean distinct,
            List<Item> items,
            Optional<Without> without,
            Optional<Source> from,
            Optional<Expression> where,
            List<Grouping> groupBy,
            Optional<Expression> having,
            List<NamedWindow> windows,
            List<Order> orderBy,
            Limit limit)
            implements Query {
        public Select {
            items = List.copyOf(items);
            groupBy = List.copyOf(groupBy);
            windows = List.copyOf(windows);
            orderBy = List.copyOf(orderBy);
        }

        /// `SELECT item FROM source`.
        static Select of(Position at, Item item, Source source) {
            return new Select(
                    at,
                    false,
                    List.of(item),
                    Optional.empty(),
                    Optional.of(source),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    Limit.NONE);
        }

        /// This query with another order and other limits.
        Select ordered(List<Order> orders, Limit bounds) {
            return new Select(
                    at, distinct, items, without, from, where, groupBy, having, windows, orders,
                    bounds);
        }
    }

    /// `WITHOUT [IF EXISTS] columns`.
    record Without(List<WithoutColumn> columns, boolean ifExists) {
        public Without {
            columns = List.copyOf(columns);
        }
    }

    record WithoutColumn(Position at, Optional<String> source, String name) {
        public String text() {
            return source.map(from -> from + ".").orElse("") + name;
        }
    }

    /// `WITH name (columns) AS (query), … query`. The names stand for tables in the final query,
    /// and in the queries after their own definition.
    record With(Position at, List<CommonTable> tables, Query query) implements Query {
        public With {
            tables = List.copyOf(tables);
        }
    }

    record CommonTable(Position at, String name, List<String> columns, Query query) {
        public CommonTable {
            columns = List.copyOf(columns);
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
        INTERSECT_ALL,
        EXCEPT,
        EXCEPT_ALL;

        @Override
        public String toString() {
            return name().replace('_', ' ');
        }
    }

    /// ORDER BY and LIMIT after the last branch apply to the whole.
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

    /// A source of rows after FROM.
    sealed interface Source {
        Position at();

        /// `table [VIEW index] [AS alias]`.
        record Named(Position at, TableName table, Optional<String> view, Optional<String> alias)
                implements Source {}

        /// `AS_TABLE($rows)`.
        record FromList(Position at, Expression rows, Optional<String> alias) implements Source {}

        /// `(SELECT …)`, `(VALUES …)` or `$subquery`, which is a [NamedQuery].
        record FromQuery(Position at, Query query, Optional<String> alias) implements Source {}

        record NamedQuery(Position at, String name, Optional<String> alias) implements Source {}

        /// `source WITH hint`; `hint` is the first one. Hints have no effect on a table, and are an
        /// error for any other source.
        record Hinted(Position at, String hint, Source source) implements Source {}

        /// `$subquery(arguments)`.
        record CalledQuery(
                Position at, String name, List<Expression> arguments, Optional<String> alias)
                implements Source {
            public CalledQuery {
                arguments = List.copyOf(arguments);
            }
        }

        /// `source AS alias (columns)`: the source with renamed columns.
        record Renamed(Position at, Source source, List<String> columns) implements Source {
            public Renamed {
                columns = List.copyOf(columns);
            }
        }

        /// A random sample: each row is kept with a probability of `percent`.
        record Sampled(Position at, Source source, Expression percent) implements Source {}

        enum FlattenKind {
            AUTO,
            LIST,
            DICT,
            OPTIONAL
        }

        /// `source FLATTEN BY (value AS name, …)`: one row for each item of the containers.
        record Flattened(
                Position at, Source source, FlattenKind kind, List<Expression.Argument> values)
                implements Source {
            public Flattened {
                values = List.copyOf(values);
            }
        }

        /// `source FLATTEN COLUMNS`: the members of the structs in its columns.
        record FlattenedColumns(Position at, Source source) implements Source {}

        /// `ANY source`: a side of a join that contributes at most one row for each key.
        record Any(Position at, Source source) implements Source {}

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
