package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A call on its way to becoming typed: what a function of the library asks about its arguments,
/// and the nodes it answers with. Arguments are analysed when they are first asked for, because a
/// lambda has no type before the function says those of its parameters.
final class FunctionCall {
    private final ExpressionAnalyzer analyzer;
    private final Scope scope;
    private final Expression.Call call;
    private final @Nullable Typed[] values;

    FunctionCall(ExpressionAnalyzer analyzer, Scope scope, Expression.Call call) {
        this.analyzer = analyzer;
        this.scope = scope;
        this.call = call;
        this.values = new Typed[call.arguments().size()];
    }

    Position at() {
        return call.at();
    }

    String name() {
        return call.module().map(module -> module + "::").orElse("") + call.name();
    }

    int count() {
        return values.length;
    }

    Scope scope() {
        return scope;
    }

    /// Refuses the call unless it has that many arguments.
    void expect(int min, int max) {
        if (count() < min || count() > max) {
            String wanted = min == max ? "" + min : "from " + min + " to " + max;
            throw error("%s requires %s arguments, given: %d".formatted(name(), wanted, count()));
        }
    }

    void expect(int exactly) {
        expect(exactly, exactly);
    }

    Typed value(int index) {
        Expression written = expression(index);
        Typed known = values[index];
        if (known == null) {
            known = analyzer.analyze(written, scope);
            values[index] = known;
        }
        return known;
    }

    List<Typed> all() {
        var all = new ArrayList<Typed>();
        for (int index = 0; index < count(); index++) {
            all.add(value(index));
        }
        return all;
    }

    Type type(int index) {
        return value(index).type();
    }

    /// The type of the argument without its Optional.
    Type bare(int index) {
        return type(index).unwrapped();
    }

    Expression expression(int index) {
        if (index >= count()) {
            throw error(
                    "%s requires at least %d arguments, given: %d"
                            .formatted(name(), index + 1, count()));
        }
        return call.arguments().get(index).value();
    }

    Optional<String> label(int index) {
        return call.arguments().get(index).name();
    }

    StatusException error(String message) {
        return Errors.type(at(), message);
    }

    /// The lambda that stands as an argument, with its parameters of these types.
    Typed.Lambda lambda(int index, Type... parameterTypes) {
        return analyzer.lambda(expression(index), scope, List.of(parameterTypes));
    }

    boolean isLambda(int index) {
        return writtenLambda(index).isPresent();
    }

    /// A type given as an argument: written out, or made by TypeOf, ListType and their like.
    Type typeArgument(int index) {
        return findType(index)
                .orElseThrow(() -> error("Expected type, but got: " + type(index).text()));
    }

    /// As [#typeArgument], or nothing if the argument is no type.
    Optional<Type> findType(int index) {
        return new TypeExpressions(analyzer, scope).find(expression(index));
    }

    /// The lambda that stands as an argument, as it was written.
    Optional<Expression.Lambda> writtenLambda(int index) {
        return switch (expression(index)) {
            case Expression.Lambda lambda -> Optional.of(lambda);
            case Expression.NamedValue named ->
                    scope.lambda(named.name()).map(Scope.ScopedLambda::lambda);
            default -> Optional.empty();
        };
    }

    /// What the lambda at `index` gives for these arguments, put in its place.
    Typed inlined(int index, List<Typed> arguments) {
        return analyzer.inlined(expression(index), scope, arguments);
    }

    /// An expression that stands elsewhere in the call than as an argument.
    Typed analyze(Expression expression) {
        return analyzer.analyze(expression, scope);
    }

    AggregateTransforms transforms(List<AggregateTransforms.Step> steps, int depth) {
        return new AggregateTransforms(analyzer, steps, depth);
    }

    /// A string that is known when the query is compiled, and decides about types: if it cannot be
    /// worked out, the query is refused, wherever it stands.
    String text(int index) {
        Optional<Value> known = ConstantValue.of(value(index));
        if (known.isPresent() && known.get() instanceof Value.Binary(var bytes)) {
            return bytes.utf8();
        }
        if (known.isPresent() && known.get() instanceof Value.Text(String text)) {
            return text;
        }
        throw error("Expected literal string as argument %d of %s".formatted(index + 1, name()));
    }

