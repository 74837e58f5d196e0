package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.function.Functions;
import io.cleave.function.NullFunctions;
import io.cleave.function.aggregate.Aggregates;
import io.cleave.function.aggregate.WindowFunctions;
import io.cleave.function.call.Casts;
import io.cleave.function.call.Conversions;
import io.cleave.function.call.Dialect;
import io.cleave.function.call.FunctionCall;
import io.cleave.function.call.TypeExpressions;
import io.cleave.function.container.Items;
import io.cleave.function.document.JsonFunctions;
import io.cleave.function.operator.Arithmetic;
import io.cleave.function.operator.BitArithmetic;
import io.cleave.function.operator.CheckedArithmetic;
import io.cleave.function.operator.Matching;
import io.cleave.function.operator.Predicates;
import io.cleave.function.text.StringFunctions;
import io.cleave.typed.Errors;
import io.cleave.typed.Typed;
import io.cleave.typed.TypedTree;
import io.cleave.value.Convert;
import io.cleave.value.Ints;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Expression.BinaryOperator;
import io.cleave.yql.Statement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Resolves the types of an expression. The [Scope] gives the meaning of names; the function
/// library ([Functions]) gives the functions. Stateless and thread-safe.
public final class ExpressionAnalyzer {
    static final ExpressionAnalyzer ANALYZER = new ExpressionAnalyzer();

    public Typed analyze(Expression expression, Scope scope) {
        Optional<Typed> known = scope.known(expression);
        return known.isPresent() ? known.get() : fresh(expression, scope);
    }

