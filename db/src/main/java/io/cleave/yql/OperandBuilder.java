package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.Type;
import io.cleave.yql.Expression.Argument;
import io.cleave.yql.Expression.Call;
import io.cleave.yql.Expression.ColumnName;
import io.cleave.yql.Expression.Literal;
import io.cleave.yql.Expression.NamedValue;
import io.cleave.yql.Expression.SubQuery;
import io.cleave.yql.Expression.TupleOf;
import io.cleave.yql.Expression.TypeName;
import io.cleave.yql.Expression.Window;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Builds the operands of operators: literals, names, calls, containers, and everything in
/// brackets.
final class OperandBuilder {
    /// Functions with a type among their arguments. In these, a bare word such as `Int32` is a
    /// type. In all other places it is a column.
    private static final Set<String> TAKE_TYPES =
            TypeCalls.and(
                    "nothing",
                    "listcreate",
                    "setcreate",
                    "dictcreate",
                    "variant",
                    "enum",
                    "formattype",
                    "typehandle",
                    "instanceof",
                    "frombytes",
                    "unpickle",
                    "ensuretype",
                    "ensureconvertibleto");

    private final ExpressionBuilder expressions;
    private final QueryBuilder queries;
    private final WindowBuilder windows;

    /// Whether a string without a suffix is Utf8. Applies to the statements from here on.
    private boolean unicodeLiterals;

    OperandBuilder(ExpressionBuilder expressions) {
        this.expressions = expressions;
        this.queries = new QueryBuilder(expressions);
        this.windows = new WindowBuilder(expressions, queries);
    }

    QueryBuilder queries() {
        return queries;
    }

    boolean unicodeLiterals() {
        return unicodeLiterals;
    }

    void setUnicodeLiterals(boolean unicode) {
        unicodeLiterals = unicode;
    }

    Expression postfix(Yql.PostfixContext context) {
        if (context.getChildCount() == 1) {
            return primary(context.primary());
        }
        List<Yql.SuffixContext> suffixes = context.suffix();
        expressions.enter(suffixes.size(), context);
        Expression result;
        int from = 0;
        if (context.primary() instanceof Yql.NamePrimaryContext name) {
            Yql.SuffixContext first = suffixes.getFirst();
            from = 1;
            if (first.call() != null) {
                result = call(name, first.call());
            } else if (name.NAMESPACE() == null && first.DOT() != null) {
                result = member(name, first);
            } else {
                from = 0;
                result = primary(name);
            }
        } else if (context.primary() instanceof Yql.NamedPrimaryContext named
                && suffixes.getFirst().call() != null) {
            from = 1;
            String function = Names.value(named.start);
            result = call(Places.at(named), Optional.empty(), function, suffixes.getFirst().call());
        } else {
            result = primary(context.primary());
        }
        for (Yql.SuffixContext suffix : suffixes.subList(from, suffixes.size())) {
            result = suffixed(result, suffix);
        }
        expressions.leave(suffixes.size());
        return result;
    }

    /// `source.column`. If a number follows the dot, it is an element of a tuple in a column.
    private Expression member(Yql.NamePrimaryContext name, Yql.SuffixContext suffix) {
        Position at = Places.at(name);
        String source = Names.of(name.identifier());
        return suffix.identifier() != null
                ? new ColumnName(at, Optional.of(source), Names.of(suffix.identifier()))
                : suffixed(new ColumnName(at, Optional.empty(), source), suffix);
    }

    private Expression suffixed(Expression operand, Yql.SuffixContext suffix) {
        Position at = Places.at(suffix);
        if (suffix.QUESTION() != null) {
            return optionalType(operand, at);
        } else if (suffix.QUESTIONS() != null) {
            return optionalType(optionalType(operand, at), at);
        } else if (suffix.expression() != null) {
            return new Expression.Element(at, operand, expressions.expression(suffix.expression()));
        } else if (suffix.call() != null) {
            return calledAgain(operand, suffix.call(), at);
        } else if (suffix.identifier() != null) {
            return new Expression.Member(at, operand, Names.of(suffix.identifier()));
        }
        // `x.0.1` arrives as a name, a dot and the number 0.1.
        Expression result = operand;
        for (String index : suffix.stop.getText().split("\\.")) {
            result = new Expression.Member(at, result, index);
        }
        return result;
    }