    /// An integer that is known when the query is compiled.
    int number(int index) {
        if (value(index) instanceof Typed.Constant(_, Value.Int(long number))
                && number == (int) number) {
            return (int) number;
        }
        throw error("Expected literal integer as argument %d of %s".formatted(index + 1, name()));
    }

    /// The argument converted to `target` without its Optional: one that may be NULL stays so. A
    /// literal need only say what `target` can hold.
    Typed as(int index, Type target) {
        Typed value = value(index);
        if (value.type() == Type.Unit.NULL) {
            return new Typed.Constant(target.optional(), Value.Null.NULL);
        }
        Type wanted = value.type().isOptional() ? target.optional() : target;
        return Conversions.literal(value, wanted)
                .orElseThrow(
                        () ->
                                error(
                                        "Mismatch type argument #%d of %s, type diff: %s!=%s"
                                                .formatted(
                                                        index + 1,
                                                        name(),
                                                        value.type().text(),
                                                        wanted.text())));
    }

    /// A String that is never NULL.
    Typed required(int index) {
        Typed value = as(index, Primitive.STRING);
        if (value.type().isOptional()) {
            throw error(
                    "Expected String as argument %d of %s, but got: %s"
                            .formatted(index + 1, name(), type(index).text()));
        }
        return value;
    }

    /// A String that may be NULL, and is `otherwise` then.
    Typed stringOr(int index, String otherwise) {
        Typed value = as(index, Primitive.STRING);
        return value.type().isOptional()
                ? new Typed.Coalesce(Primitive.STRING, List.of(value, string(otherwise)))
                : value;
    }

    static Typed string(String text) {
        return new Typed.Constant(Primitive.STRING, Value.binary(Bytes.utf8(text)));
    }

    /// A String or Utf8 argument as it is.
    Typed string(int index) {
        Typed value = value(index);
        Type type = value.type().unwrapped();
        if (type == Primitive.STRING || type == Primitive.UTF8 || type == Type.Unit.NULL) {
            return value;
        }
        throw error(
                "Expected either String or Utf8 as argument %d of %s, but got: %s"
                        .formatted(index + 1, name(), value.type().text()));
    }

    /// A node that is NULL when an argument is, and whose type is Optional when theirs is.
    Typed strict(Type type, List<Typed> arguments, ScalarFunction.Body body) {
        return strict(type, arguments, ScalarFunction.strict(name(), body));
    }

    /// The same of what may take long.
    Typed strictLong(Type type, List<Typed> arguments, ScalarFunction.RunBody body) {
        return strict(type, arguments, ScalarFunction.strictLong(name(), body));
    }

    private static Typed strict(Type type, List<Typed> arguments, ScalarFunction function) {
        boolean optional =
                arguments.stream()
                        .anyMatch(a -> a.type().isOptional() || a.type() == Type.Unit.NULL);
        return new Typed.Apply(optional ? type.optional() : type, function, arguments);
    }

    /// A node that sees the NULLs of its arguments.
    Typed apply(Type type, List<Typed> arguments, ScalarFunction.Body body) {
        return new Typed.Apply(type, ScalarFunction.of(name(), body), arguments);
    }

    /// The same of what may take long.
    Typed applyLong(Type type, List<Typed> arguments, ScalarFunction.RunBody body) {
        return new Typed.Apply(type, ScalarFunction.ofLong(name(), body), arguments);
    }

    /// As [#apply], of what may refuse to go on.
    Typed refusing(Type type, List<Typed> arguments, ScalarFunction.Body body) {
        return new Typed.Apply(type, ScalarFunction.refusing(name(), body), arguments);
    }

    /// As [#strict] with lambdas.
    Typed strict(
            Type type, List<Typed> arguments, List<Typed.Lambda> lambdas, LambdaFunction.Body b) {
        return strictLong(type, arguments, lambdas, (a, f, _) -> b.apply(a, f));
    }

    /// The same of what may take long beside its lambdas.
    Typed strictLong(
            Type type,
            List<Typed> arguments,
            List<Typed.Lambda> lambdas,
            LambdaFunction.RunBody b) {
        boolean optional = arguments.stream().anyMatch(a -> a.type().isOptional());
        return new Typed.ApplyLambdas(
                optional ? type.optional() : type,
                LambdaFunction.strict(name(), b),
                arguments,
                lambdas);
    }
}
