package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Query.JoinCondition;
import io.cleave.yql.Query.JoinKind;
import io.cleave.yql.Query.Source;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/// What stands behind FROM.
final class SourceBuilder {
    private final ExpressionBuilder expressions;
    private final QueryBuilder queries;

    SourceBuilder(ExpressionBuilder expressions, QueryBuilder queries) {
        this.expressions = expressions;
        this.queries = queries;
    }

    Source source(Yql.SourceContext context) {
        List<Yql.JoinContext> joins = context.join();
        expressions.enter(joins.size(), context);
        Source result = term(context.sourceTerm());
        for (Yql.JoinContext join : joins) {
            result =
                    new Source.Joined(
                            Places.at(join),
                            kind(join),
                            result,
                            term(join.sourceTerm()),
                            condition(join));
        }
        expressions.leave(joins.size());
        return result;
    }

    private static JoinKind kind(Yql.JoinContext join) {
        Yql.JoinKindContext kind = join.joinKind();
        if (join.JOIN() == null) {
            return JoinKind.CROSS;
        } else if (kind == null) {
            return JoinKind.INNER;
        }
        boolean left = kind.LEFT() != null;
        return switch (kind.stop.getType()) {
            case Yql.INNER -> JoinKind.INNER;
            case Yql.CROSS -> JoinKind.CROSS;
            case Yql.EXCLUSION -> JoinKind.EXCLUSION;
            case Yql.FULL -> JoinKind.FULL;
            case Yql.SEMI -> left ? JoinKind.LEFT_SEMI : JoinKind.RIGHT_SEMI;
            case Yql.ONLY -> left ? JoinKind.LEFT_ONLY : JoinKind.RIGHT_ONLY;
            default -> {
                if (kind.FULL() != null) {
                    yield JoinKind.FULL;
                }
                yield left ? JoinKind.LEFT : JoinKind.RIGHT;
            }
        };
    }

    private JoinCondition condition(Yql.JoinContext join) {
        if (join.expression() != null) {
            return new JoinCondition.On(expressions.expression(join.expression()));
        } else if (join.columnNames() != null) {
            return new JoinCondition.Using(
                    join.columnNames().identifier().stream().map(Names::of).toList());
        } else if (join.identifier() != null) {
            return new JoinCondition.Using(List.of(Names.of(join.identifier())));
        }
        return new JoinCondition.None();
    }

    private Source term(Yql.SourceTermContext context) {
        Position at = Places.at(context);
        if (context.ANY() != null) {
            throw Places.unsupported(at, "JOIN ANY");
        } else if (context.source() != null) {
            return source(context.source());
        }
        Optional<String> alias =
                context.implicitName() != null
                        ? Optional.of(Names.of(context.implicitName()))
                        : name(context.identifier());
        if (context.querySource() != null) {
            Query query = queries.query(context.querySource().query());
            return new Source.FromQuery(at, query, alias);
        } else if (context.listSource() != null) {
            return list(at, context.listSource(), alias);
        }
        return table(at, context.tableSource(), alias);
    }

    private static Source table(
            Position at, Yql.TableSourceContext context, Optional<String> alias) {
        TableName table = Names.table(context.tableName());
        // VIEW PRIMARY KEY asks for the table itself, which is what a table without a view is.
        Optional<String> view =
                context.PRIMARY() != null ? Optional.empty() : name(context.identifier());
        return table.named() && view.isEmpty()
                ? new Source.NamedQuery(at, table.text(), alias)
                : new Source.Named(at, table, view, alias);
    }

    private Source list(Position at, Yql.ListSourceContext context, Optional<String> alias) {
        String function = Names.of(context.identifier());
        if (!function.equalsIgnoreCase("AS_TABLE")) {
            throw Places.unsupported(at, "FROM " + function);
        } else if (context.expression().size() != 1) {
            throw Places.error(at, "AS_TABLE has one argument, a list of structures");
        }
        return new Source.FromList(
                at, expressions.expression(context.expression().getFirst()), alias);
    }

    static Optional<String> name(Yql.@Nullable IdentifierContext context) {
        return context == null ? Optional.empty() : Optional.of(Names.of(context));
    }
}