    /// `DateTime::Format("%Y")(x)`: a function of a module that returns a function. The analyser
    /// gets both argument lists as one.
    private Expression calledAgain(Expression operand, Yql.CallContext call, Position at) {
        if (!(operand instanceof Call first) || first.module().isEmpty()) {
            throw new StatusException(
                    Status.UNSUPPORTED, "Only a function that is named can be called", at);
        }
        Call second = call(first.at(), first.module(), first.name(), call);
        List<Argument> arguments = new ArrayList<>(first.arguments());
        arguments.addAll(second.arguments());
        return new Call(
                first.at(),
                first.module(),
                first.name(),
                arguments,
                second.distinct(),
                second.star(),
                second.over());
    }

    /// `Int32?` in the place of a value.
    private static Expression optionalType(Expression operand, Position at) {
        if (operand instanceof NamedValue || TypeBuilder.isMade(operand)) {
            return Call.of(at, "OptionalType", List.of(operand));
        }
        Optional<Type> type =
                switch (operand) {
                    case TypeName(_, Type known) -> Optional.of(known);
                    case ColumnName(_, Optional<String> source, String name)
                            when source.isEmpty() ->
                            Types.find(name);
                    default -> Optional.empty();
                };
        if (type.isEmpty()) {
            throw operand instanceof ColumnName(Position place, _, String name)
                    ? Places.error(place, "Unknown type: '" + name + "'")
                    : Places.error(at, "mismatched input '?': it is allowed only after a type");
        }
        return new TypeName(operand.at(), new Type.Optional(type.get()));
    }

    /// The number formed by a minus and the following operand, if that is a number.
    Optional<Literal> negativeNumber(Position at, Yql.PostfixContext context) {
        return context.getChildCount() == 1
                        && context.primary() instanceof Yql.LiteralPrimaryContext
                        && (context.start.getType() == Yql.INTEGER
                                || context.start.getType() == Yql.REAL)
                ? Literals.negated(at, context.start)
                : Optional.empty();
    }

    private Expression primary(Yql.PrimaryContext primary) {
        Position at = Places.at(primary);
        return switch (primary) {
            case Yql.LiteralPrimaryContext c -> Literals.of(c.literal(), unicodeLiterals);
            case Yql.NamedPrimaryContext c -> new NamedValue(at, Names.value(c.start));
            case Yql.NamePrimaryContext c -> name(at, c);
            case Yql.ParenthesizedPrimaryContext c ->
                    c.ARROW() == null
                            ? parenthesized(c.parenthesized(), false)
                            : lambda(at, c.parenthesized(), c.lambdaBody());
            case Yql.CasePrimaryContext c -> caseOf(at, c);
            case Yql.CastPrimaryContext c ->
                    new Expression.Cast(
                            at,
                            expressions.expression(c.expression()),
                            TypeBuilder.of(c.type()),
                            c.BITCAST() != null);
            case Yql.ExistsPrimaryContext c -> new Expression.Exists(at, queries.query(c.query()));
            case Yql.ListPrimaryContext c ->
                    new Expression.ListOf(at, expressions.expressions(c.expression()));
            case Yql.DictPrimaryContext c -> dict(at, c);
            case Yql.StructPrimaryContext c -> new StructBuilder(expressions).struct(at, c);
            case Yql.JsonPrimaryContext c -> new JsonCallBuilder(expressions).call(c.jsonCall());
            case Yql.TypePrimaryContext c -> TypeBuilder.composite(c.compositeType());
            default -> throw new IllegalStateException("not an operand: " + primary.getClass());
        };
    }

    private static Expression name(Position at, Yql.NamePrimaryContext name) {
        if (name.NAMESPACE() != null) {
            // A function that is passed as a value, to be called later.
            return new Call(
                    at,
                    Optional.of(Names.of(name.identifier())),
                    Names.of(name.anyName()),
                    List.of(),
                    false,
                    false,
                    Optional.empty());
        }
        return new ColumnName(at, Optional.empty(), Names.of(name.identifier()));
    }

    /// The right side of IN, where `(x)` is a list of one item and not `x`.
    Expression collection(Yql.PostfixContext context) {
        return context.getChildCount() == 1
                        && context.primary() instanceof Yql.ParenthesizedPrimaryContext c
                        && c.ARROW() == null
                ? parenthesized(c.parenthesized(), true)
                : postfix(context);
    }

