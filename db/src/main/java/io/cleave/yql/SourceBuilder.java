package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.value.Type;
import io.cleave.value.Value;
import io.cleave.yql.Query.JoinCondition;
import io.cleave.yql.Query.JoinKind;
import io.cleave.yql.Query.Source;
import io.cleave.yql.Query.Source.FlattenKind;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Builds the sources after FROM.
final class SourceBuilder {
    private final ExpressionBuilder expressions;
    private final QueryBuilder queries;

    /// Levels of a join. It counts more than an operator, because planning and running it recurse
    /// deeper.
    private static final int JOIN_LINKS = 3;

    SourceBuilder(ExpressionBuilder expressions, QueryBuilder queries) {
        this.expressions = expressions;
        this.queries = queries;
    }

    Source source(Yql.SourceContext context) {
        List<Yql.JoinContext> joins = context.join();
        expressions.enter(JOIN_LINKS * joins.size(), context);
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
        expressions.leave(JOIN_LINKS * joins.size());
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
                    join.columnNames().anyName().stream().map(Names::of).toList());
        } else if (join.identifier() != null) {
            return new JoinCondition.Using(List.of(Names.of(join.identifier())));
        }
        return new JoinCondition.None();
    }

    private Source term(Yql.SourceTermContext context) {
        Position at = Places.at(context);
        Source source = context.source() != null ? source(context.source()) : plain(at, context);
        return context.ANY() != null ? new Source.Any(at, source) : source;
    }

    private Source plain(Position at, Yql.SourceTermContext context) {
        Source source = Hints.of(context.hints(), named(at, context));
        if (context.columnNames() != null) {
            source = new Source.Renamed(at, source, columns(context.columnNames()));
        }
        if (context.sample() != null) {
            source = sampled(source, context.sample());
        }
        return context.flatten() == null ? source : flattened(source, context.flatten());
    }

    private Source named(Position at, Yql.SourceTermContext context) {
        Optional<String> alias =
                context.implicitName() != null
                        ? Optional.of(Names.of(context.implicitName()))
                        : name(context.anyName());
        if (context.querySource() != null) {
            Query query = queries.query(context.querySource().query());
            return new Source.FromQuery(at, query, alias);
        } else if (context.listSource() != null) {
            return list(at, context.listSource(), alias);
        }
        return table(at, context.tableSource(), alias);
    }

    /// `SAMPLE 0.1` is a fraction, `TABLESAMPLE BERNOULLI(10)` a percentage.
    private Source sampled(Source source, Yql.SampleContext context) {
        Position at = Places.at(context);
        Expression part = expressions.expression(context.expression().getFirst());
        if (context.SAMPLE() != null) {
            var hundred = new Expression.Literal(at, Type.Primitive.DOUBLE, Value.of(100.0));
            var percent =
                    new Expression.Binary(at, Expression.BinaryOperator.MULTIPLY, part, hundred);
            return new Source.Sampled(at, source, percent);
        }
        String method = Names.of(context.identifier());
        if (!method.equalsIgnoreCase("BERNOULLI")) {
            throw Places.unsupported(at, "TABLESAMPLE " + method);
        } else if (context.NAME() != null) {
            throw Places.unsupported(at, "TABLESAMPLE with " + context.NAME().getText());
        }
        return new Source.Sampled(at, source, part);
    }

    private Source flattened(Source source, Yql.FlattenContext context) {
        Position at = Places.at(context);
        String word =
                context.NAME() == null ? "" : context.NAME().getText().toUpperCase(Locale.ROOT);
        if (context.BY() == null) {
            if (!word.equals("COLUMNS")) {
                throw Places.error(at, "Expected COLUMNS or BY behind FLATTEN");
            }
            return new Source.FlattenedColumns(at, source);
        }
        FlattenKind kind =
                switch (word) {
                    case "" -> FlattenKind.AUTO;
                    case "LIST" -> FlattenKind.LIST;
                    case "DICT" -> FlattenKind.DICT;
                    case "OPTIONAL" -> FlattenKind.OPTIONAL;
                    default -> throw Places.error(at, "Expected FLATTEN LIST, DICT or OPTIONAL");
                };
        return new Source.Flattened(at, source, kind, values(context.flattened()));
    }

    private List<Expression.Argument> values(Yql.FlattenedContext context) {
        if (context.LEFT_PAREN() != null) {
            return context.argument().stream().map(expressions.operands()::argument).toList();
        }
        List<String> names = context.identifier().stream().map(Names::of).toList();
        boolean qualified = context.DOT() != null;
        var column =
                new Expression.ColumnName(
                        Places.at(context),
                        qualified ? Optional.of(names.getFirst()) : Optional.empty(),
                        names.get(qualified ? 1 : 0));
        return List.of(new Expression.Argument(name(context.anyName()), column));
    }

    static List<String> columns(Yql.@Nullable ColumnNamesContext names) {
        return names == null ? List.of() : names.anyName().stream().map(Names::of).toList();
    }

    private static Source table(
            Position at, Yql.TableSourceContext context, Optional<String> alias) {
        TableName table = Names.table(context.tableName());
        // VIEW PRIMARY KEY means the table itself, which is the default.
        Optional<String> view =
                context.PRIMARY() != null ? Optional.empty() : name(context.identifier());
        return table.named() && view.isEmpty()
                ? new Source.NamedQuery(at, table.text(), alias)
                : new Source.Named(at, table, view, alias);
    }

    private Source list(Position at, Yql.ListSourceContext context, Optional<String> alias) {
        if (context.NAMED_VALUE() != null) {
            return new Source.CalledQuery(
                    at,
                    Names.value(context.start),
                    expressions.expressions(context.expression()),
                    alias);
        }
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

    static Optional<String> name(Yql.@Nullable AnyNameContext context) {
        return context == null ? Optional.empty() : Optional.of(Names.of(context));
    }
}
