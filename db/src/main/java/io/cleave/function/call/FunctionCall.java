package io.cleave.function.call;

import io.cleave.base.Issue.Position;
import io.cleave.base.StatusException;
import io.cleave.typed.ConstantValue;
import io.cleave.typed.Errors;
import io.cleave.typed.LambdaFunction;
import io.cleave.typed.ScalarFunction;
import io.cleave.typed.Typed;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.yql.Expression;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A function call to resolve: gives a library function access to its arguments, and creates the
/// nodes of the result. Arguments are analyzed on first use, because the parameter types of a
/// lambda are known only to the function.
public final class FunctionCall {
    private final CallScope scope;
    private final Expression.Call call;
    private final @Nullable Typed[] values;

    public FunctionCall(CallScope scope, Expression.Call call) {
        this.scope = scope;
        this.call = call;
        this.values = new Typed[call.arguments().size()];
    }

    public Position at() {
        return call.at();
    }

    public String name() {
        return call.module().map(module -> module + "::").orElse("") + call.name();
    }

    public int count() {
        return values.length;
    }

    public CallScope scope() {
        return scope;
    }

    /// Throws unless the number of arguments is in the range.
    public void expect(int min, int max) {
        ArgumentChecks.count(at(), name(), "arguments", count(), min, max);
    }

    public void expect(int exactly) {
        expect(exactly, exactly);
    }

    public Typed value(int index) {
        Expression written = expression(index);
        Typed known = values[index];
        if (known == null) {
            known = scope.analyze(written);
            values[index] = known;
        }
        return known;
    }

    public List<Typed> all() {
        var all = new ArrayList<Typed>();
        for (int index = 0; index < count(); index++) {
            all.add(value(index));
        }
        return all;
    }

    public Type type(int index) {
        return value(index).type();
    }

    /// The type of the argument, without Optional.
    public Type bare(int index) {
        return type(index).unwrapped();
    }

    public Expression expression(int index) {
        if (index >= count()) {
            throw error(
                    "%s requires at least %d arguments, given: %d"
                            .formatted(name(), index + 1, count()));
        }
        return call.arguments().get(index).value();
    }

    public Optional<String> label(int index) {
        return call.arguments().get(index).name();
    }

    public StatusException error(String message) {
        return Errors.type(at(), message);
    }

    /// The lambda argument, analyzed with the given parameter types.
    public Typed.Lambda lambda(int index, Type... parameterTypes) {
        int level = scope.depth();
        var arguments = new ArrayList<Typed>();
        for (Type type : parameterTypes) {
            arguments.add(new Typed.LambdaArgument(type, level, arguments.size()));
        }
        return new Typed.Lambda(level, scope.applied(expression(index), level, arguments));
    }

    boolean isLambda(int index) {
        return writtenLambda(index).isPresent();
    }

    /// A type given as an argument: written out, or the result of TypeOf, ListType and similar
    /// functions.
    public Type typeArgument(int index) {
        return findType(index)
                .orElseThrow(() -> error("Expected type, but got: " + type(index).text()));
    }

    /// Like [#typeArgument], but empty if the argument is not a type.
    public Optional<Type> findType(int index) {
        return new TypeExpressions(scope).find(expression(index));
    }

    /// The syntax of the lambda argument; empty if the argument is not a lambda.
    public Optional<Expression.Lambda> writtenLambda(int index) {
        return switch (expression(index)) {
            case Expression.Lambda lambda -> Optional.of(lambda);
            case Expression.NamedValue named -> scope.writtenLambda(named.name());
            default -> Optional.empty();
        };
    }

    /// The body of the lambda at `index`, inlined with the given arguments.
    public Typed inlined(int index, List<Typed> arguments) {
        return scope.applied(expression(index), scope.depth() - 1, arguments);
    }

    /// Analyzes an expression of the call that is not an argument.
    public Typed analyze(Expression expression) {
        return scope.analyze(expression);
    }

    /// A string argument that is known at compile time. Since types depend on it, the query is
    /// refused if it is not a constant.
    public String text(int index) {
        Optional<Value> known = ConstantValue.of(value(index));
        if (known.isPresent() && known.get() instanceof Value.Binary(var bytes)) {
            return bytes.utf8();
        }
        if (known.isPresent() && known.get() instanceof Value.Text(String text)) {
            return text;
        }
        throw error("Expected literal string as argument %d of %s".formatted(index + 1, name()));
    }

    /// An integer argument that is known at compile time.
    public int number(int index) {
        if (value(index) instanceof Typed.Constant(_, Value.Int(long number))
                && number == (int) number) {
            return (int) number;
        }
        throw error("Expected literal integer as argument %d of %s".formatted(index + 1, name()));
    }

    /// The argument converted to `target`, or to an Optional of it if the argument may be NULL. A
    /// literal converts to every type that can hold its value.
    public Typed as(int index, Type target) {
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

    /// A String or Utf8 argument, not converted.
    public Typed string(int index) {
        Typed value = value(index);
        Type type = value.type().unwrapped();
        if (type == Primitive.STRING || type == Primitive.UTF8 || type == Type.Unit.NULL) {
            return value;
        }
        throw error(
                "Expected either String or Utf8 as argument %d of %s, but got: %s"
                        .formatted(index + 1, name(), value.type().text()));
    }

    /// A node that is NULL if an argument is NULL. Its type is Optional if that of an argument is.
    public Typed strict(Type type, List<Typed> arguments, ScalarFunction.Body body) {
        return strict(type, arguments, ScalarFunction.strict(name(), body));
    }

    /// Like `strict`, for a function that may take long.
    public Typed strictLong(Type type, List<Typed> arguments, ScalarFunction.RunBody body) {
        return strict(type, arguments, ScalarFunction.strictLong(name(), body));
    }

    private static Typed strict(Type type, List<Typed> arguments, ScalarFunction function) {
        boolean optional =
                arguments.stream()
                        .anyMatch(a -> a.type().isOptional() || a.type() == Type.Unit.NULL);
        return new Typed.Apply(optional ? type.optional() : type, function, arguments);
    }

    /// A node whose function also handles NULL arguments.
    public Typed apply(Type type, List<Typed> arguments, ScalarFunction.Body body) {
        return new Typed.Apply(type, ScalarFunction.of(name(), body), arguments);
    }

    /// Like `apply`, for a function that may take long.
    public Typed applyLong(Type type, List<Typed> arguments, ScalarFunction.RunBody body) {
        return new Typed.Apply(type, ScalarFunction.ofLong(name(), body), arguments);
    }

    /// Like [#apply], for a function that may fail the query on purpose.
    public Typed refusing(Type type, List<Typed> arguments, ScalarFunction.Body body) {
        return new Typed.Apply(type, ScalarFunction.refusing(name(), body), arguments);
    }

    /// Like [#strict], with lambdas.
    public Typed strict(
            Type type, List<Typed> arguments, List<Typed.Lambda> lambdas, LambdaFunction.Body b) {
        return strictLong(type, arguments, lambdas, (a, f, _) -> b.apply(a, f));
    }

    /// Like `strict` with lambdas, for a function that itself may take long.
    public Typed strictLong(
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