    Expression parenthesized(Yql.ParenthesizedContext context, boolean list) {
        Position at = Places.at(context);
        if (context.bareQuery() != null) {
            return new SubQuery(at, queries.query(context.bareQuery()));
        }
        List<Yql.ArgumentContext> items = context.argument();
        if (!context.combination().isEmpty()) {
            return combined(
                    at,
                    expressions.expression(items.getFirst().expression()),
                    context.combination(),
                    context.orderBy(),
                    context.limit());
        }
        boolean named = items.stream().anyMatch(i -> i.AS() != null);
        if (named) {
            return namedItems(at, items);
        }
        List<Expression> values = items.stream().map(this::value).toList();
        return values.size() == 1 && context.COMMA().isEmpty() && !list
                ? values.getFirst()
                : new TupleOf(at, values);
    }

    /// `(1 AS a, 2 AS b)` is a struct.
    private Expression namedItems(Position at, List<Yql.ArgumentContext> items) {
        List<Expression.StructMember> members = new ArrayList<>();
        for (Yql.ArgumentContext item : items) {
            if (item.AS() == null) {
                throw Places.error(Places.at(item), "Either all items have names or none has");
            }
            members.add(new Expression.StructMember(Names.of(item.anyName()), value(item)));
        }
        return new Expression.StructOf(at, members);
    }

    private Expression value(Yql.ArgumentContext argument) {
        return expressions.expression(argument.expression());
    }

    /// `(SELECT …) UNION ALL …` in the place of an expression.
    Expression combined(
            Position at,
            Expression first,
            List<Yql.CombinationContext> rest,
            Yql.@Nullable OrderByContext orderBy,
            Yql.@Nullable LimitContext limit) {
        if (rest.isEmpty() && orderBy == null && limit == null) {
            return first;
        }
        if (!(first instanceof SubQuery(_, Query query))) {
            Position place = rest.isEmpty() ? at : Places.at(rest.getFirst());
            throw Places.error(place, "UNION, ORDER BY and LIMIT are allowed only after a query");
        }
        return new SubQuery(at, queries.combined(query, rest, orderBy, limit));
    }

    private Expression lambda(
            Position at, Yql.ParenthesizedContext parameters, Yql.LambdaBodyContext body) {
        List<String> names = new ArrayList<>();
        int optionalCount = 0;
        boolean plain = parameters.bareQuery() == null && parameters.combination().isEmpty();
        for (Yql.ArgumentContext parameter : parameters.argument()) {
            boolean optional = parameter.stop.getType() == Yql.QUESTION;
            boolean isName =
                    parameter.start.getType() == Yql.NAMED_VALUE
                            && parameter.stop.getTokenIndex() - parameter.start.getTokenIndex()
                                    == (optional ? 1 : 0);
            // After an optional parameter, all others must be optional too.
            plain &= isName && (optional || optionalCount == 0);
            if (plain) {
                names.add(Names.value(parameter.start));
                optionalCount += optional ? 1 : 0;
            }
        }
        if (!plain) {
            throw Places.error(at, "The parameters of a lambda are names: ($x, $y?) -> …");
        }
        List<Statement.Define> definitions = new ArrayList<>();
        for (Yql.DefinitionContext definition : body.definition()) {
            definitions.add(definition(definition));
        }
        return new Expression.Lambda(
                at, names, optionalCount, definitions, expressions.expression(body.expression()));
    }

    Statement.Define definition(Yql.DefinitionContext context) {
        Position at = Places.at(context);
        List<String> names =
                context.NAMED_VALUE().stream().map(n -> Names.value(n.getSymbol())).toList();
        if (context.bareQuery() != null) {
            Query query = queries.query(context.bareQuery());
            return new Statement.Define(at, names, new SubQuery(query.at(), query));
        }
        Yql.ExpressionContext value = context.expression();
        return new Statement.Define(
                at,
                names,
                combined(
                        Places.at(value),
                        expressions.expression(value),
                        context.combination(),
                        context.orderBy(),
                        context.limit()));
    }

    private Expression caseOf(Position at, Yql.CasePrimaryContext context) {
        List<Expression.When> whens = new ArrayList<>();
        for (Yql.WhenContext when : context.when()) {
            whens.add(
                    new Expression.When(
                            expressions.expression(when.expression(0)),
                            expressions.expression(when.expression(1))));
        }
        return new Expression.Case(
                at, optional(context.subject), whens, optional(context.otherwise));
    }

