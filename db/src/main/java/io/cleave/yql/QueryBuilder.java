package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Query.Combined;
import io.cleave.yql.Query.Limit;
import io.cleave.yql.Query.Order;
import io.cleave.yql.Query.Select;
import io.cleave.yql.Query.SetOperator;

import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds SELECT, VALUES and their combinations. [SourceBuilder] builds what they read from.
final class QueryBuilder {
    private final ExpressionBuilder expressions;
    private final SourceBuilder sources;
    private final GroupingBuilder groupings;
    private final WindowBuilder windows;

    QueryBuilder(ExpressionBuilder expressions) {
        this.expressions = expressions;
        this.sources = new SourceBuilder(expressions, this);
        this.groupings = new GroupingBuilder(expressions);
        this.windows = new WindowBuilder(expressions, this);
    }

    Query query(Yql.QueryContext context) {
        return withTables(
                context,
                context.with(),
                combined(
                        term(context.queryTerm()),
                        context.combination(),
                        context.orderBy(),
                        context.limit()));
    }

    private Query withTables(
            ParserRuleContext context, Yql.@Nullable WithContext with, Query body) {
        List<Query.CommonTable> tables = commonTables(with);
        return tables.isEmpty() ? body : new Query.With(Places.at(context), tables, body);
    }

    private List<Query.CommonTable> commonTables(Yql.@Nullable WithContext context) {
        List<Query.CommonTable> tables = new ArrayList<>();
        if (context != null) {
            if (context.NAME() != null) {
                throw Places.unsupported(Places.at(context), "WITH " + context.NAME().getText());
            }
            for (Yql.CommonTableContext table : context.commonTable()) {
                tables.add(
                        new Query.CommonTable(
                                Places.at(table),
                                Names.of(table.identifier()),
                                SourceBuilder.columns(table.columnNames()),
                                query(table.query())));
            }
        }
        return tables;
    }

    Query query(Yql.BareQueryContext context) {
        Query first =
                context.queryTerm() != null
                        ? term(context.queryTerm())
                        : context.select() != null
                                ? select(context.select())
                                : values(context.values());
        return withTables(
                context,
                context.with(),
                combined(first, context.combination(), context.orderBy(), context.limit()));
    }

    private Query term(Yql.QueryTermContext context) {
        if (context.select() != null) {
            return select(context.select());
        } else if (context.values() != null) {
            return values(context.values());
        }
        return query(context.query());
    }

    /// INTERSECT binds more tightly than UNION and EXCEPT, which are left-associative.
    Query combined(
            Query first,
            List<Yql.CombinationContext> rest,
            Yql.@Nullable OrderByContext orderBy,
            Yql.@Nullable LimitContext limit) {
        List<Order> orders = orders(orderBy);
        Limit bounds = limit(limit);
        boolean ordered = !orders.isEmpty() || !bounds.equals(Limit.NONE);
        if (rest.isEmpty()) {
            return ordered ? ordered(first, orders, bounds) : first;
        }
        expressions.enter(rest.size(), rest.getFirst());
        List<Query> terms = new ArrayList<>(List.of(first));
        List<Yql.CombinationContext> operators = new ArrayList<>();
        for (Yql.CombinationContext combination : rest) {
            Query right = term(combination.queryTerm());
            if (combination.INTERSECT() != null) {
                terms.set(terms.size() - 1, pair(terms.getLast(), combination, right));
            } else {
                terms.add(right);
                operators.add(combination);
            }
        }
        Query result = terms.getFirst();
        for (int index = 0; index < operators.size(); index++) {
            result = pair(result, operators.get(index), terms.get(index + 1));
        }
        expressions.leave(rest.size());
        return ordered ? ordered(result, orders, bounds) : result;
    }

    private static Query pair(Query left, Yql.CombinationContext combination, Query right) {
        SetOperator operator = operator(combination);
        Position at = Places.at(combination);
        return new Combined(at, operator, left, right, List.of(), Limit.NONE);
    }

    private static SetOperator operator(Yql.CombinationContext combination) {
        if (combination.UNION() != null) {
            return combination.ALL() != null ? SetOperator.UNION_ALL : SetOperator.UNION;
        }
        if (combination.INTERSECT() != null) {
            return combination.ALL() != null ? SetOperator.INTERSECT_ALL : SetOperator.INTERSECT;
        }
        return combination.ALL() != null ? SetOperator.EXCEPT_ALL : SetOperator.EXCEPT;
    }