    private Typed fresh(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal(_, Type type, Value value) -> new Typed.Constant(type, value);
            case Expression.ColumnName(Position at, Optional<String> source, String name) ->
                    scope.column(at, source, name);
            case Expression.NamedValue(Position at, String name) when name.equals("$_") ->
                    throw Errors.type(at, "Unable to reference anonymous name " + name);
            case Expression.NamedValue(Position at, String name) -> scope.named(at, name);
            case Expression.Unary unary -> unary(unary, scope);
            case Expression.Binary binary -> binary(binary, scope);
            case Expression.Between b ->
                    negated(
                            Predicates.between(
                                    b.at(),
                                    analyze(b.operand(), scope),
                                    analyze(b.low(), scope),
                                    analyze(b.high(), scope),
                                    b.symmetric()),
                            b.negated());
            case Expression.In in -> in(in, scope);
            case Expression.Match match ->
                    negated(
                            Matching.resolve(
                                    match.at(),
                                    match.kind(),
                                    analyze(match.operand(), scope),
                                    analyze(match.pattern(), scope),
                                    match.escape().map(escape -> analyze(escape, scope))),
                            match.negated());
            case Expression.IsNull(_, Expression operand, boolean negated) ->
                    negated(new Typed.IsNull(Primitive.BOOL, analyze(operand, scope)), negated);
            case Expression.IsDistinctFrom d ->
                    negated(
                            Predicates.isDistinct(
                                    d.at(), analyze(d.left(), scope), analyze(d.right(), scope)),
                            d.negated());
            case Expression.Case c -> choose(c, scope);
            case Expression.Cast(Position at, Expression operand, var target, boolean bits) -> {
                Typed value = analyze(operand, scope);
                Type type =
                        new TypeExpressions(scope)
                                .find(target)
                                .orElseThrow(() -> Errors.type(target.at(), "Expected a type"));
                yield bits ? Casts.bits(at, value, type) : Casts.cast(at, value, type);
            }
            case Expression.Call call -> call(call, scope);
            case Expression.TypeName(Position at, Type type) ->
                    throw Errors.type(at, "Expected a value, but got type: " + type.text());
            case Expression.TupleOf(_, List<Expression> items) ->
                    Items.tuple(analyzeAll(items, scope));
            case Expression.ListOf(Position at, List<Expression> items) ->
                    Items.list(at, analyzeAll(items, scope));
            case Expression.StructOf(Position at, List<Expression.StructMember> members) ->
                    Items.struct(
                            at,
                            members.stream().map(Expression.StructMember::name).toList(),
                            members.stream().map(m -> analyze(m.value(), scope)).toList());
            case Expression.DictOf(Position at, List<Expression.DictItem> items) ->
                    Items.dict(
                            at,
                            items.stream().map(i -> analyze(i.key(), scope)).toList(),
                            items.stream().map(i -> analyze(i.payload(), scope)).toList());
            case Expression.SetOf(Position at, List<Expression> items) ->
                    Items.set(at, analyzeAll(items, scope));
            case Expression.Member(Position at, Expression operand, String name) ->
                    Items.member(at, analyze(operand, scope), name, scope.dialect());
            case Expression.Element(Position at, Expression operand, Expression index) ->
                    Items.element(
                            at, analyze(operand, scope), analyze(index, scope), scope.dialect());
            case Expression.Lambda(Position at, _, _, _, _) ->
                    throw Errors.type(at, "A lambda is not allowed in this context");
            case Expression.SubQuery query -> scope.subQuery(query);
            case Expression.Exists query -> scope.exists(query);
            case Expression.JsonCall json -> new JsonFunctions(scope).resolve(json);
        };
    }

    private List<Typed> analyzeAll(List<Expression> expressions, Scope scope) {
        return expressions.stream().map(e -> analyze(e, scope)).toList();
    }

    private static Typed negated(Typed predicate, boolean negated) {
        return negated ? Predicates.not(predicate) : predicate;
    }

    private Typed unary(Expression.Unary unary, Scope scope) {
        Typed operand = analyze(unary.operand(), scope);
        return switch (unary.operator()) {
            case NOT -> Predicates.not(Predicates.condition(unary.operand().at(), operand));
            case PLUS -> {
                // Unary plus is allowed only for types that can be negated.
                Arithmetic.negate(unary.at(), operand);
                yield operand;
            }
            case MINUS ->
                    isChecked(scope)
                            ? CheckedArithmetic.negate(unary.at(), operand)
                            : Arithmetic.negate(unary.at(), operand);
            case BITWISE_NOT -> BitArithmetic.not(unary.at(), operand);
        };
    }

    private static boolean isChecked(Scope scope) {
        return scope.dialect().has(Dialect.Option.CHECKED_OPS);
    }

    private Typed binary(Expression.Binary binary, Scope scope) {
        BinaryOperator operator = binary.operator();
        if (operator == BinaryOperator.AND || operator == BinaryOperator.OR) {
            List<Typed> terms =
                    chain(binary).stream()
                            .map(term -> Predicates.condition(term.at(), analyze(term, scope)))
                            .toList();
            return operator == BinaryOperator.AND ? Predicates.and(terms) : Predicates.or(terms);
        }
        Typed left = analyze(binary.left(), scope);
        Typed right = analyze(binary.right(), scope);
        Position at = binary.at();
        if (operator == BinaryOperator.DIVIDE
                && !scope.dialect().has(Dialect.Option.CLASSIC_DIVISION)
                && Ints.isInteger(left.type().unwrapped())) {
            left = Casts.cast(at, left, Primitive.DOUBLE);
        }
        return switch (operator) {
            case XOR ->
                    Predicates.xor(Predicates.condition(at, left), Predicates.condition(at, right));
            case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
                    Predicates.compare(at, operator, left, right);
            case COALESCE -> NullFunctions.coalesce(at, List.of(left, right));
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO -> {
                if (isChecked(scope)) {
                    yield CheckedArithmetic.resolve(at, operator, left, right);
                }
                scope.operated(at, operator, left, right);
                yield Arithmetic.resolve(at, operator, left, right);
            }
            case CONCAT -> StringFunctions.concat(at, left, right);
            case BITWISE_AND, BITWISE_OR, BITWISE_XOR ->
                    BitArithmetic.resolve(at, operator, left, right);
            case SHIFT_LEFT, SHIFT_RIGHT, ROTATE_LEFT, ROTATE_RIGHT ->
                    BitArithmetic.shift(at, operator, left, right);
            case AND, OR -> throw new IllegalStateException("handled above");
        };
    }

    /// The terms of `a AND b AND c`, from left to right. It does not recurse, because a query may
    /// have thousands of terms.
    private static List<Expression> chain(Expression.Binary top) {
        var terms = new ArrayList<Expression>();
        var open = new ArrayDeque<Expression>();
        open.push(top);
        while (!open.isEmpty()) {
            Expression next = open.pop();
            if (next instanceof Expression.Binary binary && binary.operator() == top.operator()) {
                open.push(binary.right());
                open.push(binary.left());
            } else {
                terms.add(next);
            }
        }
        return terms;
    }

    private Typed in(Expression.In in, Scope scope) {
        Typed operand = analyze(in.operand(), scope);
        if (in.collection() instanceof Expression.SubQuery query) {
            return scope.inSubQuery(in.at(), operand, query, in.negated());
        }
        Optional<Scope.ScopedQuery> named = namedQuery(in.collection(), scope);
        if (named.isPresent()) {
            Scope.ScopedQuery found = named.get();
            return found.scope().inSubQuery(in.at(), operand, found.query(), in.negated());
        }
        Expression collection = in.collection();
        if (collection instanceof Expression.TupleOf(_, List<Expression> items)
                && items.size() == 1) {
            // `IN ($list)` means `IN $list` if the single expression in parentheses is a
            // collection.
            Typed only = analyze(items.getFirst(), scope);
            boolean itself =
                    switch (only.type().unwrapped()) {
                        case Type.ListOf _, Type.Dict _ -> true;
                        default -> false;
                    };
            Typed typed = itself ? only : Items.tuple(List.of(only));
            return negated(Predicates.in(in.at(), operand, typed, scope.dialect()), in.negated());
        }
        return negated(
                Predicates.in(in.at(), operand, analyze(collection, scope), scope.dialect()),
                in.negated());
    }

    /// The query that `$name` or `($name)` refers to.
    private static Optional<Scope.ScopedQuery> namedQuery(Expression collection, Scope scope) {
        return switch (collection) {
            case Expression.NamedValue(_, String name) -> scope.query(name);
            case Expression.TupleOf(_, List<Expression> items) when items.size() == 1 ->
                    namedQuery(items.getFirst(), scope);
            default -> Optional.empty();
        };
    }

    private Typed choose(Expression.Case c, Scope scope) {
        Optional<Typed> subject = c.subject().map(s -> analyze(s, scope));
        subject.ifPresent(s -> TypedTree.refuseCopyOfLarge(c.at(), s));
        var conditions = new ArrayList<Typed>();
        var results = new ArrayList<Typed>();
        for (Expression.When when : c.whens()) {
            Typed condition = analyze(when.condition(), scope);
            Position at = when.condition().at();
            conditions.add(
                    subject.map(s -> Predicates.compare(at, BinaryOperator.EQUAL, s, condition))
                            .orElseGet(() -> Predicates.condition(at, condition)));
            results.add(analyze(when.result(), scope));
        }
        Typed otherwise =
                c.otherwise()
                        .map(e -> analyze(e, scope))
                        .orElse(new Typed.Constant(Type.Unit.NULL, Value.Null.NULL));
        return NullFunctions.choose(c.at(), conditions, results, otherwise);
    }

    private Typed call(Expression.Call call, Scope scope) {
        if (call.over().isPresent()) {
            return scope.window(call);
        }
        if (call.name().startsWith("$")) {
            return invoke(call, scope);
        }
        if (call.module().isEmpty()) {
            if (Aggregates.isAggregate(call.name())) {
                return scope.aggregate(call);
            }
            if (call.name().equalsIgnoreCase("GROUPING")) {
                return scope.grouping(call);
            }
            if (WindowFunctions.isWindowFunction(call.name())) {
                throw AnalysisContext.error(
                        call.at(),
                        "Failed to use window function "
                                + call.name()
                                + " without window specification");
            }
            if (call.plainName().equals("tablerow")) {
                return scope.row(call.at());
            }
            if (call.plainName().equals("jointablerow")) {
                return scope.joinRow(call.at());
            }
        }
        return Functions.find(call.at(), call.module(), call.name())
                .resolve(new FunctionCall(scope, call));
    }

    /// `$f(x)`: the body of the lambda with its parameters replaced.
    private Typed invoke(Expression.Call call, Scope scope) {
        Optional<Expression.Call> partial = scope.partialCall(call.name());
        if (partial.isPresent()) {
            return call(completed(partial.get(), call), scope);
        }
        Scope.ScopedLambda lambda =
                scope.lambda(call.name())
                        .orElseThrow(() -> Errors.type(call.at(), "Unknown name: " + call.name()));
        List<Typed> arguments =
                call.arguments().stream().map(a -> analyze(a.value(), scope)).toList();
        scope.expand(call.at());
        return body(call.at(), lambda.lambda(), lambda.scope(), scope.depth() - 1, arguments);
    }

    /// `DateTime::Format("%d")` called with `(x)` becomes one call with both argument lists.
    private static Expression.Call completed(Expression.Call partial, Expression.Call call) {
        var arguments = new ArrayList<>(partial.arguments());
        arguments.addAll(call.arguments());
        return new Expression.Call(
                call.at(),
                partial.module(),
                partial.name(),
                arguments,
                false,
                false,
                Optional.empty());
    }

    /// Inlines a lambda: its body with the parameters replaced by `arguments`. `expression` is the
    /// lambda, a name for it, or a function.
    Typed inlined(Expression expression, Scope scope, List<Typed> arguments) {
        return applied(expression, scope, scope.depth() - 1, arguments);
    }

    /// Like [#inlined], for a call that stands inside `level + 1` lambdas. `scope` is the scope of
    /// the lambda.
    Typed applied(Expression expression, Scope scope, int level, List<Typed> arguments) {
        scope.expand(expression.at());
        Optional<Expression.Call> function = function(expression, scope);
        if (function.isPresent()) {
            return called(function.get(), scope, level, arguments);
        }
        Scope.ScopedLambda found =
                switch (expression) {
                    case Expression.Lambda written -> new Scope.ScopedLambda(written, scope);
                    case Expression.NamedValue(Position at, String name) ->
                            scope.lambda(name)
                                    .orElseThrow(() -> Errors.type(at, "Expected lambda: " + name));
                    default -> throw Errors.type(expression.at(), "Expected lambda");
                };
        return body(expression.at(), found.lambda(), found.scope(), level, arguments);
    }

    /// A module function used in place of a lambda: `DateTime::MakeDate`, `Re2::Grep("x")`.
    private static Optional<Expression.Call> function(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Call call when call.module().isPresent() -> Optional.of(call);
            case Expression.NamedValue(_, String name) when scope.lambda(name).isEmpty() ->
                    scope.partialCall(name);
            default -> Optional.empty();
        };
    }

    /// Analyzes the function as if `($x) -> { RETURN function($x); }` were written.
    private Typed called(Expression.Call function, Scope scope, int level, List<Typed> given) {
        var inside = new LambdaScope(scope, level);
        var arguments = new ArrayList<>(function.arguments());
        for (int index = 0; index < given.size(); index++) {
            // A name that cannot be written in a query.
            String name = "$ " + index;
            inside.define(name, given.get(index));
            arguments.add(
                    new Expression.Argument(
                            Optional.empty(), new Expression.NamedValue(function.at(), name)));
        }
        return analyze(function.withArguments(arguments), inside);
    }

    private Typed body(
            Position at, Expression.Lambda lambda, Scope around, int level, List<Typed> arguments) {
        int most = lambda.parameters().size();
        if (arguments.size() > most || arguments.size() < most - lambda.optionalCount()) {
            throw Errors.type(
                    at,
                    "Expected lambda with %d arguments, but got with %d"
                            .formatted(arguments.size(), lambda.parameters().size()));
        }
        var inside = new LambdaScope(around, level);
        for (int index = 0; index < most; index++) {
            Typed argument =
                    index < arguments.size()
                            ? arguments.get(index)
                            : new Typed.Constant(Type.Unit.NULL, Value.Null.NULL);
            inside.define(lambda.parameters().get(index), argument);
        }
        for (Statement.Define define : lambda.definitions()) {
            Typed value = analyze(define.value(), inside);
            if (define.names().size() == 1) {
                inside.define(define.names().getFirst(), value);
            } else {
                for (int index = 0; index < define.names().size(); index++) {
                    inside.define(
                            define.names().get(index),
                            Items.member(define.at(), value, Integer.toString(index)));
                }
            }
        }
        return analyze(lambda.result(), inside);
    }

    /// Converts a value to the type of the column it is written to. Literals convert to more types
    /// than other values: a string literal to Utf8, and an integer literal to every type that can
    /// hold it.
    ///
    /// `literal` means that the value is written out in the query. A [Typed.Constant] is treated as
    /// a literal only then.
    public Typed convert(Typed value, Type target, String column, boolean literal) {
        Optional<Typed> converted = literal ? Conversions.literal(value, target) : Optional.empty();
        return converted
                .or(() -> Conversions.implicit(value, target))
                .orElseThrow(
                        () -> Errors.conversion(Convert.failure(column, value.type(), target)));
    }
}