    private Optional<Expression> optional(Yql.@Nullable ExpressionContext context) {
        return context == null ? Optional.empty() : Optional.of(expressions.expression(context));
    }

    private Expression dict(Position at, Yql.DictPrimaryContext context) {
        List<Yql.DictItemContext> items = context.dictItem();
        boolean set = !items.isEmpty() && items.getFirst().COLON() == null;
        List<Expression> keys = new ArrayList<>();
        List<Expression.DictItem> pairs = new ArrayList<>();
        for (Yql.DictItemContext item : items) {
            if (set != (item.COLON() == null)) {
                throw Places.error(
                        Places.at(item), "Either all items of {…} have a value or none has");
            }
            Expression key = expressions.expression(item.expression(0));
            if (set) {
                keys.add(key);
            } else {
                Expression payload = expressions.expression(item.expression(1));
                pairs.add(new Expression.DictItem(key, payload));
            }
        }
        return set ? new Expression.SetOf(at, keys) : new Expression.DictOf(at, pairs);
    }

    private Expression call(Yql.NamePrimaryContext name, Yql.CallContext call) {
        Position at = Places.at(name);
        String first = Names.of(name.identifier());
        if (name.NAMESPACE() != null) {
            return call(at, Optional.of(first), Names.of(name.anyName()), call);
        }
        Optional<Expression> decimal = decimalType(at, first, call);
        return decimal.orElseGet(() -> call(at, Optional.empty(), first, call));
    }

    /// `Decimal(22, 9)`. With a string before the numbers, it is a value instead.
    private static Optional<Expression> decimalType(
            Position at, String name, Yql.CallContext call) {
        if (!name.equalsIgnoreCase("Decimal") || call.argument().size() != 2) {
            return Optional.empty();
        }
        return Optional.of(
                TypeBuilder.decimal(at, call.argument(0).getText(), call.argument(1).getText()));
    }

    private static boolean ignoresNulls(Yql.CallContext call) {
        if (call.NULLS() == null) {
            return false;
        } else if (call.window() == null) {
            throw Places.error(
                    Places.at(call.NULLS().getSymbol()),
                    "IGNORE NULLS and RESPECT NULLS are allowed only before OVER");
        } else if (call.IGNORE() == null && !call.NAME().getText().equalsIgnoreCase("RESPECT")) {
            throw Places.error(
                    Places.at(call.NAME().getSymbol()),
                    "mismatched input '%s', expecting IGNORE or RESPECT"
                            .formatted(call.NAME().getText()));
        }
        return call.IGNORE() != null;
    }

    private Call call(Position at, Optional<String> module, String name, Yql.CallContext call) {
        boolean takesTypes = module.isEmpty() && TAKE_TYPES.contains(Call.plain(name));
        List<Argument> arguments = new ArrayList<>();
        for (Yql.ArgumentContext argument : call.argument()) {
            Expression value = value(argument);
            arguments.add(
                    new Argument(
                            SourceBuilder.name(argument.anyName()),
                            takesTypes ? typeOrValue(value) : value));
        }
        Call result =
                new Call(
                        at,
                        module,
                        name,
                        arguments,
                        call.DISTINCT() != null,
                        call.STAR() != null,
                        window(call, ignoresNulls(call)));
        return call.FILTER() == null
                ? result
                : AggregateFilter.filtered(result, expressions.expression(call.expression()));
    }

    private static Expression typeOrValue(Expression value) {
        return value instanceof ColumnName(Position at, Optional<String> source, String name)
                        && source.isEmpty()
                ? Types.find(name).<Expression>map(t -> new TypeName(at, t)).orElse(value)
                : value;
    }

    private Optional<Window> window(Yql.CallContext call, boolean ignoreNulls) {
        Yql.WindowContext context = call.window();
        if (context == null) {
            return Optional.empty();
        }
        if (context.windowOf() != null) {
            return Optional.of(windows.window(context.windowOf(), ignoreNulls));
        }
        return Optional.of(
                new Window(
                        Places.at(context),
                        SourceBuilder.name(context.identifier()),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        ignoreNulls));
    }

    Argument argument(Yql.ArgumentContext argument) {
        return new Argument(SourceBuilder.name(argument.anyName()), value(argument));
    }
}