    /// Adds an order and limits. A query that already has its own becomes a subquery first.
    private static Query ordered(Query query, List<Order> orders, Limit limit) {
        return switch (query) {
            case Select s when s.orderBy().isEmpty() && s.limit().equals(Limit.NONE) ->
                    s.ordered(orders, limit);
            case Combined c when c.orderBy().isEmpty() && c.limit().equals(Limit.NONE) ->
                    new Combined(c.at(), c.operator(), c.left(), c.right(), orders, limit);
            case Query q ->
                    Select.of(
                                    q.at(),
                                    new Query.Item.Star(q.at(), Optional.empty()),
                                    new Query.Source.FromQuery(q.at(), q, Optional.empty()))
                            .ordered(orders, limit);
        };
    }

    private Query values(Yql.ValuesContext context) {
        List<List<Expression>> rows = new ArrayList<>();
        for (Yql.RowContext row : context.row()) {
            rows.add(expressions.expressions(row.expression()));
        }
        return new Query.Values(Places.at(context), rows);
    }

    private Query select(Yql.SelectContext context) {
        Position at = Places.at(context);
        if (context.first != null && context.from != null) {
            throw Places.error(Places.at(context.from), "Only one FROM clause is allowed");
        }
        List<Query.Item> items = context.item().stream().map(this::item).toList();
        Yql.SourceContext from = context.first != null ? context.first : context.from;
        return new Select(
                at,
                context.DISTINCT() != null,
                items,
                without(context.without()),
                from == null ? Optional.empty() : Optional.of(sources.source(from)),
                where(context.where()),
                groupings.of(context.groupBy()),
                context.having() == null
                        ? Optional.empty()
                        : Optional.of(expressions.expression(context.having().expression())),
                windows(context.namedWindows()),
                List.of(),
                Limit.NONE);
    }

    private Query.Item item(Yql.ItemContext context) {
        if (context.STAR() != null) {
            return new Query.Item.Star(
                    Places.at(context), SourceBuilder.name(context.identifier()));
        }
        Optional<String> alias =
                context.implicitName() != null
                        ? Optional.of(Names.of(context.implicitName()))
                        : SourceBuilder.name(context.anyName());
        return new Query.Item.Column(expressions.expression(context.expression()), alias);
    }

    private static Optional<Query.Without> without(Yql.@Nullable WithoutContext context) {
        if (context == null) {
            return Optional.empty();
        }
        List<Query.WithoutColumn> columns = new ArrayList<>();
        for (Yql.WithoutColumnContext column : context.withoutColumn()) {
            List<String> names = column.identifier().stream().map(Names::of).toList();
            columns.add(
                    new Query.WithoutColumn(
                            Places.at(column),
                            names.size() == 1 ? Optional.empty() : Optional.of(names.getFirst()),
                            names.getLast()));
        }
        return Optional.of(new Query.Without(columns, context.EXISTS() != null));
    }

    Optional<Expression> where(Yql.@Nullable WhereContext context) {
        return context == null
                ? Optional.empty()
                : Optional.of(expressions.expression(context.expression()));
    }

    private List<Query.NamedWindow> windows(Yql.@Nullable NamedWindowsContext context) {
        List<Query.NamedWindow> named = new ArrayList<>();
        if (context != null) {
            for (Yql.NamedWindowContext window : context.namedWindow()) {
                named.add(
                        new Query.NamedWindow(
                                Places.at(window),
                                Names.of(window.identifier()),
                                windows.window(window.windowOf(), false)));
            }
        }
        return named;
    }

    List<Order> orders(Yql.@Nullable OrderByContext context) {
        List<Order> orders = new ArrayList<>();
        if (context != null) {
            for (Yql.OrderKeyContext key : context.orderKey()) {
                orders.add(new Order(expressions.expression(key.expression()), key.DESC() != null));
            }
        }
        return orders;
    }

    /// `LIMIT count OFFSET offset`, or `LIMIT offset, count`.
    private Limit limit(Yql.@Nullable LimitContext context) {
        if (context == null) {
            return Limit.NONE;
        }
        List<Expression> numbers = expressions.expressions(context.expression());
        if (numbers.size() == 1) {
            return new Limit(Optional.of(numbers.getFirst()), Optional.empty());
        }
        return context.COMMA() != null
                ? new Limit(Optional.of(numbers.getLast()), Optional.of(numbers.getFirst()))
                : new Limit(Optional.of(numbers.getFirst()), Optional.of(numbers.getLast()));
    }
}
